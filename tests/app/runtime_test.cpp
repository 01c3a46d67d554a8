#include "controller/app/runtime.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "controller/app/no_memory.h"
#include "controller/app/pages.h"
#include "controller/app/signals.h"
#include "controller/google/base64.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_spec_source.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {
namespace {

using testing::HasSubstr;

TEST(ControllerIdTest, JoinsTheHostAndTheWatchedDirectory) {
  const std::string id = derived_controller_id("Node1.example.org", "/srv/jobs");
  EXPECT_THAT(id, testing::MatchesRegex("node1-[0-9a-f]+"));
  EXPECT_EQ(id.size(), std::string("node1-").size() + 8);
  EXPECT_EQ(id, derived_controller_id("node1", "/srv/jobs"));
  EXPECT_NE(id, derived_controller_id("node1", "/srv/other"));
}

TEST(ControllerIdTest, IsALabelWhateverTheHostIsCalled) {
  for (const std::string& host :
       {std::string(), std::string("_"), std::string("-x_y-"), std::string("größe"),
        std::string(200, 'a'), std::string("127.0.0.1")}) {
    const std::string id = derived_controller_id(host, "/srv/jobs");
    EXPECT_THAT(id, testing::MatchesRegex("[a-z0-9][a-z0-9-]*[a-z0-9]")) << host;
    EXPECT_LE(id.size(), 63U) << host;
  }
}

TEST(NoMemoryTest, IsEmptyAndTakesNothing) {
  const auto store = make_no_memory();
  EXPECT_TRUE(store->load()->empty());
  EXPECT_TRUE(store->requests()->empty());
  EXPECT_THAT(store->published(), FailsWith(ErrorKind::Unavailable));
  EXPECT_THAT(store->save({}, {}), FailsWith(ErrorKind::Rejected));
  EXPECT_THAT(store->add_request({}), FailsWith(ErrorKind::Rejected));
  EXPECT_THAT(store->answered({}), FailsWith(ErrorKind::Rejected));
  EXPECT_THAT(store->publish({}), FailsWith(ErrorKind::Rejected));
}

struct HeartbeatTest : testing::Test {
  FakeClock clock{};
  Heartbeat heartbeat{};
};

/// A request that takes five seconds.
class SlowTransport : public Transport {
 public:
  SlowTransport(FakeClock& clock, const Heartbeat& heartbeat)
      : clock_(clock), heartbeat_(heartbeat) {}
  Result<AnswerHead> exchange(const SlurmCall&, const BodyReader&) override {
    EXPECT_EQ(heartbeat_.last(), clock_.now());
    clock_.advance(seconds{5});
    return AnswerHead{.status = 204};
  }
  bool renew_credentials(unsigned used) override { return used == 7; }
  [[nodiscard]] bool takes_queries() const override { return false; }
  [[nodiscard]] std::optional<TimePoint> credentials_expiry() const override { return kNoon; }
  [[nodiscard]] std::string credentials_text() const override { return "a token"; }
  [[nodiscard]] std::string endpoint() const override { return "http://lab"; }
  [[nodiscard]] std::string user() const override { return "alice"; }

 private:
  FakeClock& clock_;
  const Heartbeat& heartbeat_;
};

TEST_F(HeartbeatTest, BeatsBeforeAndAfterEachRequestToSlurm) {
  const auto transport =
      with_heartbeat(std::make_unique<SlowTransport>(clock, heartbeat), heartbeat, clock);
  for (int i = 0; i < 2; ++i) {
    clock.advance(seconds{1});
    EXPECT_EQ(transport->exchange({}, {})->status, 204);
    EXPECT_EQ(heartbeat.last(), clock.now());
  }
}

TEST_F(HeartbeatTest, ChangesNothingAboutTheWayToSlurm) {
  const auto transport =
      with_heartbeat(std::make_unique<SlowTransport>(clock, heartbeat), heartbeat, clock);
  EXPECT_TRUE(transport->renew_credentials(7));
  EXPECT_FALSE(transport->renew_credentials(8));
  EXPECT_FALSE(transport->takes_queries());
  EXPECT_EQ(transport->credentials_expiry(), kNoon);
  EXPECT_EQ(transport->credentials_text(), "a token");
  EXPECT_EQ(transport->endpoint(), "http://lab");
  EXPECT_EQ(transport->user(), "alice");
}

TEST_F(HeartbeatTest, BeatsWhileTheLoopWaitsAndKnowsTheFirstScan) {
  const auto source = with_heartbeat(std::make_unique<FakeSpecSource>(), heartbeat, clock);
  source->wait(seconds{1}, {});
  EXPECT_EQ(heartbeat.last(), clock.now());
  EXPECT_FALSE(heartbeat.has_scanned());
  clock.advance(seconds{1});
  source->read();
  EXPECT_EQ(heartbeat.last(), clock.now());
  EXPECT_TRUE(heartbeat.has_scanned());
}

TEST_F(HeartbeatTest, TellsTheFirstScanOnce) {
  int told = 0;
  heartbeat.tell_first_scan([&] { ++told; });
  const auto source = with_heartbeat(std::make_unique<FakeSpecSource>(), heartbeat, clock);
  EXPECT_EQ(told, 0);
  source->read();
  source->read();
  EXPECT_EQ(told, 1);
}

struct PagesTest : testing::Test {
  FakeClock clock{};
  HealthState health{{{"lab", {clock.now()}}}, true, true};
  Metrics metrics{{"1.2.3", "abc", "g++"}};
  TempDirectory directory{};
  std::shared_ptr<BearerTokens> tokens{};

  void need_a_token() {
    std::ofstream(directory / "tokens") << "0123456789abcdef\n";
    tokens = std::move(*BearerTokens::open(directory / "tokens", {}, &read_token_lines));
  }

  [[nodiscard]] PageSources sources() const {
    return {clock, [this] { return health; }, [this] { return metrics.exposition(); },
            [] { return std::vector<ClusterView>(); }};
  }
  HttpAnswer get(const std::string& path, const std::string& authorization = "") const {
    HttpRequest request;
    request.authorization = authorization;
    for (const auto& route : pages_of(sources(), tokens)) {
      if (route.path == path) return route.get(request);
    }
    return {404};
  }
};

TEST_F(PagesTest, IsAliveWhileTheHeartBeats) {
  EXPECT_EQ(get("/livez").status, 200);
  EXPECT_EQ(get("/healthz").status, 200);
  clock.advance(seconds{61});
  EXPECT_EQ(get("/livez").status, 503);
  EXPECT_THAT(get("/livez").body, HasSubstr("[-]loop-lab failed"));
}

TEST_F(PagesTest, IsReadyAfterTheFirstScanUntilItStops) {
  EXPECT_EQ(get("/readyz").status, 503);
  health.source_scanned = true;
  EXPECT_EQ(get("/readyz").status, 200);
  health.draining = true;
  EXPECT_EQ(get("/readyz").status, 503);
}

TEST_F(PagesTest, ServesMetrics) {
  EXPECT_EQ(get("/metrics").content_type, kExpositionType);
  EXPECT_THAT(get("/metrics").body, HasSubstr("sconverge_build_info"));
}

TEST_F(PagesTest, WithTokensAllButTheProbesNeedOne) {
  need_a_token();
  for (const char* page : {"/", "/metrics", "/api/v1/specs"}) {
    EXPECT_EQ(get(page).status, 401) << page;
    EXPECT_EQ(get(page, "Bearer 0123456789abcdeX").status, 401) << page;
    EXPECT_EQ(get(page, "Bearer 0123456789abcdef").status, 200) << page;
  }
  for (const char* probe : {"/livez", "/healthz", "/readyz"}) EXPECT_NE(get(probe).status, 401);
}

TEST_F(PagesTest, ARefusalSaysWhatToSend) {
  need_a_token();
  const HttpAnswer without = get("/metrics");
  EXPECT_THAT(without.body, HasSubstr("Authorization: Bearer TOKEN"));
  EXPECT_THAT(without.headers,
              testing::ElementsAre(testing::Pair("WWW-Authenticate", "Bearer realm=\"sconverge\""),
                                   testing::Pair("WWW-Authenticate", HasSubstr("Basic realm="))));
  const HttpAnswer wrong = get("/metrics", "Bearer 0123456789abcdeX");
  EXPECT_THAT(wrong.headers.at(0).second, HasSubstr("error=\"invalid_token\""));
  EXPECT_THAT(wrong.body, HasSubstr("is not known here"));
}

TEST_F(PagesTest, ABrowserSendsATokenAsThePassword) {
  need_a_token();
  const auto with = [&](const std::string& credentials) {
    return get("/metrics", credentials).status;
  };
  EXPECT_EQ(with("Basic " + base64("anybody:0123456789abcdef")), 200);
  EXPECT_EQ(with("basic " + base64(":0123456789abcdef")), 200);
  EXPECT_EQ(with("Basic " + base64("0123456789abcdef:")), 401);
  EXPECT_EQ(with("Basic " + base64("0123456789abcdef")), 401);
  EXPECT_EQ(with("Basic " + base64("a:b:0123456789abcdef")), 401);
  for (const char* broken :
       {"Basic", "Basic ", "Basic =", "Basic ====", "Basic !!!!", "Basic YQ"}) {
    EXPECT_EQ(with(broken), 401) << broken;
  }
}

TEST_F(PagesTest, TheProbesAloneAreServedWhereOnlyTheyAreWanted) {
  std::vector<std::string> paths;
  for (const auto& route : probes_of(sources())) paths.push_back(route.path);
  EXPECT_THAT(paths, testing::UnorderedElementsAre("/livez", "/healthz", "/readyz"));
}

// Each in a process of its own, because signals are a process's.

TEST(SignalsDeathTest, TheFirstOneAsksToStop) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const int signal : {SIGTERM, SIGINT}) {
    EXPECT_EXIT(
        {
          Signals signals;
          std::atomic<bool> asked{false};
          const std::stop_callback callback(signals.stop_token(), [&] {
            asked = true;
            asked.notify_all();
          });
          ::kill(::getpid(), signal);
          asked.wait(false);
          ::_exit(42);
        },
        testing::ExitedWithCode(42), "");
  }
}

TEST(SignalsDeathTest, TheSecondOneEndsTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Signals signals;
        std::atomic<bool> asked{false};
        const std::stop_callback callback(signals.stop_token(), [&] {
          asked = true;
          asked.notify_all();
        });
        ::kill(::getpid(), SIGTERM);
        asked.wait(false);
        ::kill(::getpid(), SIGTERM);
        for (;;) ::pause();
      },
      testing::ExitedWithCode(128 + SIGTERM), "");
}

TEST(SignalsDeathTest, AHangUpOnlyCalls) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        std::atomic<bool> called{false};
        Signals signals([&] {
          called = true;
          called.notify_all();
        });
        ::kill(::getpid(), SIGHUP);
        called.wait(false);
        ::_exit(signals.stop_token().stop_requested() ? 1 : 42);
      },
      testing::ExitedWithCode(42), "");
}

TEST(SignalsTest, CanBeAskedToStopWithoutASignal) {
  Signals signals;
  EXPECT_FALSE(signals.stop_token().stop_requested());
  signals.request_stop();
  EXPECT_TRUE(signals.stop_token().stop_requested());
}

}  // namespace
}  // namespace sconverge::test
