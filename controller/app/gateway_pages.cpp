#include "controller/app/gateway_pages.h"

#include <string>

namespace sconverge {
namespace {

HttpAnswer ready_page(const GatewayHealth& health, TimePoint now, bool verbose) {
  const bool answers = health.slurmrestd_answers(now);
  const bool draining = health.draining();
  const bool ready = answers && !draining;
  if (ready && !verbose) return {200, kPlainText, "ok\n", {}};
  const auto line = [](const std::string& check, bool good) {
    return (good ? "[+]" : "[-]") + check + (good ? " ok\n" : " failed\n");
  };
  // Without tokens it would not have started.
  return {ready ? 200 : 503,
          kPlainText,
          line("tokens", true) + line("slurmrestd", answers) + line("not-draining", !draining) +
              (ready ? "readyz check passed\n" : "readyz check failed\n"),
          {}};
}

}  // namespace

void GatewayHealth::record(const GatewayExchange& exchange, TimePoint now) {
  const std::string& kind = exchange.upstream.kind;
  const bool failed =
      kind == "unavailable" || kind == "unknown" || kind == "denied" || kind == "token_refused";
  const std::lock_guard lock(mutex_);
  if (failed) {
    failed_at_ = now;
  } else if (exchange.slurm_status) {
    failed_at_.reset();
  }
}

void GatewayHealth::start_draining() {
  const std::lock_guard lock(mutex_);
  draining_ = true;
}

bool GatewayHealth::slurmrestd_answers(TimePoint now) const {
  const std::lock_guard lock(mutex_);
  return !failed_at_ || now - *failed_at_ >= kNotReadyFor;
}

bool GatewayHealth::draining() const {
  const std::lock_guard lock(mutex_);
  return draining_;
}

std::vector<Route> gateway_pages(const GatewayHealth& health, const GatewayMetrics& metrics,
                                 BearerTokens& tokens, const Clock& clock, bool guarded) {
  const auto live = [](const HttpRequest&) { return HttpAnswer{200, kPlainText, "ok\n", {}}; };
  return {
      {"/metrics",
       [&, guarded](const HttpRequest& request) {
         if (guarded && !tokens.bearer_of(request.authorization)) {
           return refusal(RpcStatus::Unauthenticated,
                          "metrics need a token here; send the header Authorization: Bearer "
                          "TOKEN with one that this gateway knows")
               .http;
         }
         return HttpAnswer{200, kExpositionType, metrics.exposition(), {}};
       }},
      {"/livez", live},
      {"/healthz", live},
      {"/readyz",
       [&](const HttpRequest& request) {
         return ready_page(health, clock.now(), request.has("verbose"));
       }},
      {"/", [](const HttpRequest&) {
         return HttpAnswer{200, kPlainText, "sconverge gateway\n\n/metrics\n/livez\n/readyz\n", {}};
       }}};
}

}  // namespace sconverge
