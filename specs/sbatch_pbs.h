#pragma once

#include <span>

#include "specs/sbatch_lines.h"
#include "specs/sbatch_translation.h"

namespace sconverge {

/// Translates `#PBS` lines as sbatch of Slurm 24.11 does. Refuses an option that it refuses. Notes
/// those it ignores, and values that PBS understands otherwise.
void translate_pbs(std::span<const Directive> lines, Translation& translation,
                   SbatchFindings& findings);

}  // namespace sconverge
