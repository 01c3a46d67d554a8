#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controller/core/mark.h"
#include "controller/core/time.h"

namespace sconverge {

/// Slurm's job id. Not unique over time: it wraps, and restarts with a lost state directory; a job
/// is known by its mark's token, never by its id alone.
struct JobId {
  std::uint32_t value{0};
  friend auto operator<=>(const JobId&, const JobId&) = default;
};

std::string to_text(JobId id);

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

/// One job as slurmctld or accounting shows it.
struct SlurmJob {
  JobId id;
  std::string name{};
  std::string user{};
  std::string comment{};
  std::optional<Mark> mark{};  ///< read from `comment`
  JobState state{};
  std::string reason{};  ///< Slurm's pending or failure reason; empty for "None"
  bool held{false};      ///< PENDING with a priority of 0
  std::optional<TimePoint> submitted{};
  std::optional<TimePoint> started{};
  std::optional<TimePoint> ended{};
  std::optional<int> exit_code{};
  std::optional<int> signal{};
  int restarts{0};
  std::string cancelled_by{};  ///< who killed it, where accounting knows

  friend bool operator==(const SlurmJob&, const SlurmJob&) = default;
};

}  // namespace sconverge
