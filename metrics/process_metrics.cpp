#include "metrics/process_metrics.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>

#include "metrics/process.h"

namespace sconverge {
namespace {

constexpr std::array kLevels{LogLevel::Debug, LogLevel::Info, LogLevel::Warning, LogLevel::Error,
                             LogLevel::Critical};
constexpr std::array kHandlers{"/healthz", "/livez", "/metrics", "/readyz"};
constexpr std::size_t kMostHandlers = 32;  // ours, but for a mistake

std::string level_label(LogLevel level) {
  switch (level) {
    case LogLevel::Debug:
      return "debug";
    case LogLevel::Info:
      return "info";
    case LogLevel::Warning:
      return "warning";
    case LogLevel::Error:
      return "error";
    case LogLevel::Critical:
      return "critical";
  }
  std::abort();
}

}  // namespace

ProcessMetrics::ProcessMetrics(const BuildInfo& build)
    : started_(process_start_time()),
      handlers_(kMostHandlers, {kHandlers.begin(), kHandlers.end()}) {
  series_.set(
      "sconverge_build_info",
      {{"version", build.version}, {"revision", build.revision}, {"compiler", build.compiler}}, 1);
  for (const auto level : kLevels) {
    series_.create("sconverge_log_messages_total", {{"level", level_label(level)}});
  }
  for (const char* handler : kHandlers) {
    series_.create("sconverge_http_requests_total", {{"handler", handler}, {"code", "200"}});
  }
  series_.create("sconverge_http_requests_total", {{"handler", "other"}, {"code", "404"}});
}

void ProcessMetrics::count_http_answer(const std::string& handler, int status) {
  series_.add(
      "sconverge_http_requests_total",
      {{"handler", handlers_.of(handler)}, {"code", std::to_string(std::clamp(status, 0, 999))}});
}

void ProcessMetrics::count_log_message(LogLevel level) {
  series_.add("sconverge_log_messages_total", {{"level", level_label(level)}});
}

SeriesSet ProcessMetrics::sample() const {
  const auto began = std::chrono::steady_clock::now();
  SeriesSet series;
  bool all = true;
  const auto set = [&](const char* name, std::optional<double> value) {
    if (value) series.set(name, {}, *value);
    all = all && value.has_value();
  };
  const auto sample = sample_process();
  set("process_start_time_seconds", started_);
  set("process_open_fds", open_descriptor_count());
  set("process_max_fds", most_descriptors());
  set("process_virtual_memory_max_bytes", most_virtual_memory());
  if (sample) {
    series.add("process_cpu_seconds_total", {}, sample->cpu_seconds);
    set("process_threads", sample->threads);
    set("process_virtual_memory_bytes", sample->virtual_memory_bytes);
    set("process_resident_memory_bytes", sample->resident_memory_bytes);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  set_collector(series, "process", took.count(), all && sample.has_value());
  return series;
}

void set_collector(SeriesSet& series, const std::string& collector, double took, bool all) {
  series.set("sconverge_collector_duration_seconds", {{"collector", collector}}, took);
  series.set("sconverge_collector_success", {{"collector", collector}}, all ? 1 : 0);
}

}  // namespace sconverge
