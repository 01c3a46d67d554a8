#include "controller/app/reload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "controller/app/runtime.h"
#include "controller/app/setting_groups.h"
#include "controller/app/settings.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAreArray;

struct ReloadTest : testing::Test {
  ReloadTest() {
    now.controller_id = "prod";
    now.specs = "/srv/jobs";
    now.state = "/var/lib/sconverge";
    now.default_cluster = "lab";
    now.clusters = {cluster("lab")};
  }
  static ClusterConfig cluster(const std::string& name) {
    ClusterConfig cluster{.name = name};
    cluster.slurmrestd = {"http://" + name, "alice", "/token"};
    return cluster;
  }

  Config now{};
};

TEST_F(ReloadTest, TakesWhatCanBeTaken) {
  Config read = now;
  read.specs = "/srv/others";
  read.interval = seconds{1};
  read.prune_grace = seconds{2};
  read.log_level = LogLevel::Debug;
  read.log_format = LogFormat::Logfmt;
  read.clusters.push_back(cluster("second"));
  const Reload reload = reload_of(now, read);
  EXPECT_EQ(reload.config, read);
  EXPECT_THAT(reload.needs_restart, IsEmpty());
}

TEST_F(ReloadTest, KeepsAndNamesWhatNeedsARestart) {
  Config read = now;
  read.controller_id = "other";
  read.state = "/elsewhere";
  read.web = {"127.0.0.1:1", "0.0.0.0:2", {"/cert", "/key"}, "/tokens", true};
  read.interval = seconds{1};
  const Reload reload = reload_of(now, read);
  EXPECT_THAT(reload.needs_restart,
              ElementsAre("controllerId", "state", "listen", "healthListen", "tlsCert", "tlsKey",
                          "listenTokenFile", "insecureListen"));
  now.interval = seconds{1};
  EXPECT_EQ(reload.config, now);
}

TEST_F(ReloadTest, AnIdThatIsNotGivenIsTheKeptOne) {
  Config read = now;
  read.controller_id = "";
  const Reload reload = reload_of(now, read);
  EXPECT_EQ(reload.config, now);
  EXPECT_THAT(reload.needs_restart, IsEmpty());
}

/// Whoever adds a setting of the process decides what a reload makes of it.
TEST_F(ReloadTest, OfEverySettingItIsKnownWhetherItNeedsARestart) {
  std::vector<std::string> keys = keys_that_need_a_restart();
  for (const char* taken : {"specs", "interval", "pruneGrace", "log.level", "log.format",
                            "defaultCluster", "metrics.perSpec", "metrics.maxSpecs"}) {
    keys.emplace_back(taken);
  }
  std::vector<std::string> all;
  for (const Setting& setting : settings()) {
    if (setting.scope == SettingScope::Process && is_about_controllers(setting)) {
      all.emplace_back(setting.key);
    }
  }
  EXPECT_THAT(keys, UnorderedElementsAreArray(all));
}

TEST_F(ReloadTest, AClusterBeginsAnewOnlyIfItsPartChanged) {
  now.clusters = {cluster("lab"), cluster("other")};
  const auto before = setups_of(now);
  EXPECT_EQ(setups_of(now), before);

  Config changed = now;
  changed.clusters[0].concurrency = 9;
  EXPECT_NE(setups_of(changed)[0], before[0]);
  EXPECT_EQ(setups_of(changed)[1], before[1]);

  // The default cluster tells specs of unknown clusters; others need not know who comes and goes.
  changed = now;
  changed.clusters.push_back(cluster("third"));
  EXPECT_NE(setups_of(changed)[0], before[0]);
  EXPECT_EQ(setups_of(changed)[1], before[1]);

  for (const auto& change : std::vector<std::function<void(Config&)>>{
           [](Config& config) { config.specs = "/elsewhere"; },
           [](Config& config) { config.interval = seconds{1}; },
           [](Config& config) { config.prune_grace = seconds{1}; },
           [](Config& config) { config.default_cluster = "other"; }}) {
    changed = now;
    change(changed);
    EXPECT_NE(setups_of(changed)[0], before[0]);
    EXPECT_NE(setups_of(changed)[1], before[1]);
  }
}

}  // namespace
}  // namespace sconverge::test
