#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "specs/problem.h"

namespace sconverge {

/// A problem of a script, with the line in the script (1-based; 0: the script as a whole).
struct ScriptProblem {
  int line{0};
  std::string what{};
  std::string remedy{};
  ProblemKind kind{ProblemKind::Schema};
};

/// Everything that sbatch would refuse in a batch script, and each `#SBATCH` line: slurmrestd does
/// not read these, so that a job would silently run without them.
std::vector<ScriptProblem> check_script(std::string_view script);

}  // namespace sconverge
