#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "specs/sbatch_text.h"

namespace sconverge {

// How sbatch reads where tasks and memory go. Facts: Slurm 24.11, proc_args.c, tres_bind.c,
// slurm_resource_info.c. Every function is total and linear.

/// --distribution: {*|block|cyclic|arbitrary}[:{*|block|cyclic|fcyclic}[:...]][,{pack|nopack}],
/// plane=SIZE, or pack or nopack alone.
struct SbatchDistribution {
  std::string base{};  ///< e.g. `block:cyclic`, `plane`, `arbitrary`; empty: the cluster's default
  std::string flag{};  ///< `pack`, `nopack` or empty
  std::int64_t plane_size{0};
};
SbatchValue<SbatchDistribution> sbatch_distribution(std::string_view text);

/// The value of the field `distribution`; empty if there is none.
std::string rest_distribution(const SbatchDistribution& distribution);

/// The value of the variable SLURM_DISTRIBUTION; empty if sbatch sets none.
std::string environment_distribution(const SbatchDistribution& distribution);

/// --mem-bind. Words add up over the options of a script.
struct SbatchMemoryBinding {
  std::string type{};  ///< `NONE RANK MAP MASK LOCAL` or empty
  std::string map{};   ///< of MAP and MASK: the numbers, written out
  bool verbose{false};
  bool sort{false};
  bool prefer{false};
};
SbatchValue<SbatchMemoryBinding> sbatch_memory_binding(std::string_view text,
                                                       SbatchMemoryBinding before);

/// The words of the field `memory_binding_type`.
std::vector<std::string> rest_memory_binding_type(const SbatchMemoryBinding& binding);

/// The value of the variable SLURM_MEM_BIND; empty if sbatch sets none.
std::string environment_memory_binding(const SbatchMemoryBinding& binding);

/// --tres-bind (and --gpu-bind behind `gres/gpu:`): what is wrong with it, if anything.
std::optional<std::string> wrong_tres_bind(std::string_view text);

}  // namespace sconverge
