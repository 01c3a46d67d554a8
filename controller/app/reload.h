#pragma once

#include <functional>
#include <string>
#include <vector>

#include "controller/app/config.h"

namespace sconverge {

/// Reads the configuration again: the same file, variables and flags.
using Reread = std::function<ConfigReading()>;

/// What a configuration means to a process that runs with another one.
struct Reload {
  Config config{};                           ///< to go on with: of the new one what can be taken
  std::vector<std::string> needs_restart{};  ///< keys in the file of what was changed and cannot
};

/// Pure.
Reload reload_of(const Config& now, const Config& read);

/// Keys in the file of what only a restart changes.
std::vector<std::string> keys_that_need_a_restart();

}  // namespace sconverge
