#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "specs/problem.h"

namespace sconverge {

/// A problem of a script, at a line of the script (1-based; 0: the script as a whole).
struct ScriptProblem {
  int line{0};
  int column{0};         ///< 1-based, in bytes; 0: the line as a whole
  std::string option{};  ///< the option of sbatch it concerns, in its long form without dashes
  std::string what{};
  std::string remedy{};
  ProblemKind kind{ProblemKind::Schema};
};

/// Everything that sbatch would refuse in a batch script as a text, whatever its directives say:
/// the size, the first line, NUL, DOS line breaks; and bytes that JSON cannot carry.
std::vector<ScriptProblem> check_script_text(std::string_view script);

}  // namespace sconverge
