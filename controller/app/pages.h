#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "controller/app/status_board.h"
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
  std::function<std::vector<ClusterView>()> clusters{};
  /// A cluster without a tick for longer than this is stuck.
  std::function<milliseconds()> patience{[] { return milliseconds{60000}; }};
};

/// What `run` serves: the probes; /metrics; /api/v1/specs, which is what `sconverge get -o json`
/// prints; and at / the status page, in HTML for those who accept that and else as plain text. The
/// last two take the query of filter_of, and answer 400 to a wrong one.
///
/// All but the probes need one of `tokens`, if there are any (null: nobody needs one): as a bearer
/// token or, for browsers, as the password of Basic authentication. No page calls Slurm or reads
/// the state directory.
std::vector<Route> pages_of(const PageSources& sources,
                            const std::shared_ptr<BearerTokens>& tokens);

/// /livez and its alias /healthz, and /readyz.
std::vector<Route> probes_of(const PageSources& sources);

}  // namespace sconverge
