#include "controller/app/console_log.h"

#include <sys/stat.h>

namespace sconverge {

bool is_journal(int descriptor, const std::map<std::string, std::string>& variables) {
  const auto stream = variables.find("JOURNAL_STREAM");
  struct stat file {};
  if (stream == variables.end() || ::fstat(descriptor, &file) != 0) return false;
  return stream->second == std::to_string(file.st_dev) + ":" + std::to_string(file.st_ino);
}

LogFormat log_format_of(const Config& config, const Console& console) {
  if (config.log_format != LogFormat::Auto) return config.log_format;
  return console.err_is_terminal ? LogFormat::Logfmt : LogFormat::Json;
}

std::unique_ptr<Log> open_log(const Config& config, const Console& console,
                              std::function<void(LogLevel)> on_line) {
  return std::make_unique<Log>(console.err, config.log_level, log_format_of(config, console),
                               console.clock, std::move(on_line),
                               console.err_is_journal ? LogPrefix::Priority : LogPrefix::None);
}

}  // namespace sconverge
