#pragma once

#include <cstdint>

#include "specs/sbatch_reading.h"

namespace sconverge {

/// Nodes and tasks as sbatch counts them, before it looks at generic resources.
struct SbatchCounts {
  SbatchNodes nodes{};    ///< one node where none are asked for
  bool nodes_set{false};  ///< whether any are, by --nodes or --nodelist
  std::int64_t tasks{1};
  bool tasks_set{false};  ///< whether they are asked for, or follow from the layout of a node

  /// Whether the number of nodes is one number.
  [[nodiscard]] bool is_fixed() const { return nodes.most == 0 || nodes.least == nodes.most; }
};

/// Applies --hint, counts the nodes of --nodelist and the tasks of --nodes and -B, and asks for no
/// more nodes than tasks, with a note (`-N 4 -n 2` asks for two nodes). Completes the settings
/// with what --hint and --cpus-per-task say about cores and nodes. Facts: Slurm 24.11, opt.c
/// (_opt_verify), proc_args.c (verify_hint).
SbatchCounts count_nodes_and_tasks(SbatchReading& reading);

}  // namespace sconverge
