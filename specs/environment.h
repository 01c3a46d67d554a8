#pragma once

#include <optional>
#include <string>
#include <vector>

#include "specs/walk.h"

namespace sconverge {

/// The variables of a map, or of a list of KEY=value, as KEY=value sorted by key. What is wrong is
/// reported, without ever showing a value: it may be secret.
std::optional<std::vector<std::string>> read_environment(const DocumentNode& node,
                                                         const Place& place, ProblemSink& problems);

}  // namespace sconverge
