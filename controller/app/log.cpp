#include "controller/app/log.h"

#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <ostream>

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

}  // namespace

struct Log::Sink {
  Sink(std::ostream& out, LogFormat wanted, const Clock& time, std::function<void(LogLevel)> count)
      : logger("sconverge", std::make_shared<spdlog::sinks::ostream_sink_mt>(out, true)),
        format(wanted),
        clock(time),
        on_line(std::move(count)) {}

  spdlog::logger logger;
  LogFormat format;
  const Clock& clock;
  std::function<void(LogLevel)> on_line;
};

Log::Log(std::ostream& out, LogLevel level, LogFormat format, const Clock& clock,
         std::function<void(LogLevel)> on_line)
    : sink_(std::make_unique<Sink>(out, format, clock, std::move(on_line))) {
  sink_->logger.set_pattern("%v");  // spdlog neither escapes nor knows fields
  sink_->logger.set_level(spdlog_level(level));
}

Log::~Log() = default;

void Log::write(const LogLine& line) {
  const auto level = spdlog_level(line.level);
  if (!sink_->logger.should_log(level)) return;
  if (sink_->on_line) sink_->on_line(line.level);
  const TimePoint now = sink_->clock.now();
  sink_->logger.log(level,
                    spdlog::string_view_t(sink_->format == LogFormat::Logfmt ? to_logfmt(line, now)
                                                                             : to_json(line, now)));
}

}  // namespace sconverge
