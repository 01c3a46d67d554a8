#include "controller/app/log.h"

#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <ostream>
#include <string>
#include <string_view>

namespace sconverge {
namespace {

spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
    case LogLevel::Debug:
      return spdlog::level::debug;
    case LogLevel::Info:
      return spdlog::level::info;
    case LogLevel::Warning:
      return spdlog::level::warn;
    case LogLevel::Error:
      return spdlog::level::err;
    case LogLevel::Critical:
      return spdlog::level::critical;
  }
  return spdlog::level::info;
}

std::string_view priority(LogLevel level) {
  switch (level) {
    case LogLevel::Debug:
      return "<7>";
    case LogLevel::Info:
      return "<6>";
    case LogLevel::Warning:
      return "<4>";
    case LogLevel::Error:
      return "<3>";
    case LogLevel::Critical:
      return "<2>";
  }
  return "<6>";
}

}  // namespace

struct Log::Sink {
  Sink(std::ostream& out, LogFormat wanted, const Clock& time, std::function<void(LogLevel)> count,
       LogPrefix before)
      : logger("sconverge", std::make_shared<spdlog::sinks::ostream_sink_mt>(out, true)),
        format(wanted),
        clock(time),
        on_line(std::move(count)),
        prefix(before) {}

  spdlog::logger logger;
  std::atomic<LogFormat> format;
  const Clock& clock;
  std::function<void(LogLevel)> on_line;
  LogPrefix prefix;
};

Log::Log(std::ostream& out, LogLevel level, LogFormat format, const Clock& clock,
         std::function<void(LogLevel)> on_line, LogPrefix prefix)
    : sink_(std::make_unique<Sink>(out, format, clock, std::move(on_line), prefix)) {
  sink_->logger.set_pattern("%v");  // spdlog neither escapes nor knows fields
  sink_->logger.set_level(spdlog_level(level));
}

Log::~Log() = default;

void Log::set(LogLevel level, LogFormat format) {
  sink_->logger.set_level(spdlog_level(level));
  sink_->format = format;
}

void Log::write(const LogLine& line) {
  const auto level = spdlog_level(line.level);
  if (!sink_->logger.should_log(level)) return;
  if (sink_->on_line) sink_->on_line(line.level);
  const TimePoint now = sink_->clock.now();
  std::string text;
  if (sink_->prefix == LogPrefix::Priority) text = priority(line.level);
  text += sink_->format == LogFormat::Logfmt ? to_logfmt(line, now) : to_json(line, now);
  sink_->logger.log(level, spdlog::string_view_t(text));
}

}  // namespace sconverge
