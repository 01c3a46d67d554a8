#include "controller/core/status.h"

#include <cstdlib>

namespace sconverge {

std::string_view to_text(Phase phase) {
  switch (phase) {
    case Phase::Invalid:
      return "Invalid";
    case Phase::Waiting:
      return "Waiting";
    case Phase::Suspended:
      return "Suspended";
    case Phase::Submitting:
      return "Submitting";
    case Phase::Pending:
      return "Pending";
    case Phase::Running:
      return "Running";
    case Phase::Completing:
      return "Completing";
    case Phase::Succeeded:
      return "Succeeded";
    case Phase::Failed:
      return "Failed";
    case Phase::Cancelled:
      return "Cancelled";
    case Phase::Retrying:
      return "Retrying";
    case Phase::Lost:
      return "Lost";
    case Phase::Blocked:
      return "Blocked";
  }
  std::abort();
}

std::string_view to_text(Reason reason) {
  switch (reason) {
    case Reason::ParseError:
      return "ParseError";
    case Reason::NotSubmitted:
      return "NotSubmitted";
    case Reason::SlurmUnavailable:
      return "SlurmUnavailable";
    case Reason::CredentialsDenied:
      return "CredentialsDenied";
    case Reason::SubmitDeferred:
      return "SubmitDeferred";
    case Reason::SuspendRequested:
      return "SuspendRequested";
    case Reason::SubmitSent:
      return "SubmitSent";
    case Reason::SubmitUncertain:
      return "SubmitUncertain";
    case Reason::Queued:
      return "Queued";
    case Reason::Held:
      return "Held";
    case Reason::JobRunning:
      return "JobRunning";
    case Reason::ChangeQueued:
      return "ChangeQueued";
    case Reason::Replacing:
      return "Replacing";
    case Reason::Removing:
      return "Removing";
    case Reason::JobSuspended:
      return "JobSuspended";
    case Reason::JobCompleting:
      return "JobCompleting";
    case Reason::Completed:
      return "Completed";
    case Reason::NonZeroExitCode:
      return "NonZeroExitCode";
    case Reason::RaisedSignal:
      return "RaisedSignal";
    case Reason::TimeLimit:
      return "TimeLimit";
    case Reason::OutOfMemory:
      return "OutOfMemory";
    case Reason::NodeFail:
      return "NodeFail";
    case Reason::Preempted:
      return "Preempted";
    case Reason::BootFail:
      return "BootFail";
    case Reason::Deadline:
      return "Deadline";
    case Reason::SubmitRejected:
      return "SubmitRejected";
    case Reason::ExternalCancel:
      return "ExternalCancel";
    case Reason::Superseded:
      return "Superseded";
    case Reason::Removed:
      return "Removed";
    case Reason::DuplicateCancelled:
      return "DuplicateCancelled";
    case Reason::AwaitingAccounting:
      return "AwaitingAccounting";
    case Reason::OutcomeUnknown:
      return "OutcomeUnknown";
    case Reason::RemovalGrace:
      return "RemovalGrace";
    case Reason::SourceIncomplete:
      return "SourceIncomplete";
    case Reason::SourceUnidentified:
      return "SourceUnidentified";
    case Reason::NotOurMark:
      return "NotOurMark";
    case Reason::Protected:
      return "Protected";
    case Reason::PruneBudget:
      return "PruneBudget";
    case Reason::JobsVanished:
      return "JobsVanished";
  }
  std::abort();
}

const std::vector<Reason>& all_reasons() {
  static const std::vector<Reason> reasons{Reason::ParseError,
                                           Reason::NotSubmitted,
                                           Reason::SlurmUnavailable,
                                           Reason::CredentialsDenied,
                                           Reason::SubmitDeferred,
                                           Reason::SuspendRequested,
                                           Reason::SubmitSent,
                                           Reason::SubmitUncertain,
                                           Reason::Queued,
                                           Reason::Held,
                                           Reason::JobRunning,
                                           Reason::ChangeQueued,
                                           Reason::Replacing,
                                           Reason::Removing,
                                           Reason::JobSuspended,
                                           Reason::JobCompleting,
                                           Reason::Completed,
                                           Reason::NonZeroExitCode,
                                           Reason::RaisedSignal,
                                           Reason::TimeLimit,
                                           Reason::OutOfMemory,
                                           Reason::NodeFail,
                                           Reason::Preempted,
                                           Reason::BootFail,
                                           Reason::Deadline,
                                           Reason::SubmitRejected,
                                           Reason::ExternalCancel,
                                           Reason::Superseded,
                                           Reason::Removed,
                                           Reason::DuplicateCancelled,
                                           Reason::AwaitingAccounting,
                                           Reason::OutcomeUnknown,
                                           Reason::RemovalGrace,
                                           Reason::SourceIncomplete,
                                           Reason::SourceUnidentified,
                                           Reason::NotOurMark,
                                           Reason::Protected,
                                           Reason::PruneBudget,
                                           Reason::JobsVanished};
  return reasons;
}

}  // namespace sconverge
