#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "controller/ports/slurm_client.h"
#include "metrics/metrics.h"
#include "specs/problem.h"

namespace sconverge {

// Problems as people read them in a terminal, and as the services want them that show them beside
// the lines of a change. Files are named as in Problem::file, which people give relative to the
// root of their repository.

/// Error: the file is refused. Warning: it is taken, but most likely something else was meant.
enum class ProblemLevel { Error, Warning };

struct RatedProblem {
  Problem problem;
  ProblemLevel level{ProblemLevel::Error};
};

/// As to_text(Problem); a warning says that it is one, behind the place.
std::string problem_line(const RatedProblem& rated);

/// A log of SARIF 2.1.0 with a rule for each ProblemKind and a result for each problem, in what
/// GitHub code scanning needs: every result has a message, a file and a line (1 if the problem is
/// the file as a whole). A path below `directory` is told relative to it, any other absolute one as
/// a file: URI.
/// REQUIRES: `directory` is absolute; columns are in UTF-16 code units (utf16_columns.h).
std::string sarif_document(const std::vector<RatedProblem>& problems, const BuildInfo& build,
                           const std::filesystem::path& directory);

/// One workflow command of GitHub Actions for each problem, a line each: `::error
/// file=...,line=...,col=...::message`, or `::warning`. Paths are told as in SARIF, but for those
/// that are not below `directory`, which stay as they are. Whatever names and messages hold, a
/// problem is one command and no other.
std::string github_commands(const std::vector<RatedProblem>& problems,
                            const std::filesystem::path& directory);

}  // namespace sconverge
