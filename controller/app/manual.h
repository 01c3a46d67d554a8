#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "controller/app/grammar.h"

namespace sconverge {

/// sconverge(1): every verb, flag, variable, exit code, file and signal. Made from the grammar and
/// the table of settings.
std::string program_manual(const Grammar& grammar);

/// sconverge.yaml(5): every key of the configuration file.
std::string configuration_manual(const Grammar& grammar);

}  // namespace sconverge
