#pragma once

#include <map>
#include <optional>
#include <vector>

#include "controller/core/observation.h"
#include "controller/core/state_list.h"
#include "controller/core/time.h"

namespace sconverge {

/// What Slurm has last shown of its jobs: all of those that carry a mark, of the others only that
/// they do not. With it a list of bare states says which jobs must be read anew. Pure; one thread.
class JobMemory {
 public:
  /// A list of all jobs: their marked records, and the ids of all.
  void take_list(std::vector<JobRecord> marked, std::vector<JobId> ids, TimePoint at);

  /// Takes a list of states: forgets the records that it lacks, and returns the jobs (an array by
  /// its own id) that are to be read before `records` shows what it should: those whose state is
  /// another, those of `scope.known` that are not known here and, if `scope.new_jobs`, any that
  /// came since the list before. Each once. Otherwise those that came are `newcomers`.
  std::vector<JobId> take_states(const std::vector<RecordState>& states, const ObserveScope& scope);

  /// Up to `most` ids of the last list of states of which nothing is known yet, in order.
  [[nodiscard]] std::vector<JobId> newcomers(std::size_t most) const;

  /// All records that a read of `job` gave, none if Slurm has no such job; after `take_states`.
  void take_read(JobId job, const std::vector<JobRecord>& records, TimePoint at);

  /// Up to `most` jobs that wait for their start, those first whose last read is longest ago, and
  /// none that was read after `before`: why a job waits changes while its state does not.
  [[nodiscard]] std::vector<JobId> stalest_waiting(TimePoint before, std::size_t most) const;

  /// A job that was just accepted, as far as we know it: to be read when its state changes, or when
  /// it is the stalest of those that wait.
  void expect(const JobRecord& record);

  /// The job's records are to be read anew: somebody may have changed more than its state.
  void doubt(JobId job);

  /// All marked records, by id.
  [[nodiscard]] std::vector<JobRecord> records() const;

 private:
  struct Known {
    JobRecord record{};
    /// Of the list that `record` is known to agree with; none: with none.
    std::optional<StateSignature> signature{};
    TimePoint read{};
  };

  [[nodiscard]] bool is_stranger(JobId id) const;

  std::map<JobId, Known> marked_{};
  std::vector<JobId> newcomers_{};
  std::vector<JobId> strangers_{};            ///< without a mark; sorted
  std::map<JobId, StateSignature> listed_{};  ///< by the last list, of records to be read
};

}  // namespace sconverge
