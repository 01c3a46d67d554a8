#pragma once

#include <string_view>
#include <vector>

#include "specs/sbatch_findings.h"

namespace sconverge {

/// What stands behind the prefix of a directive.
struct Directive {
  int line{0};              ///< 1-based
  int column{0};            ///< 1-based, of the first byte of `text`
  std::string_view text{};  ///< up to the end of the line or a NUL
};

/// The `#SBATCH` and `#SLURM` lines by component of a heterogeneous job; at least one component.
/// The scan ends at the first line that is neither blank nor a remark; the prefix stands at column
/// 1, in capitals, and needs no blank behind it (Slurm 24.11).
///
/// Refuses a line that begins with `hetjob` or `packjob`. Notes: `#SLURM`, lines that look like a
/// directive and are none, and directives behind the end of the scan.
std::vector<std::vector<Directive>> sbatch_lines(std::string_view script, SbatchFindings& findings);

/// The lines that begin with `prefix` (`#PBS` or `#BSUB`), wherever they stand, until more than 100
/// lines that do not begin with `#` have gone by (Slurm 24.11): commands and here-documents do not
/// end this scan.
///
/// Notes: lines that count though they stand behind the first command, and the first one that does
/// not count because it comes too late.
std::vector<Directive> foreign_lines(std::string_view script, std::string_view prefix,
                                     SbatchFindings& findings);

/// Whether sbatch takes `c` for a blank: isspace() of the C locale, which vertical tab and form
/// feed belong to and U+00A0 does not.
bool is_sbatch_blank(char c);

/// The length of `hetjob` or `packjob` at the start of `text`, in any case and with a blank or the
/// end behind it; else 0.
std::size_t component_word(std::string_view text);

}  // namespace sconverge
