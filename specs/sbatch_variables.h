#pragma once

#include "specs/sbatch_counts.h"
#include "specs/sbatch_reading.h"

namespace sconverge {

/// Writes the request's environment: what --export asks for, and over it what sbatch adds of its
/// own for the batch step. Facts: Slurm 24.11, opt.c (set_envs), env.c (set_env_from_opts).
///
/// REQUIRES: count_nodes_and_tasks, so that hints and bindings are in the settings.
void write_environment(SbatchReading& reading, const SbatchCounts& counts);

}  // namespace sconverge
