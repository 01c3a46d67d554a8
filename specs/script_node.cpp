#include "specs/script_node.h"

#include <utility>

#include "specs/utf8.h"

namespace sconverge {

Problem problem_at(const ScriptPlace& place, ScriptProblem problem) {
  const bool in_this_file = place.file_name.empty();
  const bool has_place = in_this_file && place.node->first_content_line > 0 && problem.line > 0;
  Problem out{.file = "",
              .line = place.node->line,
              .column = place.node->column,
              .field = place.field,
              .what = std::move(problem.what),
              .remedy = std::move(problem.remedy),
              .kind = problem.kind};
  if (has_place) {
    out.line = place.node->first_content_line + problem.line - 1;
    out.column = problem.column > 0 ? place.node->content_indent + problem.column : 0;
    return out;
  }
  std::string where = in_this_file ? "" : in_quotes(place.file_name) + " ";
  if (problem.line > 0) where += "line " + std::to_string(problem.line);
  if (!where.empty()) {
    if (where.back() == ' ') where.pop_back();
    out.what = where + ": " + out.what;
  }
  return out;
}

std::optional<std::string> read_inline_script(const DocumentNode& node, const Place& place,
                                              ProblemSink& problems) {
  if (node.kind == NodeKind::Scalar) return node.text;
  report(problems, node, place, "is " + std::string(describe(node)) + ", not text",
         "write `script: |` and the lines below it, indented");
  return std::nullopt;
}

}  // namespace sconverge
