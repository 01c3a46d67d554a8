#include "controller/core/sight.h"

#include <algorithm>
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
      return OutcomeKind::Lost;  // no end: of a task, that nobody knows it
  }
  std::abort();
}

/// Of several ways in which tasks ended, the one that speaks for the array.
int gravity_of(BaseState base) {
  switch (kind_of(base)) {
    case OutcomeKind::Succeeded:
      return 0;
    case OutcomeKind::Cancelled:
      return 1;
    case OutcomeKind::Lost:
      return 2;
    case OutcomeKind::Failed:
      return 3;
    case OutcomeKind::Rejected:
    case OutcomeKind::Abandoned:
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

std::optional<TimePoint> earlier_of(std::optional<TimePoint> a, std::optional<TimePoint> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

/// What is left of an array's records once Slurm has purged some is no news about the whole.
void see_array(Attempt& attempt, const SlurmJob& job, const Attempt& before) {
  attempt.tasks = tasks_after(before.tasks, declared_tasks(before), job.tasks);
  if (before.job != job.id) return;
  attempt.submitted = earlier_of(before.submitted, job.submitted);
  attempt.started = earlier_of(before.started, job.started);
  if (before.state.final() && job.state.final()) {
    attempt.state = before.state;
    attempt.reason = before.reason;
  }
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

Outcome outcome_of(const SlurmJob& job, const ArrayTasks& tasks) {
  Outcome outcome = outcome_of(job);
  if (tasks.empty()) return outcome;
  const TaskEnd* worst = nullptr;
  for (const TaskEnd& end : tasks.ended) {
    if (worst == nullptr || gravity_of(end.base) > gravity_of(worst->base)) worst = &end;
  }
  if (worst == nullptr || worst->base == job.state.base) return outcome;
  outcome.kind = kind_of(worst->base);
  outcome.state = worst->state;
  outcome.exit_code = worst->exit_code;
  outcome.signal = worst->signal;
  if (outcome.kind != OutcomeKind::Cancelled) outcome.message.clear();
  return outcome;
}

void see(Attempt& attempt, const SlurmJob& job, TimePoint observed_at) {
  std::optional<Attempt> before;
  if (!job.tasks.empty()) before = attempt;
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
  if (before) see_array(attempt, job, *before);
  attempt.unseen = 0;
  attempt.unseen_since.reset();
  attempt.accounting_unanswered = false;
  if (attempt.cancel && !is_ending(job.state) && observed_at > attempt.cancel->effective_by) {
    attempt.cancel.reset();
  }
}

}  // namespace sconverge
