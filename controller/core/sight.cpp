#include "controller/core/sight.h"

#include <cstdlib>

namespace sconverge {
namespace {

OutcomeKind kind_of(BaseState base) {
  switch (base) {
    case BaseState::Completed:
      return OutcomeKind::Succeeded;
    case BaseState::Cancelled:
      return OutcomeKind::Cancelled;
    case BaseState::Failed:
    case BaseState::Timeout:
    case BaseState::NodeFail:
    case BaseState::Preempted:
    case BaseState::BootFail:
    case BaseState::Deadline:
    case BaseState::OutOfMemory:
      return OutcomeKind::Failed;
    case BaseState::Pending:
    case BaseState::Running:
    case BaseState::Suspended:
    case BaseState::Other:
      break;
  }
  std::abort();
}

OurHold hold_after(OurHold before, const SlurmJob& job) {
  if (job.state.base != BaseState::Pending) return OurHold::None;
  if (job.held) return before == OurHold::Requested ? OurHold::Seen : before;
  return before == OurHold::Seen ? OurHold::Overruled : before;
}

bool is_ending(const JobState& state) {
  return state.completing || state.base == BaseState::Cancelled || state.final();
}

}  // namespace

Outcome outcome_of(const SlurmJob& job) {
  Outcome outcome;
  outcome.kind = kind_of(job.state.base);
  outcome.state = job.state.words;
  outcome.exit_code = job.exit_code;
  outcome.signal = job.signal;
  outcome.ended = job.ended;
  if (outcome.kind == OutcomeKind::Cancelled && !job.cancelled_by.empty()) {
    outcome.message = "cancelled by " + job.cancelled_by;
  }
  return outcome;
}

void see(Attempt& attempt, const SlurmJob& job, TimePoint observed_at) {
  attempt.job = job.id;
  attempt.in_doubt = false;
  attempt.refusals = 0;
  attempt.not_before.reset();
  attempt.send_error.clear();
  attempt.submitted = job.submitted;
  attempt.started = job.started;
  attempt.state = job.state;
  attempt.reason = job.reason;
  attempt.our_hold = hold_after(attempt.our_hold, job);
  attempt.held = job.held;
  attempt.restarts = job.restarts;
  attempt.unseen = 0;
  attempt.unseen_since.reset();
  attempt.accounting_unanswered = false;
  if (attempt.cancel && !is_ending(job.state) && observed_at > attempt.cancel->effective_by) {
    attempt.cancel.reset();
  }
}

}  // namespace sconverge
