#pragma once

#include <fstream>
#include <memory>
#include <string>

#include "controller/gateway/gateway.h"
#include "controller/google/credentials.h"
#include "controller/http/http_server.h"
#include "controller/slurm/slurm_job_api_transport.h"
#include "tests/contract/cluster_under_test.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {

/// The Slurm of tests/lab, reached through the Slurm Job API as our gateway serves it.
class GatewayUnderTest : public LabUnderTest {
 public:
  /// `queries` false: the service refuses paths with a query.
  explicit GatewayUnderTest(bool queries, const ObserverOptions& observer = {}) {
    const std::string token = "a-token-of-the-contract";
    std::ofstream(directory_ / "token") << token << "\n";
    std::ofstream(directory_ / "tokens.yaml")
        << "tokens: [{token: " << token << ", permission: run}]\n";
    tokens_ = std::move(BearerTokens::open(directory_ / "tokens.yaml", {}).value());
    upstream_ = lab_transport();
    GatewayOptions names{.project = "p", .region = "r", .cluster = "c", .queries = queries};
    gateway_ = std::make_unique<Gateway>(names, *upstream_, *tokens_);
    HttpOptions options{.listen = {"127.0.0.1", 0}};
    options.service =
        Service{[this](const HttpRequest& request) { return gateway_->answer(request); }};
    server_ = std::move(serve(options, {}).value());
    auto transport = make_slurm_job_api_transport(
        {.project = "p",
         .region = "r",
         .cluster = "c",
         .endpoint = "http://127.0.0.1:" + std::to_string(server_->port()),
         .user = user()},
        make_http_client({}).value(), make_token_file(directory_ / "token"));
    client_ = make_rest_client(std::move(transport.value()), {.observer = observer});
  }

  SlurmClient& client() override { return *client_; }

 private:
  TempDirectory directory_{};
  std::unique_ptr<BearerTokens> tokens_{};
  std::unique_ptr<Transport> upstream_{};
  std::unique_ptr<Gateway> gateway_{};
  std::unique_ptr<HttpServer> server_{};
  std::unique_ptr<SlurmClient> client_{};
};

/// The lab's only when it is there: `eval "$(tests/lab/lab env)"`.
inline std::vector<ClusterKind> clusters_at_hand() {
  std::vector<ClusterKind> kinds{{"Fake", [](const ObserverOptions& observer) {
                                    return std::make_unique<FakeClusterUnderTest>(observer);
                                  }}};
  if (LabUnderTest::is_there()) {
    kinds.push_back({"Lab", [](const ObserverOptions& observer) {
                       return std::make_unique<LabUnderTest>(observer);
                     }});
    kinds.push_back({"Gateway", [](const ObserverOptions& observer) {
                       return std::make_unique<GatewayUnderTest>(true, observer);
                     }});
  }
  return kinds;
}

}  // namespace sconverge::test
