#pragma once

#include "specs/sbatch_translation.h"

namespace sconverge {

/// Translates the resource list of a `#PBS -l` as sbatch of Slurm 24.11 does, e.g.
/// `nodes=2:ppn=4,walltime=1:00:00`. It looks for the resources it knows at every byte, so that the
/// value of one can hide another: some end at a colon, others only at a comma. Lists of more than
/// 4096 bytes are refused. Notes what it ignores and what PBS understands otherwise.
void translate_pbs_resources(const GivenOption& list, Translation& translation);

}  // namespace sconverge
