#include "specs/script.h"

#include <algorithm>

#include "specs/utf8.h"

namespace sconverge {
namespace {

constexpr std::size_t kMaxScriptBytes =
    std::size_t{4} * 1024 * 1024;  // Slurm's default max_script_size

int line_of(std::string_view script, std::size_t offset) {
  return 1 + static_cast<int>(std::count(
                 script.begin(), script.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

}  // namespace

std::vector<ScriptProblem> check_script_text(std::string_view script) {
  std::vector<ScriptProblem> problems;
  if (script.size() > kMaxScriptBytes) {
    return {{.line = 0,
             .what = "the script is larger than 4 MiB, the most that Slurm takes",
             .remedy = "keep it on shared storage and call it from a short script",
             .kind = ProblemKind::TooLarge}};
  }
  if (script.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos) {
    return {{.line = 0, .what = "the script is empty", .remedy = "begin it with `#!/bin/bash`"}};
  }
  if (!script.starts_with("#!")) {
    problems.push_back(
        {.line = 1,
         .what = "the script does not begin with `#!`",
         .remedy = "make its first line e.g. `#!/bin/bash`, without blanks before it"});
  }
  if (const auto at = script.find('\0'); at != std::string_view::npos) {
    problems.push_back({.line = line_of(script, at),
                        .what = "the script holds a NUL character",
                        .remedy = "a script is text; call programs by their path"});
  }
  if (const auto at = script.find("\r\n"); at != std::string_view::npos) {
    problems.push_back({.line = line_of(script, at),
                        .what = "the script has DOS line breaks (CR LF)",
                        .remedy = "convert it, e.g. with dos2unix"});
  }
  if (const auto at = first_invalid_utf8(script)) {
    problems.push_back({.line = line_of(script, *at),
                        .what = "the script is not UTF-8, which the REST API cannot carry",
                        .remedy = "convert it, e.g. with iconv -f latin1 -t utf-8"});
  }
  return problems;
}

}  // namespace sconverge
