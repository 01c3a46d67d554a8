#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "controller/app/config.h"
#include "controller/core/time.h"

namespace sconverge {

struct LogField {
  std::string key;
  std::variant<std::string, std::int64_t, double, bool> value;

  friend bool operator==(const LogField&, const LogField&) = default;
};

/// One thing worth saying. `msg` never varies within one kind of event, so that it can be searched
/// for; everything that varies is a field. Never put a token, a script or an environment in it.
struct LogLine {
  LogLevel level{LogLevel::Info};
  std::string logger{};  ///< the part that speaks: "reconciler", "http", "main"
  std::string msg{};
  std::vector<LogField> fields{};

  friend bool operator==(const LogLine&, const LogLine&) = default;
};

/// `ts=... level=info logger=... msg="..." key=value`, one line, printable.
std::string to_logfmt(const LogLine& line, TimePoint at);

/// The same as one line of JSON.
std::string to_json(const LogLine& line, TimePoint at);

}  // namespace sconverge
