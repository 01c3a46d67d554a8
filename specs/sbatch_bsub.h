#pragma once

#include <span>

#include "specs/sbatch_lines.h"
#include "specs/sbatch_translation.h"

namespace sconverge {

/// Translates `#BSUB` lines (of LSF) as sbatch of Slurm 24.11 does, which knows ten options of it
/// and refuses a script with any other. Notes values that LSF understands otherwise.
void translate_bsub(std::span<const Directive> lines, Translation& translation,
                    SbatchFindings& findings);

}  // namespace sconverge
