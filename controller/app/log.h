#pragma once

#include <functional>
#include <iosfwd>
#include <memory>

#include "controller/app/config.h"
#include "controller/app/log_line.h"
#include "controller/ports/clock.h"

namespace sconverge {

enum class LogPrefix {
  None,
  Priority,  ///< "<3>" to "<7>", by which the journal knows a line's level; see sd-daemon(3)
};

/// Where log lines go. Any thread may write; lines never mix.
class Log {
 public:
  /// `format` Auto means JSON here: whoever knows the terminal decides. `on_line` is called for
  /// each line written, on the writing thread. `out` and `clock` must outlive it.
  Log(std::ostream& out, LogLevel level, LogFormat format, const Clock& clock,
      std::function<void(LogLevel)> on_line = {}, LogPrefix prefix = LogPrefix::None);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  /// From now on; lines under way may still go by the old ones.
  void set(LogLevel level, LogFormat format);

  /// Lines below the level are dropped; others are flushed at once.
  void write(const LogLine& line);

 private:
  struct Sink;
  std::unique_ptr<Sink> sink_;
};

}  // namespace sconverge
