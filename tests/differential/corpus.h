#pragma once

#include <string>
#include <vector>

namespace sconverge::test {

/// One batch script of the corpus. Its second line names it as a spec: `#SCONVERGE --name=<name>`.
struct CorpusScript {
  std::string name{};  ///< of the file, without ".sbatch"
  std::string text{};
};

/// The scripts of tests/differential/<folder>, by name. Those of `good` are the same job on both
/// ways, those of `refused` are taken by sbatch and refused by sconverge on purpose, those of
/// `broken` are refused by both.
std::vector<CorpusScript> corpus(const std::string& folder);

/// Who refuses a script, and where: from its header `# Refused in line 4 or 5: ...`,
/// `# Refused in line 4 and 5: ...` (each of them is told),
/// `# Refused by the cluster in line 4: ...` (what only the cluster's configuration or the time
/// can tell), `# Refused by Slurm alone in line 4: ...` (what the cluster does not tell) or
/// `# Refused by sconverge in line 4: ...`.
struct Refusal {
  std::vector<int> lines{};  ///< 1-based; empty: the script has no such header
  bool each{false};
  std::string by{};  ///< "the cluster", "Slurm alone", "sconverge"; empty: sbatch itself
};

Refusal refusal_in(const std::string& text);

/// The options of the script's `#SBATCH` lines as they are written, up to the value: "--nodes",
/// "-N". A rough reader of its own, so that the corpus is not measured by what it tests.
std::vector<std::string> options_in(const std::string& text);

}  // namespace sconverge::test
