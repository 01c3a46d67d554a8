#pragma once

#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <vector>

#include "specs/sbatch_options.h"

namespace sconverge::test {

/// `name=value`, or `name` without a value, of each option of a script.
inline std::vector<std::string> given(const SbatchOptions& read) {
  std::vector<std::string> options;
  for (const SbatchOption& option : read.options) {
    options.push_back(std::string(option.name) + (option.value ? "=" + *option.value : ""));
  }
  return options;
}

/// `line:column: what (remedy)` of each finding.
inline std::vector<std::string> told(const std::vector<ScriptProblem>& findings) {
  std::vector<std::string> texts;
  for (const ScriptProblem& finding : findings) {
    texts.push_back(std::to_string(finding.line) + ":" + std::to_string(finding.column) + ": " +
                    finding.what + " (" + finding.remedy + ")");
  }
  return texts;
}

/// Reads a script whose second line is `line`, and so on.
inline SbatchOptions read_lines(std::string_view lines) {
  return read_sbatch_options("#!/bin/sh\n" + std::string(lines) + "\n");
}

/// The options of directives that are fine: any problem or note shows up among them.
inline std::vector<std::string> options_of(std::string_view lines) {
  const SbatchOptions read = read_lines(lines);
  std::vector<std::string> options = given(read);
  for (const std::string& text : told(read.problems)) options.push_back("problem " + text);
  for (const std::string& text : told(read.notes)) options.push_back("note " + text);
  return options;
}

/// The problems alone.
inline std::vector<std::string> problems_in(std::string_view lines) {
  return told(read_lines(lines).problems);
}

/// The notes alone.
inline std::vector<std::string> notes_in(std::string_view lines) {
  return told(read_lines(lines).notes);
}

}  // namespace sconverge::test
