#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "specs/read.h"

namespace sconverge::test {

/// A valid spec, in which tests put what they are about: lines of `job:` (each with four blanks
/// before it) and lines of `spec:` (two blanks).
inline std::string spec_text(const std::string& job_lines = "", const std::string& spec_lines = "",
                             const std::string& name = "train") {
  return "apiVersion: sconverge/v1\n"
         "kind: Job\n"
         "metadata:\n"
         "  name: " +
         name +
         "\n"
         "spec:\n"
         "  job:\n"
         "    partition: main\n" +
         job_lines +
         "  script: |\n"
         "    #!/bin/bash\n"
         "    srun train\n" +
         spec_lines;
}

/// Line of the first of `job_lines` in spec_text.
inline constexpr int kJobLine = 8;

inline ScriptText no_script(const std::string& /*path*/) {
  return {.text = "", .error = "no such file"};
}

inline SpecFile read_text(const std::string& text, const std::string& file = "a.yaml") {
  return read_spec_file(text, file, no_script);
}

/// The only spec of `text`; an empty one, and a failed test, if there are problems.
inline JobSpec read_one(const std::string& text, const std::string& file = "a.yaml") {
  const SpecFile result = read_text(text, file);
  for (const Problem& problem : result.problems) ADD_FAILURE() << to_text(problem);
  EXPECT_EQ(result.specs.size(), 1U);
  return result.specs.size() == 1 ? result.specs[0] : JobSpec{.name = {}};
}

/// The value of the job field that `line` ("time_limit: 2h") sets.
inline FieldValue job_value(const std::string& line) {
  const JobSpec spec = read_one(spec_text("    " + line + "\n"));
  const auto found = spec.job.find(line.substr(0, line.find(':')));
  return found == spec.job.end() ? FieldValue("<not set>") : found->second;
}

/// All problems of `text` as people see them, one per line.
inline std::string problems_of(const std::string& text, const std::string& file = "a.yaml") {
  std::string lines;
  for (const Problem& problem : read_text(text, file).problems) lines += to_text(problem) + "\n";
  return lines;
}

/// The problems of a job field's line ("time_limit: 2hh"), without the place.
inline std::string job_problem(const std::string& line) {
  std::string out;
  for (const Problem& problem : read_text(spec_text("    " + line + "\n")).problems) {
    EXPECT_EQ(problem.line, kJobLine) << to_text(problem);
    out += problem.what + " (" + problem.remedy + ")";
  }
  return out;
}

}  // namespace sconverge::test
