#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

#include "controller/app/connection.h"
#include "controller/app/gateway_log.h"
#include "controller/app/gateway_pages.h"
#include "controller/app/verbs.h"
#include "controller/http/http_client.h"
#include "controller/http/listen_address.h"
#include "tests/app/console_world.h"
#include "tests/support/stub_http_server.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kToken = "0123456789abcdef";

struct GatewayPages : testing::Test {
  GatewayPages() {
    std::ofstream(directory / "tokens") << "tokens: [{token: " << kToken << ", permission: read}]";
    auto opened = BearerTokens::open(directory / "tokens", {});
    if (!opened) std::abort();
    tokens = std::move(*opened);
  }

  HttpAnswer get(const std::string& path, const std::string& authorization = "",
                 bool guarded = false) {
    HttpRequest request;
    request.method = "GET";
    request.path = path;
    request.authorization = authorization;
    for (const Route& route : gateway_pages(health, metrics, *tokens, clock, guarded)) {
      if (route.path == path) return route.get(request);
    }
    return {404, kPlainText, "", {}};
  }

  void answered(std::optional<int> slurm_status, const std::string& kind) {
    GatewayExchange exchange;
    exchange.slurm_status = slurm_status;
    exchange.upstream.kind = kind;
    health.record(exchange, clock.now());
  }

  TempDirectory directory{};
  FakeClock clock{};
  GatewayHealth health{};
  GatewayMetrics metrics{BuildInfo{"1", "2", "3"}};
  std::unique_ptr<BearerTokens> tokens{};
};

TEST_F(GatewayPages, AGatewayThatWasNotAskedYetIsReady) {
  EXPECT_EQ(get("/readyz").status, 200);
  EXPECT_EQ(get("/livez").status, 200);
  EXPECT_EQ(get("/healthz").status, 200);
}

TEST_F(GatewayPages, ASlurmrestdThatDoesNotAnswerMakesItNotReadyForAWhile) {
  for (const char* kind : {"unavailable", "unknown", "denied", "token_refused"}) {
    answered(std::nullopt, kind);
    EXPECT_EQ(get("/readyz").status, 503) << kind;
    EXPECT_THAT(get("/readyz").body, HasSubstr("[-]slurmrestd failed"));
    EXPECT_EQ(get("/livez").status, 200) << "a restart would not mend it";
    clock.advance(GatewayHealth::kNotReadyFor);
    EXPECT_EQ(get("/readyz").status, 200) << kind;
  }
}

TEST_F(GatewayPages, TheNextAnswerOfSlurmsMakesItReady) {
  answered(std::nullopt, "unavailable");
  answered(500, "");
  EXPECT_EQ(get("/readyz").status, 200);
}

TEST_F(GatewayPages, ARefusalOfItsOwnSaysNothingAboutSlurmrestd) {
  answered(std::nullopt, "unavailable");
  answered(std::nullopt, "");
  EXPECT_EQ(get("/readyz").status, 503);
  clock.advance(GatewayHealth::kNotReadyFor);
  answered(std::nullopt, "too_large");
  EXPECT_EQ(get("/readyz").status, 200);
}

TEST_F(GatewayPages, WhileStoppingItIsNotReady) {
  health.start_draining();
  EXPECT_EQ(get("/readyz").status, 503);
  EXPECT_THAT(get("/readyz").body, HasSubstr("[-]not-draining failed"));
}

TEST_F(GatewayPages, MetricsNeedATokenWhereTheyAreGuarded) {
  EXPECT_THAT(get("/metrics").body, HasSubstr("sconverge_gateway_in_flight 0"));
  EXPECT_EQ(get("/metrics", "", true).status, 401);
  EXPECT_EQ(get("/metrics", "Bearer 0123456789abcdeX", true).status, 401);
  EXPECT_EQ(get("/metrics", std::string("Bearer ") + kToken, true).status, 200);
}

TEST(GatewayLog, ARequestIsOneLine) {
  GatewayExchange exchange;
  exchange.method = "POST";
  exchange.route = "/slurm/{version}/job/submit";
  exchange.code = 200;
  exchange.status = "OK";
  exchange.slurm_status = 422;
  exchange.seconds = 0.5;
  exchange.token_name = "ci";
  exchange.bytes_in = 10;
  exchange.bytes_out = 20;
  const LogLine line = request_line(exchange);
  EXPECT_EQ(line.level, LogLevel::Info);
  EXPECT_THAT(
      to_logfmt(line, kNoon),
      AllOf(HasSubstr("msg=request endpoint=\"POST /slurm/{version}/job/submit\" http_status=200"),
            HasSubstr("slurm_status=422 duration_ms=500"),
            HasSubstr("token_name=ci bytes_in=10 bytes_out=20")));
}

TEST(GatewayLog, AFailureOfSlurmrestdIsAWarningWithItsReason) {
  GatewayExchange exchange;
  exchange.upstream = {"unavailable", "nobody listens there"};
  const LogLine line = request_line(exchange);
  EXPECT_EQ(line.level, LogLevel::Warning);
  EXPECT_THAT(to_logfmt(line, kNoon),
              AllOf(HasSubstr("error_class=unavailable"), HasSubstr("nobody listens there")));
}

TEST(GatewayLog, TokensThatAreNotInForceAreAWarning) {
  EXPECT_EQ(tokens_line("gateway", {true, 2, ""}).level, LogLevel::Info);
  EXPECT_EQ(tokens_line("gateway", {true, 0, "no tokens"}).level, LogLevel::Warning);
  const LogLine line = tokens_line("gateway", {false, 2, "tokens.yaml:3: broken"});
  EXPECT_EQ(line.level, LogLevel::Warning);
  EXPECT_THAT(to_logfmt(line, kNoon), HasSubstr("tokens.yaml:3: broken"));
}

struct GatewayVerb : testing::Test, ConsoleWorld {
  GatewayVerb() {
    write("tokens", std::string("tokens: [{token: ") + kToken + ", permission: run}]");
  }

  ExitCode gateway(const std::string& slurmrestd, const std::string& listen) {
    write("slurm-token", "jwt");
    Config config;
    config.web.listen = listen;
    config.gateway.tokens = directory / "tokens";
    ClusterConfig& cluster = config.clusters.emplace_back();
    cluster.slurmrestd = {slurmrestd, "alice", directory / "slurm-token"};
    cluster.job_api.project = "p1";
    cluster.job_api.region = "r1";
    cluster.job_api.cluster = "c1";
    return verb_gateway(config, console);
  }
};

TEST_F(GatewayVerb, AnythingWiderThanTheLoopbackNeedsTls) {
  EXPECT_EQ(gateway("http://127.0.0.1:1", "0.0.0.0:0"), ExitCode::Usage);
  EXPECT_THAT(err.str(), AllOf(HasSubstr("needs TLS"), HasSubstr("--tls-cert")));
}

TEST_F(GatewayVerb, ATokensFileThatCannotBeUsedEndsIt) {
  write("tokens", "tokens: [{token: short, permission: run}]");
  EXPECT_EQ(gateway("http://127.0.0.1:1", "127.0.0.1:0"), ExitCode::Error);
  EXPECT_THAT(err.str(), HasSubstr("tokens:1: the token is shorter than 16 characters"));
}

/// A port that was free a moment ago.
std::uint16_t free_port() { return ListeningSocket::open({"127.0.0.1", 0})->address().port; }

/// Asks until somebody answers.
HttpReply ask(HttpClient& client, const HttpCall& call) {
  for (int tries = 0; tries < 400; ++tries) {
    if (auto reply = exchange_whole(client, call, 100'000)) return *reply;
    std::this_thread::sleep_for(milliseconds{25});
  }
  return {};
}

/// The whole life of a gateway, in a process of its own. Ends it with what went wrong, or with the
/// verb's exit code.
[[noreturn]] void live() {
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &stop, nullptr);
  StubHttpServer slurmrestd([](const StubRequest& request) {
    return StubAnswer{.body = R"({"asked":")" + request.method + " " + request.path + "\"}"};
  });
  struct World : GatewayVerb {
    void TestBody() override {}
  } world;
  const std::uint16_t port = free_port();
  const std::string origin = "http://127.0.0.1:" + std::to_string(port);
  ExitCode code = ExitCode::Error;
  // The threads that carry HTTP are set up before the first client, and the test has one, too.
  ClusterConfig nobody;
  nobody.slurmrestd = {"http://127.0.0.1:1", "alice", "/nowhere"};
  static_cast<void>(make_transport(nobody, world.clock));
  std::thread verb(
      [&] { code = world.gateway(slurmrestd.url(), "127.0.0.1:" + std::to_string(port)); });
  const auto client = make_http_client({});
  HttpCall call;
  call.method = HttpMethod::Post;
  call.url =
      origin + "/v1beta1/projects/p1/locations/r1/modelDevelopmentClusters/c1:callSlurmRestApi";
  call.headers = {{"Authorization", std::string("Bearer ") + kToken},
                  {"Content-Type", "application/json"}};
  call.body = R"({"method":"HTTP_METHOD_GET","path":"/slurm/v0.0.42/jobs/"})";
  const HttpReply answer = ask(**client, call);
  HttpCall page;
  page.url = origin + "/metrics";
  const HttpReply metrics = ask(**client, page);
  ::kill(::getpid(), SIGTERM);
  verb.join();
  const bool good =
      answer.body == R"({"status":200,"structuredBody":{"asked":"GET /slurm/v0.0.42/jobs/"}})" &&
      metrics.body.find("route=\"/slurm/{version}/jobs\"") != std::string::npos &&
      world.err.str().find(kToken) == std::string::npos;
  std::fprintf(stderr, "%s\n%s\n", answer.body.c_str(), world.err.str().c_str());
  std::_Exit(good ? static_cast<int>(code) : 99);
}

TEST(GatewayVerbDeathTest, ServesUntilItIsAskedToStop) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(live(), testing::ExitedWithCode(0), "request");
}

}  // namespace
}  // namespace sconverge::test
