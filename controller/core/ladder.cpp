#include "controller/core/ladder.h"

#include <algorithm>

#include "controller/core/verdict.h"

namespace sconverge {
namespace {

bool is_visible(const LiveJobs& live, const Attempt& attempt) {
  const auto jobs = live.find(attempt.token);
  return jobs != live.end() &&
         std::any_of(jobs->second.begin(), jobs->second.end(),
                     [&](const SlurmJob* job) { return job->id == attempt.job; });
}

/// Slurm 24.11 changes only one record of an array that has several, and somebody may have made a
/// record of its own of a task that waits.
bool is_split(const LiveJobs& live, const Attempt& attempt) {
  const auto jobs = live.find(attempt.token);
  return jobs != live.end() &&
         std::any_of(jobs->second.begin(), jobs->second.end(), [&](const SlurmJob* job) {
           return job->id == attempt.job && job->records > 1;
         });
}

/// Cancels every live job of the newest run but the earliest, whoever submitted it. Both sides of a
/// doubled controller come to the same survivor.
void cancel_twins(const SpecName& name, const SpecHistory& entry, const Attempt& current,
                  const LiveJobs& live, Decision& decision) {
  for (const auto& twin : entry.attempts) {
    if (&twin == &current || twin.run != current.run || !has_live_job(twin)) continue;
    if (twin.cancel || twin.state.completing || !is_visible(live, twin)) continue;
    decision.actions.emplace_back(Cancel{name, *twin.job, twin.token, CancelCause::Duplicate, {}});
  }
}

/// An attempt behind the newest is open only if its submit landed long after it was given up.
Decision wait_for_earlier(const SpecName& name, const SpecHistory& entry, const Attempt& earlier,
                          const LiveJobs& live) {
  Decision decision;
  decision.verdict = earlier.job ? verdict_of_live(earlier) : verdict_of_intent(earlier);
  decision.verdict.message += "; it belongs to an earlier generation, which must end first";
  if (!earlier.job || earlier.cancel || !is_visible(live, earlier)) return decision;
  const bool another_lives = std::any_of(
      entry.attempts.begin(), entry.attempts.end(),
      [&](const Attempt& other) { return other.run != earlier.run && has_live_job(other); });
  if (is_untouched(earlier) || another_lives) {
    const auto cause = is_untouched(earlier) ? CancelCause::Superseded : CancelCause::Duplicate;
    decision.actions.emplace_back(Cancel{name, *earlier.job, earlier.token, cause, {}});
  }
  return decision;
}

Decision await_intent(const SpecName& name, const SpecHistory& entry, const Policy& policy,
                      TimePoint now) {
  const Attempt& attempt = *entry.newest();
  Decision decision;
  decision.verdict = verdict_of_intent(attempt);
  if (attempt.in_doubt) {
    decision.wake_at = attempt.sent + policy.request_timeout;
  } else if (attempt.not_before && *attempt.not_before > now) {
    decision.wake_at = attempt.not_before;
  } else {
    const auto& content = entry.submitted ? entry.submitted : entry.accepted;
    decision.actions.emplace_back(
        Submit{name, content, attempt.generation, attempt.run, attempt.attempt, true});
  }
  return decision;
}

bool is_done(const SpecHistory& entry) {
  const Attempt* last = last_attempt_of(entry, entry.wanted);
  return last != nullptr && finishes(*last);
}

/// The pending job is of another generation than wanted.
void change_pending(const SpecName& name, const SpecHistory& entry, const Attempt& attempt,
                    const LiveJobs& live, Decision& decision) {
  const SpecDiff change =
      entry.submitted ? diff(*entry.submitted, *entry.accepted) : SpecDiff{{}, false};
  if (change.in_place && !is_split(live, attempt) && attempt.update_refused != entry.wanted &&
      !is_done(entry)) {
    decision.actions.emplace_back(
        Update{name, *attempt.job, attempt.token, entry.accepted, entry.wanted, change.changes});
    return;
  }
  decision.actions.emplace_back(
      Cancel{name, *attempt.job, attempt.token, CancelCause::Superseded, change.changes});
}

void hold_or_release(const SpecName& name, const SpecHistory& entry, const Attempt& attempt,
                     Decision& decision) {
  const bool held_by_us =
      attempt.our_hold == OurHold::Requested || attempt.our_hold == OurHold::Seen;
  if (entry.accepted->suspend && !attempt.held && attempt.our_hold != OurHold::Overruled) {
    decision.actions.emplace_back(SetHold{name, *attempt.job, attempt.token, true});
  } else if (!entry.accepted->suspend && attempt.held && held_by_us) {
    decision.actions.emplace_back(SetHold{name, *attempt.job, attempt.token, false});
  }
}

Decision follow_job(const SpecName& name, const SpecHistory& entry, const Attempt& attempt,
                    const LiveJobs& live) {
  Decision decision;
  decision.verdict = verdict_of_live(attempt);
  if (entry.rerun == entry.wanted) {
    decision.verdict.message += "; it runs once more after that, as somebody asked";
  }
  // What is not in front of our eyes, or already on its way out, is left alone.
  if (attempt.cancel || !is_visible(live, attempt)) return decision;
  const bool changed = attempt.generation != entry.wanted;
  if (is_untouched(attempt)) {
    if (changed) {
      change_pending(name, entry, attempt, live, decision);
    } else {
      hold_or_release(name, entry, attempt, decision);
    }
  } else if (changed && !attempt.state.completing) {
    decision.verdict.reason = Reason::ChangeQueued;
    decision.verdict.message += "; the changed spec runs after it";
    const auto changes = entry.submitted ? diff(*entry.submitted, *entry.accepted) : SpecDiff{};
    decision.queued = QueuedChange{*attempt.job, changes.changes};
  }
  return decision;
}

Decision start_or_rest(const SpecName& name, const SpecHistory& entry) {
  Decision decision;
  const Attempt* last = last_attempt_of(entry, entry.wanted);
  const bool rerun = entry.rerun == entry.wanted;
  if (last != nullptr && finishes(*last) && !rerun) {
    decision.verdict = verdict_of_outcome(*last);
    return decision;
  }
  if (entry.accepted->suspend) {
    decision.verdict = {Phase::Suspended, Reason::SuspendRequested,
                        "not submitted as the spec says suspend"};
    return decision;
  }
  const Attempt* newest = entry.newest();
  const int run = newest == nullptr ? 1 : newest->run + 1;
  decision.verdict = {Phase::Waiting, Reason::NotSubmitted, "about to be submitted"};
  decision.actions.emplace_back(Submit{name, entry.accepted, entry.wanted, run, 1, false});
  return decision;
}

}  // namespace

LiveJobs live_jobs_of(const Observation& observed, const Policy& policy) {
  LiveJobs live;
  for (const auto& job : observed.jobs) {
    if (job.mark && job.mark->controller == policy.controller_id && !job.state.final()) {
      live[job.mark->token].push_back(&job);
    }
  }
  return live;
}

std::vector<Action> cancel_duplicates(const SpecName& name, const SpecHistory& entry,
                                      const LiveJobs& live, const Policy& policy, TimePoint now) {
  std::vector<Action> actions;
  for (const auto& attempt : entry.attempts) {
    const auto jobs = live.find(attempt.token);
    if (jobs == live.end()) continue;
    for (const SlurmJob* job : jobs->second) {
      const auto duplicate = attempt.duplicates.find(job->id);
      const bool unwanted = duplicate != attempt.duplicates.end() && job->id != attempt.job;
      if (!unwanted || job->state.completing) continue;
      if (now < duplicate->second + policy.request_timeout) continue;  // asked for just now
      actions.emplace_back(Cancel{name, job->id, attempt.token, CancelCause::Duplicate, {}});
    }
  }
  return actions;
}

Decision decide(const SpecName& name, const SpecHistory& entry, const LiveJobs& live,
                const Policy& policy, TimePoint now) {
  if (entry.newest() == nullptr) return start_or_rest(name, entry);
  const Attempt& current = *entry.newest();
  for (const auto& attempt : entry.attempts) {
    if (attempt.run != current.run && is_open(attempt)) {
      return wait_for_earlier(name, entry, attempt, live);
    }
  }
  if (has_live_job(current)) {
    Decision decision = follow_job(name, entry, current, live);
    cancel_twins(name, entry, current, live, decision);
    return decision;
  }
  return is_open(current) ? await_intent(name, entry, policy, now) : start_or_rest(name, entry);
}

}  // namespace sconverge
