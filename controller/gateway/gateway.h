#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "controller/gateway/bearer_tokens.h"
#include "controller/gateway/slurm_path.h"
#include "controller/gateway/upstream.h"
#include "controller/gateway/wire_answer.h"
#include "controller/gateway/wire_read.h"
#include "controller/ports/http_exchange.h"
#include "controller/ports/transport.h"

namespace sconverge {

/// What is told of one request, for the log and the metrics: nothing of any body, script,
/// environment or token.
struct GatewayExchange {
  std::string method{"none"};  ///< "GET", "POST", "DELETE"; none: it was not understood that far
  std::string route{"none"};   ///< see route_of
  int code{0};                 ///< the HTTP status given
  std::string status{};        ///< Google's word for it, "OK" or "UNAVAILABLE"
  std::optional<int> slurm_status{};  ///< Slurm's HTTP status, if its answer was passed on
  double seconds{0};
  std::string token_name{};  ///< empty: no valid token
  std::size_t bytes_in{0};   ///< of the bodies
  std::size_t bytes_out{0};
  UpstreamFailure upstream{};
};

struct GatewayOptions {
  std::string project{};  ///< the names that the URL must carry
  std::string region{};
  std::string cluster{};
  bool queries{true};  ///< false refuses paths with a query, to test clients with
  std::size_t most_request_bytes{999'999};  ///< "under 1 MB"
  std::size_t most_answer_bytes{std::size_t{256} * 1024 * 1024};
  /// Called at the end of each request, on its thread.
  std::function<void(const GatewayExchange&)> observe{};
  std::function<std::chrono::steady_clock::time_point()> now{std::chrono::steady_clock::now};
};

/// Google's Slurm Job API in front of a slurmrestd:
///
///   POST /v1beta1/projects/P/locations/R/modelDevelopmentClusters/C:callSlurmRestApi
///   {"method": "HTTP_METHOD_POST", "path": "/slurm/v0.0.42/job/submit", "body": {...}}
///
/// answers 200 {"status": <Slurm's HTTP status>, "structuredBody": {...}}, or a google.rpc error
/// with its HTTP status. What callers can rely on:
///
/// - The order of the checks: token (401), URL (404), size and form of the request (400), the
/// token's
///   permission and whether the call is one that is passed on (403).
/// - All jobs are the Slurm user's whose token the Transport sends. A submit or update that names a
///   user is refused; jobs of others can be read but neither changed nor cancelled. Whose a job is
///   is read before, and nothing is sent on if that fails (a 4xx of Slurm's to that is the answer).
/// - UNAVAILABLE (503) means that nothing happened. DEADLINE_EXCEEDED (504) means that a POST or
///   DELETE may have been carried out. A submit is sent at most once.
///
/// Thread-safe; no exception leaves it.
class Gateway {
 public:
  /// `transport` and `tokens` must outlive it.
  Gateway(GatewayOptions options, Transport& transport, BearerTokens& tokens);

  HttpAnswer answer(const HttpRequest& request);

  /// "/v1beta1/projects/P/locations/R/modelDevelopmentClusters/C:callSlurmRestApi"
  [[nodiscard]] const std::string& url_path() const { return url_path_; }

 private:
  struct Call {
    CallEnvelope envelope{};
    SlurmPath path{};
    CallPurpose purpose{CallPurpose::Read};
  };

  RpcAnswer serve(const HttpRequest& request, GatewayExchange& exchange);
  Result<Call> read_call(const HttpRequest& request, const Bearer& bearer,
                         GatewayExchange& exchange) const;
  Result<Done> check_user_fields(const Call& call) const;
  std::optional<RpcAnswer> check_owner(const Call& call, GatewayExchange& exchange);
  RpcAnswer pass_on(SlurmAnswer answer, GatewayExchange& exchange) const;

  GatewayOptions options_;
  std::string url_path_;
  Transport& transport_;
  BearerTokens& tokens_;
};

}  // namespace sconverge
