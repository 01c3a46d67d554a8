#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "controller/ports/slurm_client.h"
#include "metrics/metrics.h"
#include "specs/problem.h"

namespace sconverge {

// Problems as the services that show them beside the lines of a change want them. Files are named
// as in Problem::file, which people give relative to the root of their repository.

/// A log of SARIF 2.1.0 with a rule for each ProblemKind and a result for each problem, in what
/// GitHub code scanning needs: every result has a message, a file and a line (1 if the problem is
/// the file as a whole). A path below `directory` is told relative to it, any other absolute one as
/// a file: URI. Columns are counted in bytes. REQUIRES: `directory` is absolute.
std::string sarif_document(const std::vector<Problem>& problems, const BuildInfo& build,
                           const std::filesystem::path& directory);

/// One workflow command of GitHub Actions for each problem, a line each: `::error
/// file=...,line=...,col=...::message`. Whatever names and messages hold, a problem is one command
/// and no other.
std::string github_commands(const std::vector<Problem>& problems);

}  // namespace sconverge
