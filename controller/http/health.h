#pragma once

#include <map>
#include <string>

#include "controller/core/time.h"
#include "controller/ports/http_exchange.h"

namespace sconverge {

/// A reconcile loop that has not come round for this long is stuck.
inline constexpr seconds kStuckAfter{60};

/// What the probes depend on. Slurm is no part of it: an outage is told by metrics, and restarting
/// the controller would not mend it.
struct HealthState {
  std::map<std::string, TimePoint> heartbeats{};  ///< when each cluster's loop last came round
  bool config_valid{false};
  bool store_open{false};
  bool source_scanned{false};  ///< the first scan of the watched directory is done, whatever it saw
  bool draining{false};        ///< asked to stop, finishing what is in flight
};

/// Whether the process works: every loop came round less than `kStuckAfter` ago. 200 or 503. With
/// `verbose` one line a check, `[+]name ok` or `[-]name failed`, and a last line with the sum;
/// without it "ok", or the verbose text where something failed. Never a reason. Pure.
HttpAnswer livez(const HealthState& state, TimePoint now, bool verbose);

/// Whether the process does its work: configuration valid, store open, first scan done, and not on
/// its way out. Text as in `livez`. Pure.
HttpAnswer readyz(const HealthState& state, bool verbose);

}  // namespace sconverge
