#pragma once

#include <map>
#include <string>

#include "controller/core/time.h"
#include "controller/ports/http_exchange.h"

namespace sconverge {

/// A reconcile loop that has not come round for this long, beside what a call of its may take, is
/// stuck.
inline constexpr seconds kStuckAfter{60};

struct LoopBeat {
  TimePoint last{};              ///< when the loop last came round
  milliseconds longest_call{0};  ///< that it may rightly wait for within one round
};

/// What the probes depend on. Slurm is no part of it: an outage is told by metrics, and restarting
/// the controller would not mend it.
struct HealthState {
  std::map<std::string, LoopBeat> heartbeats{};  ///< by cluster
  bool config_valid{false};
  bool store_open{false};
  bool source_scanned{false};  ///< the first scan of the watched directory is done, whatever it saw
  bool draining{false};        ///< asked to stop, finishing what is in flight
};

/// Whether the process works: no loop is stuck. 200 or 503. With
/// `verbose` one line a check, `[+]name ok` or `[-]name failed`, and a last line with the sum;
/// without it "ok", or the verbose text where something failed. Never a reason. Pure.
HttpAnswer livez(const HealthState& state, TimePoint now, bool verbose);

/// Whether the process does its work: configuration valid, store open, first scan done, and not on
/// its way out. Text as in `livez`. Pure.
HttpAnswer readyz(const HealthState& state, bool verbose);

}  // namespace sconverge
