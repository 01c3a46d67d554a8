#pragma once

#include <string>

#include "specs/walk.h"

namespace sconverge {

/// The text of a script that stands in a spec file; what is wrong with it is reported.
std::string read_inline_script(const DocumentNode& node, const Place& place, ProblemSink& problems);

}  // namespace sconverge
