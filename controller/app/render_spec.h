#pragma once

#include <string>

#include "specs/job_spec.h"

namespace sconverge {

/// The spec as a YAML file of form `sconverge/v1`, with friendly units.
///
/// PROMISES: read again it is the same spec, but for `file` and `line`, provided that its
/// environment, if the directives of its script ask for one, is what they ask for.
std::string spec_yaml(const JobSpec& spec);

}  // namespace sconverge
