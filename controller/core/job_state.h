#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sconverge {

/// Slurm's base states, and `Other` for a word we do not know (which counts as alive).
enum class BaseState {
  Pending,
  Running,
  Suspended,
  Completed,
  Cancelled,
  Failed,
  Timeout,
  NodeFail,
  Preempted,
  BootFail,
  Deadline,
  OutOfMemory,
  Other,
};

/// "pending", ..., "other"; metric label values.
std::string_view to_text(BaseState state);

/// A job's state as Slurm shows it: one base state and any number of flag words.
struct JobState {
  BaseState base{BaseState::Other};
  bool completing{false};
  bool configuring{false};
  /// A flag that means "not final yet" (REQUEUED, REQUEUE_HOLD, SPECIAL_EXIT, STAGE_OUT, RESIZING,
  /// REQUEUE_FED, EXPEDITING) or a word we do not know.
  bool unsettled{false};
  std::string words{};  ///< as Slurm gave them, joined by "+", e.g. "RUNNING+COMPLETING"

  /// The job has ended for good: base state at or past COMPLETED and no flag that reopens it.
  [[nodiscard]] bool final() const;

  friend bool operator==(const JobState&, const JobState&) = default;
};

/// Reads Slurm's words in any order (["COMPLETED"], ["CANCELLED","COMPLETING"], "PENDING"). Unknown
/// words make the job unsettled. "CANCELLED by 1000" is CANCELLED.
JobState job_state_from(const std::vector<std::string>& words);

}  // namespace sconverge
