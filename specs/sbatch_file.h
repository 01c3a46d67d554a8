#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "specs/document.h"
#include "specs/problem_sink.h"

namespace sconverge {

/// Whether a file of this name is an sbatch script: `.sbatch` or `.slurm`.
bool is_sbatch_name(std::string_view file);

/// Whether an sbatch script is a spec: it has a line `#SCONVERGE`, followed by a blank or nothing.
bool is_sbatch_spec(std::string_view script);

/// The script without what are remarks to whoever runs it and is told by the spec's fields: the
/// lines `#SCONVERGE`, and those that sbatch reads (`#SBATCH`, `#SLURM`), before the first command.
/// `#PBS` and `#BSUB` lines stay: they count within here-documents, too. Linear.
std::string without_directives(std::string_view script);

/// The script without its `#SCONVERGE` lines before the first command. Linear.
std::string without_marked_lines(std::string_view script);

/// The document of kind Job that such a script stands for, as if it had been written in YAML.
struct SbatchDocument {
  std::deque<DocumentNode> nodes{};
  std::deque<Documents> values{};  ///< of options whose value is YAML
  const DocumentNode* root{nullptr};
};

/// Makes that document of the options in the `#SCONVERGE` lines before the first command, which are
/// split into words as sbatch does: `--FIELD=VALUE`, `--FIELD VALUE`, or `--FIELD` alone for true.
/// FIELD is a field of `metadata` or `spec`; a field within it follows after a dash
/// (`--labels-team=vision`, `--job-time_limit=2h`). A value that begins with [ or { is YAML.
/// Without `--name` the spec has the name of `file`. What is wrong is reported at its place.
SbatchDocument read_sbatch_document(std::string_view script, const std::string& file,
                                    ProblemSink& problems);

}  // namespace sconverge
