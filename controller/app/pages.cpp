#include "controller/app/pages.h"

#include "metrics/metrics.h"

namespace sconverge {
namespace {

using Page = std::function<HttpAnswer(const HttpRequest&)>;

HttpAnswer refusal_of(const HttpRequest& request) {
  const bool sent = !request.authorization.empty();
  return {401,
          kPlainText,
          std::string(sent ? "this token is not known here" : "a token is needed here") +
              "; send the header Authorization: Bearer TOKEN with one from the file that "
              "listenTokenFile names\n",
          {{"WWW-Authenticate", std::string("Bearer realm=\"sconverge\"") +
                                    (sent ? ", error=\"invalid_token\"" : "")}}};
}

Page guarded(Page page, const std::shared_ptr<BearerTokens>& tokens) {
  if (!tokens) return page;
  return [page = std::move(page), tokens](const HttpRequest& request) {
    return tokens->bearer_of(request.authorization) ? page(request) : refusal_of(request);
  };
}

}  // namespace

std::vector<Route> pages_of(const PageSources& sources,
                            const std::shared_ptr<BearerTokens>& tokens) {
  std::vector<Route> pages = probes_of(sources);
  pages.push_back({"/metrics", guarded(
                                   [exposition = sources.exposition](const HttpRequest&) {
                                     return HttpAnswer{200, kExpositionType, exposition(), {}};
                                   },
                                   tokens)});
  pages.push_back(
      {"/",
       guarded(
           [](const HttpRequest&) {
             return HttpAnswer{200, kPlainText, "sconverge\n\n/metrics\n/livez\n/readyz\n", {}};
           },
           tokens)});
  return pages;
}

std::vector<Route> probes_of(const PageSources& sources) {
  const auto live = [&clock = sources.clock, health = sources.health](const HttpRequest& request) {
    return livez(health(), clock.now(), request.has("verbose"));
  };
  const auto ready = [health = sources.health](const HttpRequest& request) {
    return readyz(health(), request.has("verbose"));
  };
  return {{"/livez", live}, {"/healthz", live}, {"/readyz", ready}};
}

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

}  // namespace sconverge
