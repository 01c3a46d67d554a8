#pragma once

#include <map>
#include <optional>
#include <string>

#include "specs/job_spec.h"
#include "specs/walk.h"

namespace sconverge {

/// What `metadata` says. `name` is there if a valid one is told, even if the rest is wrong.
struct Metadata {
  std::optional<SpecName> name{};
  const DocumentNode* name_node{nullptr};
  std::map<std::string, std::string> labels{};
  std::map<std::string, std::string> annotations{};
};

/// Reads the map `metadata`; what is wrong with it is reported.
Metadata read_metadata(const DocumentNode& node, const Place& place, ProblemSink& problems);

}  // namespace sconverge
