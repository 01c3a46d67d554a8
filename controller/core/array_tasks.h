#pragma once

#include <optional>
#include <string>
#include <vector>

#include "controller/core/job_state.h"
#include "specs/index_set.h"

namespace sconverge {

// A job array in Slurm 24.11: one record for all tasks that have not begun, and one more with a job
// id of its own for each task that has; the last one to begin keeps the array's id. The record of
// an ended task is purged after MinJobAge while others still run. A task that is cancelled by
// itself before it began leaves no record anywhere.

/// Tasks of an array that Slurm shows in one state.
struct TaskGroup {
  IndexSet indexes{};
  /// Slurm cuts a long list of indexes ("1,3,5..."): all tasks that nothing else tells of are
  /// meant.
  bool rest{false};
  JobState state{};
  std::optional<int> exit_code{};
  std::optional<int> signal{};

  friend bool operator==(const TaskGroup&, const TaskGroup&) = default;
};

/// Tasks of an array that ended alike.
struct TaskEnd {
  BaseState base{BaseState::Other};  ///< a final one; Other: nobody knows how they ended
  std::string state{};               ///< Slurm's words, e.g. "OUT_OF_MEMORY"
  std::optional<int> exit_code{};
  std::optional<int> signal{};
  IndexSet indexes{};

  friend bool operator==(const TaskEnd&, const TaskEnd&) = default;
};

/// What is known about the tasks of one array, by index. The sets do not overlap.
struct ArrayTasks {
  IndexSet pending{};
  IndexSet running{};  ///< begun and not ended: suspended and completing ones, too
  std::vector<TaskEnd> ended{};

  [[nodiscard]] bool empty() const { return pending.empty() && running.empty() && ended.empty(); }
  /// No task has begun.
  [[nodiscard]] bool untouched() const { return running.empty() && ended.empty(); }

  [[nodiscard]] IndexSet all() const;
  [[nodiscard]] IndexSet succeeded() const;
  [[nodiscard]] IndexSet failed() const;
  [[nodiscard]] IndexSet cancelled() const;
  [[nodiscard]] IndexSet lost() const;  ///< ended, and nobody knows how

  friend bool operator==(const ArrayTasks&, const ArrayTasks&) = default;
};

/// What is known once Slurm has shown `seen`: the end of a task that it shows no more is kept, a
/// task that it shows is as it shows it. `declared` are all tasks of the array; empty: not known.
ArrayTasks tasks_after(const ArrayTasks& before, const IndexSet& declared,
                       const std::vector<TaskGroup>& seen);

/// `tasks` with those of `indexes` ended that `seen` shows as ended.
ArrayTasks with_ends(const ArrayTasks& tasks, const IndexSet& indexes,
                     const std::vector<TaskGroup>& seen);

/// `tasks` with `indexes`, wherever they stood, ended as `end` says.
ArrayTasks with_end(const ArrayTasks& tasks, const IndexSet& indexes, const TaskEnd& end);

/// Numbers and names for people.
struct TaskSummary {
  int total{0};
  int pending{0};
  int running{0};
  int succeeded{0};
  int failed{0};
  int cancelled{0};
  int lost{0};
  std::string failed_indexes{};  ///< "4,7,10-20:5"; cut with "..." if it is very long

  friend bool operator==(const TaskSummary&, const TaskSummary&) = default;
};

TaskSummary summary_of(const ArrayTasks& tasks, const IndexSet& declared);

/// "3 of 10 tasks running, 5 pending, 2 failed (4,7)".
std::string to_text(const TaskSummary& tasks);

}  // namespace sconverge
