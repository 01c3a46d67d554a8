#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "controller/app/log_words.h"
#include "controller/core/time.h"
#include "metrics/metrics.h"

namespace sconverge {

struct LogField {
  LogKey key;
  std::variant<std::string, std::int64_t, double, bool> value;

  friend bool operator==(const LogField&, const LogField&) = default;
};

/// One thing worth saying. `msg` is the same in all lines of one kind; everything that varies is a
/// field. Never put a token, a script or an environment in it.
struct LogLine {
  LogLevel level;
  Logger logger;
  LogMessage msg;
  std::vector<LogField> fields{};

  friend bool operator==(const LogLine&, const LogLine&) = default;
};

/// `ts=... level=info logger=... msg="..." key=value`, one line, printable.
std::string to_logfmt(const LogLine& line, TimePoint at);

/// The same as one line of JSON.
std::string to_json(const LogLine& line, TimePoint at);

}  // namespace sconverge
