#include "controller/http/health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sconverge::test {
namespace {

constexpr TimePoint kNoon{std::chrono::hours{12}};

// A controller of two clusters that works; each test says what differs.
struct HealthTest : testing::Test {
  HealthState state{.heartbeats = {{"gcp", {kNoon}}, {"lab", {kNoon}}},
                    .config_valid = true,
                    .store_open = true,
                    .source_scanned = true,
                    .draining = false};
};

TEST_F(HealthTest, AliveWhileEveryLoopComesRound) {
  EXPECT_EQ(livez(state, kNoon + seconds{59}, false).status, 200);
  EXPECT_EQ(livez(state, kNoon, false).body, "ok\n");
}

TEST_F(HealthTest, OneLoopThatStandsStillForAMinuteIsDeath) {
  state.heartbeats["lab"].last = kNoon - seconds{60};
  const HttpAnswer answer = livez(state, kNoon, false);
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(answer.body, "[+]loop-gcp ok\n[-]loop-lab failed\nlivez check failed\n");
}

TEST_F(HealthTest, ALoopThatMayWaitForLongIsAliveForThatMuchLonger) {
  state.heartbeats["lab"] = {kNoon, seconds{600}};
  EXPECT_EQ(livez(state, kNoon + seconds{59}, false).status, 200);
  state.heartbeats.erase("gcp");
  EXPECT_EQ(livez(state, kNoon + seconds{659}, false).status, 200);
  EXPECT_EQ(livez(state, kNoon + seconds{660}, false).status, 503);
}

TEST_F(HealthTest, AliveBeforeTheFirstLoopStarts) {
  state = {};
  EXPECT_EQ(livez(state, kNoon, false).status, 200);
}

TEST_F(HealthTest, DrainingAndUnreadyIsStillAlive) {
  state.draining = true;
  state.store_open = false;
  EXPECT_EQ(livez(state, kNoon, false).status, 200);
}

TEST_F(HealthTest, VerboseNamesEveryCheckThatPassed) {
  EXPECT_EQ(livez(state, kNoon, true).body, "[+]loop-gcp ok\n[+]loop-lab ok\nlivez check passed\n");
  EXPECT_EQ(readyz(state, true).body,
            "[+]config ok\n[+]store ok\n[+]source ok\n[+]not-draining ok\nreadyz check passed\n");
}

TEST_F(HealthTest, ReadyWhenEverythingIsThere) {
  EXPECT_EQ(readyz(state, false).status, 200);
  EXPECT_EQ(readyz(state, false).body, "ok\n");
}

TEST_F(HealthTest, NothingIsReadyByDefault) { EXPECT_EQ(readyz(HealthState{}, false).status, 503); }

TEST_F(HealthTest, AStuckLoopIsNoMatterOfReadiness) {
  state.heartbeats["lab"].last = kNoon - std::chrono::hours{1};
  EXPECT_EQ(readyz(state, false).status, 200);
}

TEST_F(HealthTest, EachMissingPartMakesItUnready) {
  const auto unready_without = [&](bool HealthState::*part, std::string_view line) {
    HealthState broken = state;
    broken.*part = !(broken.*part);
    const HttpAnswer answer = readyz(broken, false);
    EXPECT_EQ(answer.status, 503);
    EXPECT_THAT(answer.body, testing::HasSubstr(std::string(line)));
  };
  unready_without(&HealthState::config_valid, "[-]config failed\n");
  unready_without(&HealthState::store_open, "[-]store failed\n");
  unready_without(&HealthState::source_scanned, "[-]source failed\n");
  unready_without(&HealthState::draining, "[-]not-draining failed\n");
}

}  // namespace
}  // namespace sconverge::test
