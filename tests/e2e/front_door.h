#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "controller/http/http_client.h"
#include "tests/e2e/gateway_process.h"
#include "tests/support/google_servers.h"
#include "tests/support/stub_http_server.h"

namespace sconverge::test {

/// What stands before a gateway as Google's front door stands before a training cluster: it takes
/// the tokens of GoogleServers, or lets all through, and can lose answers on their way back.
class FrontDoor {
 public:
  /// Both outlive it. Without `google` callers bring the gateway's own token.
  explicit FrontDoor(GatewayProcess& gateway, GoogleServers* google = nullptr)
      : gateway_(gateway), google_(google) {}

  [[nodiscard]] std::string url() const { return server_.url(); }

  std::atomic<int> answers_to_lose{0};  ///< of the next submits, after the gateway has answered
  std::atomic<int> refused{0};          ///< requests with a token that is none, or none any more
  std::atomic<int> submits{0};          ///< that reached the gateway

 private:
  StubAnswer pass_on(const StubRequest& request) {
    const auto header = request.headers.find("authorization");
    std::string authorization = header == request.headers.end() ? "" : header->second;
    if (google_ != nullptr) {
      constexpr std::size_t kBearer = 7;
      if (authorization.size() < kBearer || !google_->whose(authorization.substr(kBearer))) {
        ++refused;
        return {.status = 401,
                .body = R"({"error":{"code":401,"message":"Request had invalid authentication )"
                        R"(credentials.","status":"UNAUTHENTICATED"}})"};
      }
      authorization = "Bearer " + gateway_.token();
    }
    const HttpCall call{
        .method = HttpMethod::Post,
        .url = gateway_.url() + request.path,
        .headers = {{"Authorization", authorization}, {"Content-Type", "application/json"}},
        .body = request.body,
        .at_most_once = true};
    const auto reply = exchange_whole(*http_, call, 100'000'000);
    if (!reply) return {.manner = StubAnswer::Manner::HangUp};
    const bool submit = request.body.find("job/submit") != std::string::npos;
    if (submit) ++submits;
    if (submit && answers_to_lose > 0) {
      --answers_to_lose;
      return {.manner = StubAnswer::Manner::HangUp};
    }
    return {.status = reply->head.status, .body = reply->body};
  }

  GatewayProcess& gateway_;
  GoogleServers* const google_;
  const std::shared_ptr<HttpClient> http_{make_http_client({}).value()};
  StubHttpServer server_{[this](const StubRequest& request) { return pass_on(request); }};
};

}  // namespace sconverge::test
