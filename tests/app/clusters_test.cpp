#include "controller/app/clusters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/app/bell.h"
#include "controller/app/system_clock.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;

/// Two clusters that nobody answers for, and a directory that is not there.
struct ClustersTest : testing::Test {
  ClustersTest() {
    config.controller_id = "prod";
    config.state = directory / "state";
    config.specs = directory / "jobs";
    config.default_cluster = "lab";
    config.clusters = {cluster("lab"), cluster("other")};
  }
  static ClusterConfig cluster(const std::string& name) {
    ClusterConfig cluster{.name = name};
    cluster.slurmrestd = {"http://127.0.0.1:1", "alice", "/nowhere"};
    return cluster;
  }
  void build() {
    auto runtime = build_runtime(config, clock, {});
    ASSERT_THAT(runtime, Works());
    const Clusters::Options options{
        clock,
        {},
        [](const std::string&) { return [](ClusterRuntime&, const TickReport&) {}; },
        [this] { bell.ring(); }};
    clusters.emplace(std::move(*runtime), options);
  }
  template <typename Condition>
  void wait_until(const Condition& condition) {
    while (!condition()) bell.wait(milliseconds{100}, {});
  }

  TempDirectory directory{};
  SystemClock clock{};
  Bell bell{};
  Config config{};
  std::optional<Clusters> clusters{};
};

TEST_F(ClustersTest, AreNotReadyBeforeTheirFirstScans) {
  build();
  EXPECT_FALSE(clusters->health().source_scanned);
  clusters->begin();
  wait_until([&] { return clusters->health().source_scanned; });
  EXPECT_THAT(clusters->health().heartbeats, ElementsAre(Key("lab"), Key("other")));
}

TEST_F(ClustersTest, AreAsPatientAsTheirRequestsMayTake) {
  config.clusters[1].timeout = std::chrono::minutes{10};
  build();
  clusters->begin();
  EXPECT_EQ(clusters->health().heartbeats.at("lab").longest_call, seconds{60});
  EXPECT_EQ(clusters->health().heartbeats.at("other").longest_call, std::chrono::minutes{20});
}

TEST_F(ClustersTest, AChangeTellsWhatItTouches) {
  build();
  clusters->begin();
  EXPECT_TRUE(clusters->change(config)->none());

  config.clusters = {cluster("lab"), cluster("third")};
  config.clusters[0].concurrency = 1;
  const auto changes = clusters->change(config);
  ASSERT_THAT(changes, Works());
  EXPECT_THAT(changes->added, ElementsAre("third"));
  EXPECT_THAT(changes->removed, ElementsAre("other"));
  EXPECT_THAT(changes->changed, ElementsAre("lab"));
  EXPECT_THAT(clusters->health().heartbeats, ElementsAre(Key("lab"), Key("third")));
  EXPECT_TRUE(clusters->change(config)->none());
}

TEST_F(ClustersTest, StayReadyWhenOneMoreBegins) {
  build();
  clusters->begin();
  wait_until([&] { return clusters->health().source_scanned; });
  config.clusters.push_back(cluster("third"));
  ASSERT_THAT(clusters->change(config), Works());
  EXPECT_TRUE(clusters->health().source_scanned);
}

TEST_F(ClustersTest, AChangeThatCannotBeMadeChangesNothing) {
  build();
  clusters->begin();
  Config broken = config;
  broken.clusters = {cluster("another"), cluster("broken")};
  broken.clusters[1].ca_file = directory / "nowhere.pem";
  const auto refused = clusters->change(broken);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("cluster broken: CA file"));
  EXPECT_THAT(clusters->health().heartbeats, ElementsAre(Key("lab"), Key("other")));
  EXPECT_TRUE(clusters->change(config)->none());
}

TEST_F(ClustersTest, AClusterThatComesBackIsKeptAgain) {
  build();
  clusters->begin();
  const Config both = config;
  config.clusters.pop_back();
  for (int i = 0; i < 20; ++i) {
    EXPECT_THAT(clusters->change(config)->removed, ElementsAre("other"));
    EXPECT_THAT(clusters->change(both)->added, ElementsAre("other"));
  }
  EXPECT_FALSE(clusters->ended());
  clusters->stop();
  wait_until([&] { return clusters->ended(); });
}

}  // namespace
}  // namespace sconverge::test
