#pragma once

#include "specs/sbatch_counts.h"
#include "specs/sbatch_reading.h"

namespace sconverge {

/// Turns settings and counts into fields: tasks, nodes, CPUs, memory and generic resources as
/// sbatch derives them from each other before it asks Slurm (GPUs for each task make tasks, ...).
/// Where Slurm's controller would find another number of CPUs than sbatch sends, that is set, too.
///
/// REQUIRES: check_between_options. Facts: Slurm 24.11, slurm_opt.c (slurm_opt_create_job_desc),
/// job_mgr.c (the defaults of the controller).
void derive_shape(SbatchReading& reading, const SbatchCounts& counts);

}  // namespace sconverge
