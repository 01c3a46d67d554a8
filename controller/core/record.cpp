#include <algorithm>
#include <cstdlib>

#include "controller/core/absorb.h"
#include "controller/core/submission.h"

namespace sconverge {
namespace {

constexpr seconds kFirstDelay{10};
constexpr seconds kLongestDelay{300};

seconds delay_after(int refusals) {
  seconds delay = kFirstDelay;
  for (int i = 1; i < refusals && delay < kLongestDelay; ++i) delay *= 2;
  return std::min(delay, kLongestDelay);
}

std::string token_of(const Policy& policy, const SpecName& spec, const Attempt& attempt) {
  return sha256_hex(policy.controller_id + '\n' + to_text(spec) + '\n' + attempt.generation + '\n' +
                    std::to_string(attempt.run) + '\n' + std::to_string(attempt.attempt) + '\n' +
                    std::to_string(attempt.intended.time_since_epoch().count()))
      .substr(0, 16);
}

Attempt& attempt_with(SpecHistory& entry, const std::string& token) {
  const auto found = std::find_if(entry.attempts.begin(), entry.attempts.end(),
                                  [&](const Attempt& a) { return a.token == token; });
  if (found == entry.attempts.end()) std::abort();
  return *found;
}

}  // namespace

Mark mark_of(const SpecName& spec, const Attempt& attempt, const Policy& policy) {
  return {policy.controller_id, spec,         attempt.generation, attempt.run,
          attempt.attempt,      attempt.token};
}

Mark begin_submit(SpecHistory& entry, const Submit& action, const Policy& policy, TimePoint now) {
  if (!action.resend) {
    Attempt attempt;
    attempt.run = action.run;
    attempt.attempt = action.attempt;
    attempt.generation = action.generation;
    attempt.intended = now;
    attempt.token = token_of(policy, action.spec, attempt);
    attempt.digest = digest_of(*action.content, policy.defaults);
    attempt.job_name = job_name_of(*action.content);
    attempt.array = array_of(*action.content);
    entry.attempts.push_back(std::move(attempt));
    entry.submitted = action.content;
    entry.rerun.reset();
  }
  Attempt& attempt = *entry.newest();
  attempt.sent = now;
  attempt.in_doubt = true;
  attempt.unseen = 0;
  attempt.unseen_since.reset();
  attempt.not_before.reset();
  return mark_of(action.spec, attempt, policy);
}

void record_submitted(SpecHistory& entry, JobId job) {
  Attempt& attempt = *entry.newest();
  attempt.job = job;
  attempt.in_doubt = false;
  attempt.refusals = 0;
  attempt.send_error.clear();
  attempt.state = job_state_from({"PENDING"});
  attempt.tasks.pending = declared_tasks(attempt);
}

void record_submit_failure(SpecHistory& entry, const Error& error, TimePoint now) {
  Attempt& attempt = *entry.newest();
  attempt.send_error = error.message;
  switch (error.kind) {
    case ErrorKind::Unknown:
      attempt.sent = now;  // it may have left long after the batch was written down
      return;
    case ErrorKind::Rejected:
      attempt.in_doubt = false;
      attempt.outcome = Outcome{.kind = OutcomeKind::Rejected, .message = error.message};
      return;
    case ErrorKind::Unavailable:
    case ErrorKind::Denied:
      attempt.in_doubt = false;
      ++attempt.refusals;
      attempt.not_before = now + delay_after(attempt.refusals);
      return;
  }
  std::abort();
}

void record_update_requested(SpecHistory& entry, const Update& action) {
  Attempt& attempt = attempt_with(entry, action.token);
  attempt.generation = action.generation;
  attempt.array = array_of(*action.content);  // its throttle may be another one
  attempt.update_refused.reset();
}

void record_updated(SpecHistory& entry, const Update& action) { entry.submitted = action.content; }

void record_update_refused(SpecHistory& entry, const Update& action) {
  attempt_with(entry, action.token).update_refused = action.generation;
}

void record_hold_requested(SpecHistory& entry, const SetHold& action) {
  if (action.hold) attempt_with(entry, action.token).our_hold = OurHold::Requested;
}

void record_hold(SpecHistory& entry, const SetHold& action) {
  Attempt& attempt = attempt_with(entry, action.token);
  attempt.held = action.hold;
  if (!action.hold) attempt.our_hold = OurHold::None;
}

void record_cancel_requested(SpecHistory& entry, const Cancel& action, const Policy& policy,
                             TimePoint now) {
  Attempt& attempt = attempt_with(entry, action.token);
  if (attempt.job == action.job) {
    attempt.cancel = CancelRequest{action.cause, now, now + policy.request_timeout};
  } else {
    attempt.duplicates.insert_or_assign(action.job, now);
  }
}

void record_cancel_unsent(SpecHistory& entry, const Cancel& action, TimePoint now) {
  Attempt& attempt = attempt_with(entry, action.token);
  if (attempt.job == action.job) {
    if (attempt.cancel) attempt.cancel->effective_by = now;
  } else {
    attempt.duplicates.insert_or_assign(action.job, TimePoint{});
  }
}

}  // namespace sconverge
