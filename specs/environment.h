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

/// What a job gets of the configured environment (JobSpec::inherit_environment): `true` for all of
/// it, `false` for none, or a list of names. What is wrong is reported.
std::vector<std::string> read_inherited_environment(const DocumentNode& node, const Place& place,
                                                    ProblemSink& problems);

/// The variables of `above` over those of `below`, sorted by name; all are KEY=value.
std::vector<std::string> overlaid(const std::vector<std::string>& below,
                                  const std::vector<std::string>& above);

}  // namespace sconverge
