#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controller/core/array_tasks.h"
#include "controller/core/slurm_job.h"
#include "controller/core/time.h"
#include "specs/job_spec.h"

namespace sconverge {

/// Where a spec stands. Closed set; metric label values and `get` columns come from here.
enum class Phase {
  Invalid,
  Waiting,
  Suspended,
  Submitting,
  Pending,
  Running,
  Completing,
  Succeeded,
  Failed,
  Cancelled,
  Retrying,
  Lost,
  Blocked,
};
inline constexpr int kPhaseCount = 13;

/// Why it stands there, one CamelCase word. Closed set.
enum class Reason {
  ParseError,          ///< Invalid: its file has a problem
  NotSubmitted,        ///< Waiting: not submitted yet
  SlurmUnavailable,    ///< Waiting: Slurm cannot be reached, or turned the submit away for now
  CredentialsDenied,   ///< Waiting: Slurm refused our credentials
  SubmitDeferred,      ///< Waiting: a limit of Slurm turned the submit away; it is tried again
  SuspendRequested,    ///< Suspended
  SubmitSent,          ///< Submitting
  SubmitUncertain,     ///< Submitting: the answer was lost; being looked up
  Queued,              ///< Pending
  Held,                ///< Pending: held by a person or by Slurm
  JobRunning,          ///< Running
  ChangeQueued,        ///< Running: the new generation runs after this job
  Replacing,           ///< Pending, Running, Completing: cancelled by us to make room
  Removing,            ///< Pending, Running, Completing: cancelled by us as its spec is gone
  JobSuspended,        ///< Running: suspended by Slurm or an administrator
  JobCompleting,       ///< Completing
  Completed,           ///< Succeeded
  NonZeroExitCode,     ///< Failed
  RaisedSignal,        ///< Failed
  TimeLimit,           ///< Failed
  OutOfMemory,         ///< Failed
  NodeFail,            ///< Failed
  Preempted,           ///< Failed
  BootFail,            ///< Failed
  Deadline,            ///< Failed
  SubmitRejected,      ///< Failed: Slurm refuses this spec until it changes
  ExternalCancel,      ///< Cancelled by somebody else
  Superseded,          ///< Cancelled by us; a newer generation is wanted
  Removed,             ///< Cancelled by us; the spec was removed
  DuplicateCancelled,  ///< Cancelled by us; a second job of one run
  AwaitingAccounting,  ///< Lost: accounting cannot be asked at present
  OutcomeUnknown,      ///< Lost: nobody knows how it ended
  RemovalGrace,      ///< Pending, Running: its spec is gone; not cancelled before the grace is over
  SourceIncomplete,  ///< Blocked: the directory cannot be read whole
  SourceUnidentified,  ///< Blocked: a refused file may declare it
  NotOurMark,          ///< Blocked: somebody rewrote the comment of its job
  Protected,           ///< Blocked
  PruneBudget,         ///< Blocked
  JobsVanished,        ///< Blocked: too many jobs vanished at once
};

std::string_view to_text(Phase phase);
std::string_view to_text(Reason reason);
/// Every reason, in order; for tests and catalogues.
const std::vector<Reason>& all_reasons();

/// What `plan` says about one spec.
struct Verdict {
  Phase phase{Phase::Waiting};
  Reason reason{Reason::NotSubmitted};
  std::string message{};  ///< one plain sentence, Slurm's own reason included

  friend bool operator==(const Verdict&, const Verdict&) = default;
};

/// A verdict with what people want to see beside it; one row of `sconverge get`.
struct SpecStatus {
  SpecName name;
  Verdict verdict{};
  std::optional<JobId> job{};
  int run{0};
  int attempt{0};
  Generation generation{};
  std::string file{};
  std::optional<int> exit_code{};
  std::optional<TaskSummary> tasks{};  ///< of a job array
  TimePoint accepted_at{};
  TimePoint since{};    ///< when phase or reason last changed
  bool removed{false};  ///< no longer declared; shown until its end is seen
  /// Of the job that Slurm has and whose end was not seen yet; empty if there is none. `generation`
  /// is the one wanted.
  Generation live_generation{};
  std::optional<TimePoint> succeeded_at{};  ///< when a job of it last ended in success

  friend bool operator==(const SpecStatus&, const SpecStatus&) = default;
};

}  // namespace sconverge
