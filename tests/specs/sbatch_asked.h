#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "specs/sbatch_request.h"

namespace sconverge::test {

/// A canonical value as one line: `4`, `true`, `UNLIMITED`, `text`, `[a, b]`.
inline std::string to_line(const FieldValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (std::holds_alternative<Unlimited>(value)) return "UNLIMITED";
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  std::string list;
  for (const auto& word : std::get<std::vector<std::string>>(value)) {
    list += (list.empty() ? "" : ", ") + word;
  }
  return "[" + list + "]";
}

/// What a script's options ask for, each as `name` or `name=value`. The n-th stands in line n + 1.
///
/// REQUIRES: the text of the options lives as long as the test (literals do).
inline SbatchOptions options_of(const std::vector<std::string_view>& options) {
  SbatchOptions script;
  int line = 1;
  for (const std::string_view text : options) {
    SbatchOption option;
    const std::size_t equals = text.find('=');
    option.name = text.substr(0, equals);
    if (equals != std::string_view::npos) option.value = std::string(text.substr(equals + 1));
    option.line = ++line;
    option.column = 9;
    option.text = "--" + std::string(text);
    script.options.push_back(option);
  }
  return script;
}

/// A request with short ways to look at it.
struct Asked {
  SbatchRequest request;

  explicit Asked(const std::vector<std::string_view>& options)
      : request(sbatch_request(options_of(options))) {}

  /// `field: value` lines, sorted.
  [[nodiscard]] std::vector<std::string> fields() const {
    std::vector<std::string> lines;
    for (const auto& [name, value] : request.fields) lines.push_back(name + ": " + to_line(value));
    return lines;
  }

  [[nodiscard]] std::string field(std::string_view name) const {
    const auto found = request.fields.find(name);
    return found == request.fields.end() ? "<none>" : to_line(found->second);
  }

  /// The value of a variable.
  [[nodiscard]] std::string variable(std::string_view name) const {
    const std::string start = std::string(name) + "=";
    for (const std::string& line : request.environment) {
      if (line.starts_with(start)) return line.substr(start.size());
    }
    return "<none>";
  }

  /// `line: what (remedy)`.
  [[nodiscard]] std::vector<std::string> problems() const { return lines_of(request.problems); }
  [[nodiscard]] std::vector<std::string> notes() const { return lines_of(request.notes); }

  static std::vector<std::string> lines_of(const std::vector<ScriptProblem>& problems) {
    std::vector<std::string> lines;
    for (const ScriptProblem& problem : problems) {
      lines.push_back(std::to_string(problem.line) + ": " + problem.what + " (" + problem.remedy +
                      ")");
    }
    return lines;
  }
};

}  // namespace sconverge::test
