#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "controller/core/array_tasks.h"
#include "controller/core/job_state.h"
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

  std::vector<TaskGroup> tasks{};  ///< of a job array; empty for any other job
  int records{1};                  ///< of Slurm's that this job is joined from

  /// It waits, and no task of it has ever begun.
  [[nodiscard]] bool untouched() const;

  friend bool operator==(const SlurmJob&, const SlurmJob&) = default;
};

}  // namespace sconverge
