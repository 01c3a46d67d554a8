#include "metrics/gateway_metrics.h"

#include <array>
#include <mutex>
#include <set>
#include <utility>

#include "metrics/bounded_words.h"
#include "metrics/cluster_metrics.h"
#include "metrics/process_metrics.h"
#include "metrics/series.h"

namespace sconverge {
namespace {

constexpr std::array kUpstreamErrors{"denied",    "rejected", "token_refused",
                                     "too_large", "unknown",  "unavailable"};

/// Answers of HTTP servers have three digits; whatever else there may be shares one word.
std::string status_label(int status) {
  return status >= 100 && status <= 999 ? std::to_string(status) : "other";
}

}  // namespace

class GatewayMetrics::State {
 public:
  explicit State(const BuildInfo& build) : process_(build) {
    series_.set("sconverge_gateway_in_flight", {}, 0);
    series_.create("sconverge_gateway_tokens_reload_failures_total", {});
    for (const char* kind : kUpstreamErrors) {
      series_.create("sconverge_gateway_upstream_errors_total", {{"kind", kind}});
    }
  }

  void begin_request() {
    const std::lock_guard lock(mutex_);
    series_.set("sconverge_gateway_in_flight", {}, ++in_flight_);
  }

  void record_request(const GatewayRequest& request) {
    const std::lock_guard lock(mutex_);
    series_.set("sconverge_gateway_in_flight", {}, --in_flight_);
    const std::string method = methods_.contains(request.method) ? request.method : "other";
    const std::string route = routes_.of(request.route);
    series_.add("sconverge_gateway_requests_total",
                {{"method", method},
                 {"route", route},
                 {"code", status_label(request.code)},
                 {"slurm_status", request.slurm_status
                                      ? slurm_statuses_.of(status_label(*request.slurm_status))
                                      : "none"}});
    series_.observe("sconverge_gateway_request_duration_seconds",
                    {{"method", method}, {"route", route}}, request.seconds);
    if (request.upstream_error.empty()) return;
    const bool known = kinds_.contains(request.upstream_error);
    series_.add("sconverge_gateway_upstream_errors_total",
                {{"kind", known ? request.upstream_error : "other"}});
  }

  void record_tokens(bool in_force, std::size_t tokens, TimePoint now) {
    const std::lock_guard lock(mutex_);
    series_.set("sconverge_gateway_tokens", {}, static_cast<double>(tokens));
    series_.set("sconverge_gateway_tokens_valid", {}, in_force ? 1 : 0);
    if (in_force) {
      series_.set("sconverge_gateway_tokens_reload_timestamp_seconds", {}, unix_seconds(now));
    } else {
      series_.add("sconverge_gateway_tokens_reload_failures_total", {});
    }
  }

  template <typename Change>
  void change_process(const Change& change) {
    const std::lock_guard lock(mutex_);
    change(process_);
  }

  std::string exposition() const {
    const SeriesSet now = process_.sample();
    const std::lock_guard lock(mutex_);
    return text_of({&now, &process_.series(), &series_});
  }

 private:
  mutable std::mutex mutex_;
  ProcessMetrics process_;
  SeriesSet series_{};
  double in_flight_{0};
  const std::set<std::string> methods_{"DELETE", "GET", "POST", "none"};
  const std::set<std::string> kinds_{kUpstreamErrors.begin(), kUpstreamErrors.end()};
  BoundedWords routes_{64, {"none"}};
  BoundedWords codes_{32};
  BoundedWords slurm_statuses_{32};
};

GatewayMetrics::GatewayMetrics(const BuildInfo& build) : state_(std::make_unique<State>(build)) {}
GatewayMetrics::~GatewayMetrics() = default;

void GatewayMetrics::begin_request() { state_->begin_request(); }
void GatewayMetrics::record_request(const GatewayRequest& request) {
  state_->record_request(request);
}
void GatewayMetrics::record_tokens(bool in_force, std::size_t tokens, TimePoint now) {
  state_->record_tokens(in_force, tokens, now);
}
void GatewayMetrics::count_http_answer(const std::string& handler, int status) {
  state_->change_process(
      [&](ProcessMetrics& process) { process.count_http_answer(handler, status); });
}
void GatewayMetrics::count_log_message(LogLevel level) {
  state_->change_process([&](ProcessMetrics& process) { process.count_log_message(level); });
}
std::string GatewayMetrics::exposition() const { return state_->exposition(); }

}  // namespace sconverge
