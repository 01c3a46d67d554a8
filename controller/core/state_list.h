#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "controller/core/job_record.h"

namespace sconverge {

/// Stands for the state of one record, and of an array's record for those of the tasks that it is
/// of. Equal states have equal signatures; that different ones have, too, is as good as impossible.
using StateSignature = std::uint64_t;

/// nullopt: Slurm cut the list of the record's tasks, so nobody can say.
std::optional<StateSignature> signature_of(const JobRecord& record);

/// The state of one of Slurm's records, as its list of states shows it.
struct RecordState {
  JobId record{};
  StateSignature signature{0};

  friend bool operator==(const RecordState&, const RecordState&) = default;
};

/// Slurm's list of the states of all its jobs (`jobs/state/`: 80 bytes a job, where the list of
/// jobs has 8 KB), without names and marks: it tells which jobs there are and which have changed,
/// and nothing else. It has a row for each task of an array; here those of a record are one.
class StateList {
 public:
  /// One row, as `job_record_in` reads it.
  void add(const JobRecord& row);

  /// By id, each once. To be called when all rows were added.
  const std::vector<RecordState>& records();

 private:
  std::vector<RecordState> records_{};
  bool in_order_{true};
};

}  // namespace sconverge
