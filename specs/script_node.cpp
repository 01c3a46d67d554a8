#include "specs/script_node.h"

#include <utility>

#include "specs/script.h"

namespace sconverge {

std::string read_inline_script(const DocumentNode& node, const Place& place,
                               ProblemSink& problems) {
  if (node.kind != NodeKind::Scalar) {
    report(problems, node, place, "is " + std::string(describe(node)) + ", not text",
           "write `script: |` and the lines below it, indented");
    return "";
  }
  for (ScriptProblem& problem : check_script(node.text)) {
    const bool known_line = node.first_content_line > 0 && problem.line > 0;
    problems.add({.file = "",
                  .line = known_line ? node.first_content_line + problem.line - 1 : node.line,
                  .column = known_line ? 0 : node.column,
                  .field = place.text(),
                  .what = std::move(problem.what),
                  .remedy = std::move(problem.remedy),
                  .kind = problem.kind});
  }
  return node.text;
}

}  // namespace sconverge
