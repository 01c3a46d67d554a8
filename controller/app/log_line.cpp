#include "controller/app/log_line.h"

#include <array>
#include <cstdio>

#include "controller/app/printable.h"
#include "controller/app/time_text.h"

namespace sconverge {
namespace {

std::string_view level_text(LogLevel level) {
  switch (level) {
    case LogLevel::Debug:
      return "debug";
    case LogLevel::Info:
      return "info";
    case LogLevel::Warning:
      return "warn";
    case LogLevel::Error:
      return "error";
    case LogLevel::Critical:
      return "critical";
  }
  return "info";
}

std::string number_text(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

/// In double quotes; both formats escape alike once control characters are gone.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string logfmt_text(std::string_view text) {
  std::string shown = printable(text);
  const bool plain = !shown.empty() && shown.find_first_of(" =\"\\") == std::string::npos;
  return plain ? shown : quoted(shown);
}

std::string json_text(std::string_view text) { return quoted(printable(text)); }

template <typename Text>
std::string value_text(const LogField& field, Text text) {
  if (const auto* word = std::get_if<std::string>(&field.value)) return text(*word);
  if (const auto* whole = std::get_if<std::int64_t>(&field.value)) return std::to_string(*whole);
  if (const auto* number = std::get_if<double>(&field.value)) return number_text(*number);
  return std::get<bool>(field.value) ? "true" : "false";
}

}  // namespace

std::string to_logfmt(const LogLine& line, TimePoint at) {
  std::string out = "ts=" + time_text_with_milliseconds(at);
  out += " level=" + std::string(level_text(line.level));
  out += " logger=" + logfmt_text(line.logger.text());
  out += " msg=" + logfmt_text(line.msg.text());
  for (const auto& field : line.fields) {
    out += " " + std::string(field.key.text()) + "=" + value_text(field, logfmt_text);
  }
  return out;
}

std::string to_json(const LogLine& line, TimePoint at) {
  std::string out = "{\"ts\":\"" + time_text_with_milliseconds(at) + "\"";
  out += ",\"level\":\"" + std::string(level_text(line.level)) + "\"";
  out += ",\"logger\":" + json_text(line.logger.text());
  out += ",\"msg\":" + json_text(line.msg.text());
  for (const auto& field : line.fields) {
    out += "," + json_text(field.key.text()) + ":" + value_text(field, json_text);
  }
  return out + "}";
}

}  // namespace sconverge
