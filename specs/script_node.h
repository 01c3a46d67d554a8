#pragma once

#include <optional>
#include <string>

#include "specs/script.h"
#include "specs/walk.h"

namespace sconverge {

/// Where a spec's script stands: makes of a place in the script one in the spec file.
struct ScriptPlace {
  const DocumentNode* node{nullptr};  ///< the text itself, or the name of its file
  std::string field{};                ///< e.g. "spec.script"
  std::string file_name{};            ///< of a `scriptFile`, as the spec names it; else empty
};

/// The script's problem as one of the spec file. Without a place of its own there (a script in
/// quotes, or in another file), the place of `node` and the line within the script in the text.
Problem problem_at(const ScriptPlace& place, ScriptProblem problem);

/// The text of a script that stands in a spec file; reports what is no text.
std::optional<std::string> read_inline_script(const DocumentNode& node, const Place& place,
                                              ProblemSink& problems);

}  // namespace sconverge
