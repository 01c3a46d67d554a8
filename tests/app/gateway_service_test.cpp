// `sconverge gateway`, the real binary, as a service manager sees it. Needs no Slurm.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/app/service_socket.h"
#include "tests/e2e/sconverge_process.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {
namespace {

using testing::HasSubstr;

constexpr int kPatience = 60'000;  // ms; only a bound

struct GatewayService : testing::Test {
  GatewayService() {
    std::ofstream(directory / "tokens.yaml")
        << "tokens: [{token: 0123456789abcdef, permission: read}]\n";
    std::ofstream(directory / "token") << "t";
    for (const std::string file : {"tokens.yaml", "token"}) {
      ::chmod((directory / file).c_str(), 0600);
    }
  }
  void start(const std::vector<std::string>& environment = {}) {
    std::vector<std::string> all{"NOTIFY_SOCKET=" + manager.name()};
    all.insert(all.end(), environment.begin(), environment.end());
    gateway = std::make_unique<SconvergeProcess>(
        std::vector<std::string>{"gateway", "--slurmrestd", "http://127.0.0.1:1", "--user", "alice",
                                 "--token-file", directory / "token", "--project", "p1", "--region",
                                 "r1", "--cluster", "c1", "--tokens", directory / "tokens.yaml",
                                 "--listen", "127.0.0.1:0"},
        directory / "log", std::nullopt, all);
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

  TempDirectory directory{};
  ServiceSocket manager{directory / "notify"};
  std::unique_ptr<SconvergeProcess> gateway{};
};

TEST_F(GatewayService, SaysWhenItIsReadyAndWhenItStops) {
  start();
  EXPECT_TRUE(hears("READY=1\nSTATUS=serving http://127.0.0.1:")) << gateway->log();
  EXPECT_EQ(gateway->stop(), 0);
  EXPECT_TRUE(hears("STOPPING=1"));
}

TEST_F(GatewayService, GivesSignsOfLifeThoughSlurmrestdIsDown) {
  start({"WATCHDOG_USEC=100000"});
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(hears("WATCHDOG=1"));
}

TEST_F(GatewayService, AHangUpIsAnsweredThoughNothingWaitsForIt) {
  start();
  ASSERT_TRUE(hears("READY=1"));
  gateway->send(SIGHUP);
  EXPECT_TRUE(hears("RELOADING=1"));
  EXPECT_EQ(gateway->stop(), 0);  // what it tells comes before what it logs
  EXPECT_THAT(gateway->log(), HasSubstr("nothing to reload"));
}

}  // namespace
}  // namespace sconverge::test
