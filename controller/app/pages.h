#pragma once

#include <atomic>
#include <vector>

#include "controller/app/runtime.h"
#include "controller/http/http_server.h"
#include "metrics/metrics.h"

namespace sconverge {

/// What `run` serves: /metrics, /livez and its alias /healthz, /readyz, and at / the list of these.
/// No page calls Slurm or reads the state directory. The arguments must outlive the server.
/// `draining`: the process was asked to stop.
std::vector<Route> pages_of(const Runtime& runtime, const Metrics& metrics, const Clock& clock,
                            const std::atomic<bool>& draining);

}  // namespace sconverge
