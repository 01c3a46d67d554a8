#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "specs/script.h"

namespace sconverge {

/// One option of a batch script, as sbatch's own getopt sees it.
struct SbatchOption {
  /// Long, without dashes, from sbatch_option_table(), whose static storage it has:
  /// "gpus-per-node". An alias (`--tasks-per-node`) has the name of its option.
  std::string_view name;
  std::optional<std::string> value{};  ///< none: it takes none, or its optional one was left out
  int line{0};                         ///< 1-based, of the word that begins the option
  int column{0};                       ///< 1-based, in bytes
  std::string text{};  ///< for messages, as written: `-N4`, `--part=main`, `#PBS -l nodes=2`

  friend bool operator==(const SbatchOption&, const SbatchOption&) = default;
};

/// What a script asks of sbatch, in the order in which sbatch applies it: the `#SBATCH` lines, then
/// the translation of its `#BSUB` or `#PBS` lines. Repeats are kept; the reader of a value decides
/// whether the last one counts or all of them do.
struct SbatchOptions {
  std::vector<SbatchOption> options{};
  std::vector<ScriptProblem> problems{};  ///< what sbatch refuses
  std::vector<ScriptProblem> notes{};     ///< what sbatch takes without a word and hardly is meant
};

/// Reads the directives of a batch script as sbatch does (Slurm 24.11), but for two things: it
/// tells everything that is wrong, not only the first, and it refuses heterogeneous jobs, of which
/// the options of the first component are given.
///
/// The values are not looked at. Nor is the script as a text: that is check_script_text().
///
/// PROMISES, whatever the bytes: no exception but out of memory, linear time, memory linear in the
/// directives, at most kMaxFindings (sbatch_findings.h) problems and as many notes. Each line and
/// column is one of the script's.
SbatchOptions read_sbatch_options(std::string_view script);

}  // namespace sconverge
