#pragma once

#include "specs/sbatch_reading.h"

namespace sconverge {

/// What sbatch refuses between options, before it derives sizes; all of it is reported. Completes
/// the settings with what these options say about each other: --gpus-per-task and --cpus-per-task
/// are part of --tres-per-task, and the other way round. Facts: Slurm 24.11, slurm_opt.c
/// (validate_options_salloc_sbatch_srun), opt.c (_opt_verify). What needs no knowledge of the
/// cluster and the controller refuses in any case is refused, too (job_mgr.c, job_scheduler.c).
void check_between_options(SbatchReading& reading);

}  // namespace sconverge
