#pragma once

#include <cstddef>
#include <vector>

#include "specs/script.h"

namespace sconverge {

constexpr std::size_t kMaxFindings = 100;

/// What turns up while the directives of a script are read. Of each kind the first kMaxFindings are
/// kept, so that a script of nothing but mistakes cannot fill the memory; text that is not UTF-8 is
/// told with `?` for the bytes that are not ASCII.
struct SbatchFindings {
  std::vector<ScriptProblem> problems{};  ///< what sbatch refuses
  std::vector<ScriptProblem> notes{};     ///< what it takes, and hardly is meant

  void refuse(ScriptProblem problem);
  void note(ScriptProblem note);
};

}  // namespace sconverge
