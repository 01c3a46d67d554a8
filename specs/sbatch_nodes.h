#pragma once

#include <cstdint>

#include "specs/sbatch_text.h"

namespace sconverge {

// How sbatch reads node counts and the layout of a node. Facts: Slurm 24.11, proc_args.c and
// bitstring.c, tried with sbatch. Every function is total and linear.

/// --nodes.
struct SbatchNodes {
  std::int64_t least{1};
  std::int64_t most{0};  ///< 0: not given (never from sbatch_nodes)
  std::string list{};    ///< the sizes allowed, e.g. `1,2,4-5`, where they are given as a list
};

/// N, MIN-MAX, with k or m for 1024 and 1048576; a list of sizes, `1,2,4-6`; sizes by step,
/// `1-15:4`. Zero nodes are refused: they are for jobs that only use a burst buffer.
SbatchValue<SbatchNodes> sbatch_nodes(std::string_view text);

/// Those of a list of sizes (SbatchNodes::list) that are not above `most`; empty: none.
std::string sbatch_sizes_up_to(std::string_view list, std::int64_t most);

/// -B, --extra-node-info: SOCKETS[:CORES[:THREADS]], each a number or MIN-MAX, of which sbatch
/// uses the first, or `*`.
struct SbatchLayout {
  std::optional<std::int64_t> sockets{};
  std::optional<std::int64_t> cores{};
  std::optional<std::int64_t> threads{};
};
SbatchValue<SbatchLayout> sbatch_layout(std::string_view text);

}  // namespace sconverge
