#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "controller/app/runtime.h"
#include "controller/gateway/bearer_tokens.h"
#include "controller/http/health.h"
#include "controller/http/http_server.h"
#include "controller/ports/clock.h"

namespace sconverge {

/// Where pages take what they show. Called on any thread; must outlive the server, like the clock.
struct PageSources {
  const Clock& clock;
  std::function<HealthState()> health{};
  std::function<std::string()> exposition{};  ///< of the metrics
};

/// What `run` serves: the probes, /metrics, and at / the list of these. All but the probes need one
/// of `tokens`, if there are any (null: nobody needs one). No page calls Slurm or reads the state
/// directory.
std::vector<Route> pages_of(const PageSources& sources,
                            const std::shared_ptr<BearerTokens>& tokens);

/// /livez and its alias /healthz, and /readyz.
std::vector<Route> probes_of(const PageSources& sources);

/// `draining`: the process was asked to stop.
HealthState health_of(const Runtime& runtime, bool draining);

}  // namespace sconverge
