#pragma once

#include <string>
#include <vector>

#include "controller/app/completion.h"
#include "controller/app/config.h"

namespace sconverge {

/// What is called so on this machine: specs and namespaces in the state directory, clusters of the
/// configuration, fields of a spec. `inputs` is what the line says so far, with the process's
/// variables. Total and silent: whoever is typing a line is told of problems when it is entered.
std::vector<Candidate> known_names(ValueKind kind, const ConfigInputs& inputs,
                                   const std::string& word);

}  // namespace sconverge
