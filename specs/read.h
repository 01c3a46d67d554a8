#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "specs/job_spec.h"
#include "specs/problem.h"

namespace sconverge {

inline constexpr std::size_t kMaxSpecFileBytes = std::size_t{1024} * 1024;

/// A script's text, or why it cannot be had (a clause for `Problem::what`).
struct ScriptText {
  std::string text{};
  std::string error{};
};

/// Reads the script that a spec file names by `path`, relative to the spec file.
using ScriptReader = std::function<ScriptText(const std::string& path)>;

/// What one file declares. A file is taken whole or not at all: with a problem anywhere in it,
/// `specs` is empty.
struct SpecFile {
  std::vector<JobSpec> specs{};
  std::vector<Problem> problems{};
  std::vector<Problem> notes{};   ///< what Slurm takes without a word and most likely is not meant
  std::vector<SpecName> names{};  ///< every name that could be told, refused documents' too
  bool names_known{true};         ///< false: there may be further names (syntax error)
  bool ignored{false};            ///< an sbatch script that is no spec
  std::vector<std::string> script_files{};  ///< every scriptFile named, relative to the spec file
};

/// Reads YAML or JSON text: documents of kind Job, or one body for the REST API's job/submit, whose
/// spec is named after `file`, the path below the watched directory; or, if `file` ends so, an
/// sbatch script (sbatch_file.h). Total: any bytes give an
/// answer; alias and depth bombs, NUL bytes, text that is not UTF-8 and oversized files are
/// problems.
SpecFile read_spec_file(std::string_view text, const std::string& file, const ScriptReader& script);

/// Reads an sbatch script as a spec, whether it says that it is one or not.
SpecFile read_sbatch_script(std::string_view text, const std::string& file);

}  // namespace sconverge
