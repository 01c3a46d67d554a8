#pragma once

#include <functional>
#include <iosfwd>
#include <memory>

#include "controller/app/log_line.h"
#include "controller/ports/clock.h"

namespace sconverge {

/// Where log lines go. Any thread may write; lines never mix.
class Log {
 public:
  /// `format` Auto means JSON here: whoever knows the terminal decides. `on_line` is called for
  /// each line written, on the writing thread. `out` and `clock` must outlive it.
  Log(std::ostream& out, LogLevel level, LogFormat format, const Clock& clock,
      std::function<void(LogLevel)> on_line = {});
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  /// Lines below the level are dropped; others are flushed at once.
  void write(const LogLine& line);

 private:
  struct Sink;
  std::unique_ptr<Sink> sink_;
};

}  // namespace sconverge
