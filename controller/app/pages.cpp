#include "controller/app/pages.h"

#include "controller/http/health.h"

namespace sconverge {
namespace {

HealthState health_of(const Runtime& runtime, bool draining) {
  HealthState state;
  state.config_valid = true;  // `run` does not get here otherwise
  state.store_open = true;
  state.source_scanned = true;
  state.draining = draining;
  for (const auto& cluster : runtime.clusters) {
    state.heartbeats[cluster->name] = cluster->heartbeat.last();
    state.source_scanned = state.source_scanned && cluster->heartbeat.has_scanned();
  }
  return state;
}

}  // namespace

std::vector<Route> pages_of(const Runtime& runtime, const Metrics& metrics, const Clock& clock,
                            const std::atomic<bool>& draining) {
  const auto live = [&](const HttpRequest& request) {
    return livez(health_of(runtime, draining), clock.now(), request.has("verbose"));
  };
  const auto ready = [&](const HttpRequest& request) {
    return readyz(health_of(runtime, draining), request.has("verbose"));
  };
  return {{"/metrics",
           [&](const HttpRequest&) {
             return HttpAnswer{200, kExpositionType, metrics.exposition()};
           }},
          {"/livez", live},
          {"/healthz", live},
          {"/readyz", ready},
          {"/", [](const HttpRequest&) {
             return HttpAnswer{200, kPlainText, "sconverge\n\n/metrics\n/livez\n/readyz\n"};
           }}};
}

}  // namespace sconverge
