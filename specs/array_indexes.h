#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "specs/index_set.h"
#include "specs/units.h"

namespace sconverge {

/// The tasks of a job array.
struct ArrayIndexes {
  IndexSet indexes{};
  std::uint32_t throttle{0};  ///< most tasks that run at a time; 0: as many as fit

  friend bool operator==(const ArrayIndexes&, const ArrayIndexes&) = default;
};

/// The highest index any cluster can be configured for. Slurm: MaxArraySize is at most 4000001 and
/// an index is less; what a cluster really takes (1000 if nobody raised it) only it can say.
constexpr std::uint32_t kMaxArrayIndex = 4000000;

/// The most bytes Slurm takes of an array's text (Slurm 24.11).
constexpr std::size_t kMaxArrayText = 4096;

/// Reads `1,3,7`, `0-9`, `0-30:10` and mixtures, with or without brackets, with or without `%N`
/// behind it (the throttle), and gives it in canonical form: sorted and merged, so that order,
/// blanks, duplicates and brackets make no difference. It is text that sbatch takes for the same
/// array, and never longer than what it was made of.
///
/// Linear in the text and in the largest index; at most 4,000,001 indexes are counted one by one,
/// however often steps name them.
Converted array_indexes_from(std::string_view text);

/// The same as `sbatch --array` and slurmctld 24.11 read it, who take more: empty parts, signs, a
/// number that is not there (it is 0), a `%` behind any part, and for a throttle that is no number,
/// none.
Converted sbatch_array_from(std::string_view text);

/// What canonical text says; nothing if `canonical` is not the array of a spec.
std::optional<ArrayIndexes> read_array(std::string_view canonical);

/// Canonical text of an array.
std::string to_text(const ArrayIndexes& array);

}  // namespace sconverge
