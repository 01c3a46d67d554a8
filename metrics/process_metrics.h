#pragma once

#include <optional>
#include <string>

#include "metrics/bounded_words.h"
#include "metrics/metrics.h"
#include "metrics/series.h"

namespace sconverge {

/// What every long-running verb tells about itself: what it was built from, its process, its log
/// and its HTTP answers. One thread at a time, but for `sample`.
class ProcessMetrics {
 public:
  explicit ProcessMetrics(const BuildInfo& build);

  /// `handler` is a route, never a path as a client wrote it.
  void count_http_answer(const std::string& handler, int status);
  void count_log_message(LogLevel level);

  [[nodiscard]] const SeriesSet& series() const { return series_; }

  /// What the kernel says about the process now; absent where it does not tell. Any thread.
  [[nodiscard]] SeriesSet sample() const;

  /// When the process was started, in seconds since 1970.
  [[nodiscard]] std::optional<double> started() const { return started_; }

 private:
  std::optional<double> started_;
  SeriesSet series_{};
  BoundedWords handlers_;
};

/// A part of the metrics was gathered: how long that took, and whether it was all of it.
void set_collector(SeriesSet& series, const std::string& collector, double took, bool all);

}  // namespace sconverge
