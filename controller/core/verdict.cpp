#include "controller/core/verdict.h"

#include <cstdlib>

namespace sconverge {
namespace {

std::string job_text(const Attempt& attempt) { return "job " + to_text(*attempt.job); }

std::string because(const Attempt& attempt) {
  return attempt.reason.empty() ? "" : " (" + attempt.reason + ")";
}

Verdict pending(const Attempt& attempt) {
  const std::string job = job_text(attempt);
  if (attempt.our_hold == OurHold::Seen || attempt.our_hold == OurHold::Requested) {
    return {Phase::Suspended, Reason::SuspendRequested, job + " is held as the spec says suspend"};
  }
  if (attempt.held) {
    return {Phase::Pending, Reason::Held,
            job + " is held" + because(attempt) + "; it is left so until somebody releases it"};
  }
  const std::string wait =
      attempt.reason.empty() ? "" : "; Slurm gives the reason " + attempt.reason;
  return {Phase::Pending, Reason::Queued, job + " is waiting in the queue" + wait};
}

Reason reason_of_failure(const Outcome& outcome) {
  const auto has = [&](std::string_view word) { return outcome.state.starts_with(word); };
  if (has("TIMEOUT")) return Reason::TimeLimit;
  if (has("NODE_FAIL")) return Reason::NodeFail;
  if (has("PREEMPTED")) return Reason::Preempted;
  if (has("BOOT_FAIL")) return Reason::BootFail;
  if (has("DEADLINE")) return Reason::Deadline;
  if (has("OUT_OF_MEMORY")) return Reason::OutOfMemory;
  if (outcome.signal.value_or(0) != 0) return Reason::RaisedSignal;
  return Reason::NonZeroExitCode;
}

Verdict failed(const std::string& job, const Outcome& outcome) {
  const Reason reason = reason_of_failure(outcome);
  std::string how = " ended " + outcome.state;
  if (outcome.signal.value_or(0) != 0) {
    how += " by signal " + std::to_string(*outcome.signal);
  } else if (outcome.exit_code) {
    how += " with exit code " + std::to_string(*outcome.exit_code);
  }
  return {Phase::Failed, reason, job + how};
}

Verdict cancelled(const Attempt& attempt, const std::string& job) {
  if (!attempt.cancel) {
    const std::string& who = attempt.outcome->message;
    return {Phase::Cancelled, Reason::ExternalCancel,
            job + " was " + (who.empty() ? "cancelled by somebody else" : who) +
                "; it runs again when the spec changes or on request (sconverge rerun)"};
  }
  switch (attempt.cancel->cause) {
    case CancelCause::Removed:
      return {Phase::Cancelled, Reason::Removed, job + " was cancelled as its spec was removed"};
    case CancelCause::Superseded:
      return {Phase::Cancelled, Reason::Superseded, job + " was cancelled for a newer generation"};
    case CancelCause::Duplicate:
      return {Phase::Cancelled, Reason::DuplicateCancelled, job + " was a second job of one run"};
  }
  std::abort();
}

Verdict verdict_of_live_job(const Attempt& attempt) {
  const std::string job = job_text(attempt);
  if (attempt.accounting_unanswered) {
    return {Phase::Lost, Reason::AwaitingAccounting,
            job + " has left Slurm, and accounting cannot be asked how it ended; not run again"};
  }
  if (attempt.state.final()) {
    return {Phase::Completing, Reason::JobCompleting,
            job + " has ended; accounting is asked how its tasks " +
                to_text(missing_tasks(attempt), 60) + " did"};
  }
  if (attempt.cancel) {
    const bool removing = attempt.cancel->cause == CancelCause::Removed;
    const Phase phase = attempt.state.base == BaseState::Pending ? Phase::Pending
                        : attempt.state.completing               ? Phase::Completing
                                                                 : Phase::Running;
    return {phase, removing ? Reason::Removing : Reason::Replacing,
            job + (removing ? " is being cancelled as its spec was removed"
                            : " is being cancelled to make room for a newer generation")};
  }
  if (attempt.state.completing) {
    return {Phase::Completing, Reason::JobCompleting, job + " is completing"};
  }
  switch (attempt.state.base) {
    case BaseState::Pending:
      return pending(attempt);
    case BaseState::Suspended:
      return {Phase::Running, Reason::JobSuspended, job + " is suspended by Slurm"};
    case BaseState::Running:
      return {Phase::Running, Reason::JobRunning, job + " is running"};
    case BaseState::Completed:
    case BaseState::Cancelled:
    case BaseState::Failed:
    case BaseState::Timeout:
    case BaseState::NodeFail:
    case BaseState::Preempted:
    case BaseState::BootFail:
    case BaseState::Deadline:
    case BaseState::OutOfMemory:
    case BaseState::Other:
      return {Phase::Running, Reason::JobRunning, job + " is " + attempt.state.words};
  }
  std::abort();
}

Verdict verdict_of_ended_job(const Attempt& attempt) {
  const Outcome& outcome = *attempt.outcome;
  const std::string job = attempt.job ? job_text(attempt) : "the submit";
  switch (outcome.kind) {
    case OutcomeKind::Succeeded:
      return {Phase::Succeeded, Reason::Completed, job + " completed"};
    case OutcomeKind::Failed:
      return failed(job, outcome);
    case OutcomeKind::Cancelled:
      return cancelled(attempt, job);
    case OutcomeKind::Rejected:
      return {Phase::Failed, Reason::SubmitRejected,
              "Slurm refuses this spec until it changes: " + outcome.message};
    case OutcomeKind::Abandoned:
      return {Phase::Waiting, Reason::NotSubmitted, "not submitted yet"};
    case OutcomeKind::Lost:
      return {Phase::Lost, Reason::OutcomeUnknown,
              job +
                  " is gone and nobody knows how it ended; not run again before the spec changes "
                  "or on request (sconverge rerun)"};
  }
  std::abort();
}

Verdict with_tasks(Verdict verdict, const Attempt& attempt) {
  const std::string tasks = to_text(summary_of(attempt.tasks, declared_tasks(attempt)));
  if (!tasks.empty()) verdict.message += "; " + tasks;
  return verdict;
}

}  // namespace

TaskSummary summary_of(const Attempt& attempt) {
  return summary_of(attempt.tasks, declared_tasks(attempt));
}

Verdict verdict_of_live(const Attempt& attempt) {
  return with_tasks(verdict_of_live_job(attempt), attempt);
}

Verdict verdict_of_outcome(const Attempt& attempt) {
  return with_tasks(verdict_of_ended_job(attempt), attempt);
}
Verdict verdict_of_intent(const Attempt& attempt) {
  if (attempt.in_doubt) {
    if (attempt.accounting_unanswered) {
      return {
          Phase::Submitting, Reason::SubmitUncertain,
          "a submit was not answered, and accounting cannot tell whether it arrived; it is sent "
          "again once that is certain, or on request (sconverge rerun)"};
    }
    if (!attempt.send_error.empty()) {
      return {Phase::Submitting, Reason::SubmitUncertain,
              "looking for the job of a submit that was not answered: " + attempt.send_error};
    }
    return {Phase::Submitting, Reason::SubmitSent, "being submitted; looking for its job"};
  }
  if (attempt.send_error.empty()) {
    return {Phase::Submitting, Reason::SubmitSent, "the submit never arrived; sending it again"};
  }
  return {Phase::Waiting, Reason::SubmitDeferred,
          "Slurm did not take the job yet; tried again soon: " + attempt.send_error};
}

}  // namespace sconverge
