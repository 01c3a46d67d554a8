#pragma once

#include <optional>

#include "specs/walk.h"

namespace sconverge {

/// A number as the Slurm REST API writes it: {set: true, infinite: false, number: 120}.
struct NumberStruct {
  bool infinite{false};
  const DocumentNode* number{nullptr};  ///< null: none, and if not infinite nothing is asked for
};

/// Reads a map of that kind; what is wrong with it is reported. A `number` without `set: true` is
/// wrong, because slurmrestd leaves it out without a word (Slurm 24.11).
/// REQUIRES: `node` is a map.
std::optional<NumberStruct> read_number_struct(const DocumentNode& node, const Place& place,
                                               ProblemSink& problems);

}  // namespace sconverge
