#pragma once

#include <string>
#include <vector>

#include "controller/app/console.h"

namespace sconverge {

/// The whole program but for the process around it: reads the arguments (without the program's
/// name), runs the verb, and returns the process's exit code (exit_code.h). Wrong arguments,
/// variables and configuration files are told with what would be right, all at once.
int run_cli(const std::vector<std::string>& arguments, const Console& console);

}  // namespace sconverge
