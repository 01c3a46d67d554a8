#pragma once

#include "controller/app/log.h"
#include "controller/app/report_log.h"
#include "controller/app/runtime.h"
#include "controller/app/status_board.h"
#include "controller/app/status_line.h"
#include "metrics/metrics.h"

namespace sconverge {

/// Where ticks are told of.
struct TickAudience {
  Log& log;
  Metrics& metrics;
  StatusBoard& board;
  StatusLine& line;
};

/// Tells of one cluster's ticks, and now and then asks Slurm for what no tick needs. One thread at
/// a time.
class TickTeller {
 public:
  TickTeller(TickAudience audience, const Clock& clock) : audience_(audience), clock_(clock) {}

  void take(ClusterRuntime& cluster, const TickReport& report);

 private:
  void check(ClusterRuntime& cluster);

  const TickAudience audience_;
  const Clock& clock_;
  ReportLog report_log_{};
  std::optional<LogLine> connected_{};  ///< what was said last
};

}  // namespace sconverge
