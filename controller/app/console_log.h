#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "controller/app/config.h"
#include "controller/app/console.h"
#include "controller/app/log.h"

namespace sconverge {

/// Whether the open file is the journal's: JOURNAL_STREAM in the environment is its device and
/// inode, so not if the output was redirected since.
bool is_journal(int descriptor, const std::map<std::string, std::string>& variables);

/// How lines are written where nothing else is configured: logfmt on a terminal, else JSON.
LogFormat log_format_of(const Config& config, const Console& console);

/// The log of a verb that runs for long, on its error stream. In the journal each line begins with
/// its priority. `console` must outlive it.
std::unique_ptr<Log> open_log(const Config& config, const Console& console,
                              std::function<void(LogLevel)> on_line);

}  // namespace sconverge
