#pragma once

#include <optional>
#include <string>
#include <vector>

#include "specs/directives.h"
#include "specs/document.h"
#include "specs/job_spec.h"
#include "specs/read.h"

namespace sconverge {

/// What one document declares. `spec` is of use only if nothing was reported.
struct SpecDocument {
  JobSpec spec;
  std::optional<SpecName> name{};  ///< if the document tells a valid one, even if it is refused
  const DocumentNode* name_node{nullptr};  ///< where; null if there is none
};

/// Reads one document of a spec file; everything that is wrong with it is reported. Each scriptFile
/// it names is added to `script_files`.
SpecDocument read_spec_document(const DocumentNode& root, const ScriptReader& script,
                                std::vector<std::string>& script_files, ProblemSink& problems,
                                ScriptForm form = ScriptForm::Document);

}  // namespace sconverge
