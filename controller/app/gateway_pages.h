#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "controller/core/time.h"
#include "controller/gateway/gateway.h"
#include "controller/http/http_server.h"
#include "controller/ports/clock.h"
#include "metrics/gateway_metrics.h"

namespace sconverge {

/// What the probes of `sconverge gateway` depend on. Any thread.
class GatewayHealth {
 public:
  /// A slurmrestd that did not answer is asked about again after this; until then the gateway is
  /// not ready. Without an end it would never be asked again where only ready gateways are.
  static constexpr seconds kNotReadyFor{30};

  void record(const GatewayExchange& exchange, TimePoint now);
  void start_draining();

  /// Whether slurmrestd answered lately, or was not asked.
  [[nodiscard]] bool slurmrestd_answers(TimePoint now) const;
  [[nodiscard]] bool draining() const;

 private:
  mutable std::mutex mutex_{};
  std::optional<TimePoint> failed_at_{};
  bool draining_{false};
};

/// What `gateway` serves beside the Slurm Job API: /metrics, /livez and its alias /healthz,
/// /readyz, and at / the list of these. None of them asks Slurm. `guarded`: /metrics needs a bearer
/// token. The arguments must outlive the server.
std::vector<Route> gateway_pages(const GatewayHealth& health, const GatewayMetrics& metrics,
                                 BearerTokens& tokens, const Clock& clock, bool guarded);

}  // namespace sconverge
