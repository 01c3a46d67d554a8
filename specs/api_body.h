#pragma once

#include <optional>
#include <string>

#include "specs/spec_document.h"

namespace sconverge {

/// Whether a document is what the Slurm REST API's job/submit takes, {"job": {...}, "script": ...},
/// as Google's Slurm Job API shows it: a map with `job` or `jobs`, without `apiVersion` and `kind`.
bool is_api_body(const DocumentNode& root);

/// Reads such a document; everything that is wrong with it is reported. Its name is `file`'s.
SpecDocument read_api_body(const DocumentNode& root, const std::string& file,
                           ProblemSink& problems);

/// The name of a spec that does not say one: the file's path without its ending, in lower case,
/// with `-` for what a label cannot hold, in the namespace "default". A path that is too long keeps
/// its end, behind a hash of the whole. Nothing if the path has no letter and no digit.
std::optional<SpecName> name_of_file(const std::string& file);

}  // namespace sconverge
