#include "controller/app/service_notifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "tests/app/service_socket.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;

constexpr int kProcess = 4711;

struct ServiceNotifierTest : testing::Test {
  ServiceNotifier notifier(std::map<std::string, std::string> variables) {
    return {variables, kProcess, [this](const std::string& why) { failures.push_back(why); }};
  }
  ServiceNotifier of(const std::string& socket) { return notifier({{"NOTIFY_SOCKET", socket}}); }

  TempDirectory directory{};
  std::vector<std::string> failures{};
};

TEST_F(ServiceNotifierTest, SaysEachThingInADatagramOfItsOwn) {
  ServiceSocket socket(directory / "notify");
  auto service = notifier({{"NOTIFY_SOCKET", socket.name()}, {"WATCHDOG_USEC", "2000000"}});
  service.ready("3 specs");
  service.reloading();
  service.status("4 specs");
  service.alive();
  service.needs_time(milliseconds{1500});
  service.stopping("bye");
  EXPECT_THAT(
      socket.heard(),
      ElementsAre("READY=1\nSTATUS=3 specs",
                  MatchesRegex("RELOADING=1\nMONOTONIC_USEC=[0-9]+\nSTATUS=reloading the .*"),
                  "STATUS=4 specs", "WATCHDOG=1", "EXTEND_TIMEOUT_USEC=1500000",
                  "STOPPING=1\nSTATUS=bye"));
  EXPECT_THAT(failures, IsEmpty());
}

TEST_F(ServiceNotifierTest, TheTimeOfAReloadIsThatOfTheMonotonicClock) {
  ServiceSocket socket(directory / "notify");
  const auto now = [] {
    return std::chrono::duration_cast<std::chrono::microseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  };
  const auto before = now();
  of(socket.name()).reloading();
  const auto after = now();
  static const std::string key = "MONOTONIC_USEC=";
  const std::string datagram = socket.heard().at(0);
  const auto told = std::stoll(datagram.substr(datagram.find(key) + key.size()));
  EXPECT_GE(told, before);
  EXPECT_LE(told, after);
}

TEST_F(ServiceNotifierTest, KnowsAbstractNames) {
  ServiceSocket socket("@sconverge-test" + (directory / "notify"));
  of(socket.name()).ready("here");
  EXPECT_THAT(socket.heard(), ElementsAre("READY=1\nSTATUS=here"));
}

TEST_F(ServiceNotifierTest, AStatusCannotForgeAField) {
  ServiceSocket socket(directory / "notify");
  of(socket.name()).status("a\nREADY=1");
  EXPECT_THAT(socket.heard(), ElementsAre("STATUS=a\\nREADY=1"));
}

TEST_F(ServiceNotifierTest, WithoutASocketNothingIsSentAndNothingFails) {
  auto service = notifier({{"WATCHDOG_USEC", "2000000"}});
  EXPECT_FALSE(service.is_service());
  EXPECT_FALSE(service.watchdog_period());
  service.ready("x");
  service.alive();
  EXPECT_THAT(failures, IsEmpty());
}

TEST_F(ServiceNotifierTest, ASocketThatCannotBeUsedIsToldOnceUntilItWorksAgain) {
  const std::string name = directory / "notify";
  auto service = of(name);
  service.ready("x");
  service.status("y");
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_THAT(failures[0], HasSubstr("NOTIFY_SOCKET=" + name + ": No such file"));
  {
    ServiceSocket socket(name);
    service.status("z");
    EXPECT_THAT(socket.heard(), ElementsAre("STATUS=z"));
  }
  service.status("again");
  EXPECT_EQ(failures.size(), 2U);
}

TEST_F(ServiceNotifierTest, RefusesNamesThatAreNoSockets) {
  of("vsock:2:1234").ready("x");
  of("/" + std::string(200, 'a')).ready("x");
  ASSERT_EQ(failures.size(), 2U);
  EXPECT_THAT(failures[0], HasSubstr("neither a path nor an abstract name"));
  EXPECT_THAT(failures[1], HasSubstr("too long"));
}

TEST_F(ServiceNotifierTest, TheWatchdogIsThisProcessesOrNobodys) {
  const auto period = [&](const std::string& microseconds, const std::string& process) {
    std::map<std::string, std::string> variables{{"NOTIFY_SOCKET", "/x"},
                                                 {"WATCHDOG_USEC", microseconds}};
    if (!process.empty()) variables["WATCHDOG_PID"] = process;
    return notifier(variables).watchdog_period();
  };
  EXPECT_EQ(period("60000000", ""), seconds{60});
  EXPECT_EQ(period("60000000", std::to_string(kProcess)), seconds{60});
  EXPECT_EQ(period("60000000", "1"), std::nullopt);
  EXPECT_EQ(period("60000000", "x"), std::nullopt);
  for (const char* nonsense : {"", "0", "-1", "1x", "99999999999999999999"}) {
    EXPECT_EQ(period(nonsense, ""), std::nullopt) << nonsense;
  }
}

TEST_F(ServiceNotifierTest, WithoutAWatchdogNoSignOfLifeIsSent) {
  ServiceSocket socket(directory / "notify");
  of(socket.name()).alive();
  EXPECT_THAT(socket.heard(), IsEmpty());
}

}  // namespace
}  // namespace sconverge::test
