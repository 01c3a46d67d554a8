#pragma once

#include <memory>
#include <optional>
#include <string>

#include "controller/core/time.h"
#include "metrics/metrics.h"

namespace sconverge {

/// One request to the gateway, as it was answered.
struct GatewayRequest {
  std::string method{};               ///< "GET", "POST", "DELETE" or "none"
  std::string route{};                ///< a template without ids and names, "other" or "none"
  int code{0};                        ///< the HTTP status given
  std::optional<int> slurm_status{};  ///< the one inside, if Slurm's answer was passed on
  double seconds{0};
  std::string upstream_error{};  ///< its kind; empty: none
};

/// What people watch of `sconverge gateway`; the families are those of metrics/README.md. All
/// functions may be called from any thread. Whatever is recorded, the number of series is bounded:
/// words over a limit become "other".
class GatewayMetrics {
 public:
  explicit GatewayMetrics(const BuildInfo& build);
  ~GatewayMetrics();
  GatewayMetrics(const GatewayMetrics&) = delete;
  GatewayMetrics& operator=(const GatewayMetrics&) = delete;

  /// Each is followed by one record_request.
  void begin_request();
  void record_request(const GatewayRequest& request);

  /// The tokens file was read (or could not be). `tokens`: in force now.
  void record_tokens(bool in_force, std::size_t tokens, TimePoint now);

  /// `handler` is a route, never a path as a client wrote it.
  void count_http_answer(const std::string& handler, int status);
  void count_log_message(LogLevel level);

  /// All metrics in Prometheus' text format 0.0.4.
  [[nodiscard]] std::string exposition() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace sconverge
