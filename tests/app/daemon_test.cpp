// The long-running process from inside, where its clock can be turned.
#include "controller/app/daemon.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "tests/app/console_world.h"
#include "tests/app/service_socket.h"
#include "tests/support/stub_http_server.h"

namespace sconverge::test {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

constexpr int kPatience = 60'000;  // ms; only a bound

/// A controller whose slurmrestd takes requests and does not answer them.
struct DaemonTest : testing::Test, ConsoleWorld {
  DaemonTest() {
    write("token", "t");
    std::filesystem::create_directory(specs());
    console.variables["NOTIFY_SOCKET"] = manager.name();
    console.variables["WATCHDOG_USEC"] = "100000";
    config.specs = specs();
    config.state = state();
    config.web.listen = "127.0.0.1:0";
    config.default_cluster = "lab";
    ClusterConfig& cluster = config.clusters.emplace_back();
    cluster.name = "lab";
    cluster.slurmrestd = {slurmrestd->url(), "alice", directory / "token"};
    cluster.timeout = std::chrono::minutes{10};
  }
  ~DaemonTest() override {
    stop.request_stop();
    slurmrestd.reset();  // hangs up
    if (thread.joinable()) thread.join();
  }

  void run() {
    daemon.emplace(
        config, [] { return ConfigReading{}; }, console);
    thread = std::thread([this] { EXPECT_EQ(daemon->run(stop.get_token()), ExitCode::Ok); });
  }
  bool hears(const std::string& text) {
    for (;;) {
      const auto heard = manager.heard(kPatience);
      if (heard.empty()) return false;
      for (const auto& datagram : heard) {
        if (datagram.find(text) != std::string::npos) return true;
      }
    }
  }
  void wait_until_slurm_is_asked() const {
    while (slurmrestd->requests().empty()) std::this_thread::sleep_for(milliseconds{5});
  }

  std::optional<StubHttpServer> slurmrestd{
      std::in_place,
      [](const StubRequest&) { return StubAnswer{.manner = StubAnswer::Manner::Silent}; }};
  ServiceSocket manager{directory / "notify"};
  Config config{};
  std::stop_source stop{};
  std::optional<Daemon> daemon{};
  std::thread thread{};
};

TEST_F(DaemonTest, ASlurmThatHangsIsNoReasonToBeRestarted) {
  run();
  EXPECT_TRUE(hears("READY=1")) << "the first scan needs no Slurm";
  wait_until_slurm_is_asked();
  clock.advance(std::chrono::minutes{15});  // a request may take twice ten
  static_cast<void>(manager.heard());
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(hears("WATCHDOG=1"));
}

TEST_F(DaemonTest, ALoopThatStandsStillGivesNoSignOfLife) {
  run();
  wait_until_slurm_is_asked();
  EXPECT_TRUE(hears("WATCHDOG=1"));
  clock.advance(std::chrono::minutes{25});
  // One may have been on its way.
  static_cast<void>(manager.heard(200));
  static_cast<void>(manager.heard());
  EXPECT_THAT(manager.heard(500), IsEmpty()) << "ten were due";
}

TEST_F(DaemonTest, AtItsEndItAsksForTheTimeThatATickUnderWayTakes) {
  run();
  wait_until_slurm_is_asked();
  stop.request_stop();
  EXPECT_TRUE(hears("STOPPING=1"));
  EXPECT_TRUE(hears("EXTEND_TIMEOUT_USEC=15000000"));
}

}  // namespace
}  // namespace sconverge::test
