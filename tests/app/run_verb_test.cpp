// `sconverge run`, the real binary: reloads, its service manager, its end. None of this needs
// Slurm.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <deque>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/app/service_socket.h"
#include "tests/e2e/sconverge_process.h"
#include "tests/slurm/tls_server.h"
#include "tests/support/stub_http_server.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr seconds kPatience{60};

bool comes_true(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(milliseconds{20});
  }
  return true;
}

struct RunVerb : testing::Test {
  RunVerb() {
    std::filesystem::create_directory(directory / "jobs");
    std::ofstream(directory / "token") << "a-token-nobody-takes";
    configure();
  }

  /// Writes the configuration; the clusters are asked at these addresses.
  void configure(const std::map<std::string, std::string>& more = {},
                 const std::map<std::string, std::string>& clusters = {
                     {"lab", "http://127.0.0.1:1"}}) const {
    std::map<std::string, std::string> keys{{"specs", directory / "jobs"},
                                            {"state", directory / "state"},
                                            {"listen", "127.0.0.1:0"},
                                            {"interval", "200ms"},
                                            {"defaultCluster", "lab"}};
    for (const auto& [key, value] : more) keys[key] = value;
    std::ostringstream text;
    for (const auto& [key, value] : keys) text << key << ": " << value << "\n";
    text << "clusters:\n";
    for (const auto& [name, url] : clusters) {
      text << "  " << name << ": {slurmrestd: {url: \"" << url
           << "\", user: alice, tokenFile: " << (directory / "token") << "}}\n";
    }
    write("config.yaml", text.str());
  }
  void write(const std::string& file, const std::string& text) const {
    std::ofstream(directory / (file + ".new")) << text;
    std::filesystem::rename(directory / (file + ".new"), directory / file);
  }

  void start(const std::vector<std::string>& environment = {}) {
    run = std::make_unique<SconvergeProcess>(
        std::vector<std::string>{"run", "--config", directory / "config.yaml"}, directory / "log",
        std::nullopt, environment);
    ASSERT_TRUE(run->listens()) << run->log();
  }
  /// Has it reload, and waits until it has.
  void reload() {
    const double before = reloads();
    run->send(SIGHUP);
    ASSERT_TRUE(comes_true([&] { return reloads() > before; })) << run->log();
  }
  double reloads() {
    return value(R"(sconverge_config_reloads_total{result="success"})") +
           value(R"(sconverge_config_reloads_total{result="error"})");
  }
  double value(const std::string& series) { return run->metric(series).value_or(-1); }
  double ticks(const std::string& cluster) {
    return value("sconverge_reconciles_total{cluster=\"" + cluster + "\",result=\"error\"}");
  }
  /// Whether so many more ticks are made.
  bool ticks_on(const std::string& cluster, int count = 3) {
    const double before = std::max(0.0, ticks(cluster));
    return comes_true([&] { return ticks(cluster) >= before + count; });
  }
  int lines_with(const std::string& text) const {
    std::istringstream lines(run->log());
    int count = 0;
    for (std::string line; std::getline(lines, line);) {
      if (line.find(text) != std::string::npos) ++count;
    }
    return count;
  }

  TempDirectory directory{};
  std::unique_ptr<SconvergeProcess> run{};
};

TEST_F(RunVerb, AReloadAddsChangesAndRemovesClusters) {
  start();
  ASSERT_TRUE(ticks_on("lab"));
  configure({}, {{"lab", "http://127.0.0.1:1"}, {"second", "http://127.0.0.1:2"}});
  reload();
  EXPECT_TRUE(ticks_on("second"));
  EXPECT_TRUE(ticks_on("lab"));
  EXPECT_EQ(run->get("/livez?verbose").body.find("[+]loop-second ok"), 15U);

  configure({{"defaultCluster", "second"}}, {{"second", "http://127.0.0.1:3"}});
  reload();
  EXPECT_TRUE(comes_true([&] { return lines_with("http://127.0.0.1:3") > 0; })) << run->log();
  EXPECT_EQ(ticks("lab"), -1) << "its series are gone";
  EXPECT_THAT(run->get("/livez?verbose").body, Not(HasSubstr("lab")));
  EXPECT_EQ(run->stop(), 0);
}

TEST_F(RunVerb, AReloadTakesIntervalDirectoryAndLogLevel) {
  configure({{"interval", "1h"}});
  start();
  ASSERT_TRUE(comes_true([&] { return ticks("lab") == 1; }));
  std::filesystem::create_directory(directory / "others");
  write("others/train.yaml", "kind: Nonsense\n");
  configure({{"interval", "200ms"}, {"specs", directory / "others"}, {"log", "{level: warn}"}});
  reload();
  EXPECT_TRUE(ticks_on("lab", 5));
  EXPECT_TRUE(comes_true([&] { return lines_with("train.yaml") > 0; })) << run->log();
  const int infos = lines_with(R"("level":"info")");
  reload();
  EXPECT_EQ(lines_with(R"("level":"info")"), infos) << run->log();
}

TEST_F(RunVerb, ABrokenConfigurationLeavesTheOldOneInForceAndSaysSo) {
  start();
  configure({{"intervall", "1s"}, {"pruneGrace", "soon"}});
  reload();
  EXPECT_THAT(run->log(), AllOf(HasSubstr("intervall"), HasSubstr("pruneGrace"),
                                HasSubstr("the old one stays in force")));
  EXPECT_EQ(lines_with("the old one stays in force"), 2) << "one line for each problem";
  EXPECT_EQ(value("sconverge_config_last_reload_successful"), 0);
  EXPECT_EQ(value(R"(sconverge_config_reloads_total{result="error"})"), 1);
  EXPECT_TRUE(ticks_on("lab"));

  configure();
  reload();
  EXPECT_EQ(value("sconverge_config_last_reload_successful"), 1);
  EXPECT_EQ(value(R"(sconverge_config_reloads_total{result="success"})"), 1);
}

TEST_F(RunVerb, AConfigurationThatIsGoneLeavesTheOldOneInForce) {
  start();
  std::filesystem::remove(directory / "config.yaml");
  reload();
  EXPECT_THAT(run->log(), HasSubstr("the old one stays in force"));
  EXPECT_TRUE(ticks_on("lab"));
}

TEST_F(RunVerb, WhatCannotBePutToWorkLeavesTheOldConfigurationInForce) {
  start();
  configure({}, {{"lab", "http://127.0.0.1:1"}, {"second", "http://127.0.0.1:2"}});
  std::ofstream(directory / "config.yaml", std::ios::app)
      << "  third: {caFile: " << directory / "nowhere.pem"
      << ", slurmrestd: {url: "
      << "\"https://127.0.0.1:3\", user: alice, tokenFile: " << directory / "token"
      << "}}\n";
  reload();
  EXPECT_THAT(run->log(),
              AllOf(HasSubstr("the old one stays in force"), HasSubstr("cluster third: CA file")));
  EXPECT_EQ(value("sconverge_config_last_reload_successful"), 0);
  EXPECT_EQ(ticks("second"), -1) << "not even what could be";
  EXPECT_TRUE(ticks_on("lab"));
}

TEST_F(RunVerb, AFileThatAnUnchangedClusterNeedsIsLookedAtAgain) {
  std::filesystem::copy_file(TlsServer("IP:127.0.0.1").certificate(), directory / "ca.pem");
  configure();
  std::ofstream(directory / "config.yaml", std::ios::app)
      << "  third: {caFile: " << directory / "ca.pem"
      << ", slurmrestd: {url: "
      << "\"https://127.0.0.1:3\", user: alice, tokenFile: " << directory / "token"
      << "}}\n";
  start();
  write("ca.pem", "half a certifica");
  reload();
  EXPECT_THAT(run->log(),
              AllOf(HasSubstr("cluster third: CA file"), HasSubstr("holds no certificate in PEM")));
  std::filesystem::remove(directory / "ca.pem");
  reload();
  EXPECT_THAT(run->log(), HasSubstr("cannot be read"));
  EXPECT_TRUE(ticks_on("third"));
}

TEST_F(RunVerb, KeysThatNeedARestartAreNamedAndTheRestIsTaken) {
  configure({{"interval", "1h"}});
  start();
  configure({{"listen", "127.0.0.1:9"}, {"state", directory / "elsewhere"}, {"controllerId", "x"}});
  reload();
  EXPECT_EQ(lines_with("needs a restart"), 1);
  EXPECT_THAT(run->log(), HasSubstr("controllerId,state,listen"));
  EXPECT_EQ(value("sconverge_config_last_reload_successful"), 1);
  EXPECT_FALSE(std::filesystem::exists(directory / "elsewhere"));
  EXPECT_TRUE(ticks_on("lab", 5)) << "the interval is in force";
}

TEST_F(RunVerb, AnUnchangedConfigurationInterruptsNothingAndHasEverythingLookedAt) {
  configure({{"interval", "1h"}});
  start();
  ASSERT_TRUE(comes_true([&] { return ticks("lab") == 1; }));
  reload();
  EXPECT_TRUE(comes_true([&] { return ticks("lab") == 2; }));
  EXPECT_EQ(value(R"(sconverge_source_scans_total{result="success",trigger="signal"})"), 1);
  EXPECT_EQ(lines_with("configuration is as before"), 1);
}

TEST_F(RunVerb, AStormOfReloadsEndsWithTheLastConfiguration) {
  start();
  for (int i = 0; i < 200; ++i) {
    configure({{"interval", std::to_string(200 + i) + "ms"}},
              i % 3 == 0 ? std::map<std::string, std::string>{{"lab", "http://127.0.0.1:1"}}
                         : std::map<std::string, std::string>{{"lab", "http://127.0.0.1:1"},
                                                              {"second", "http://127.0.0.1:2"}});
    run->send(SIGHUP);
  }
  configure({}, {{"lab", "http://127.0.0.1:1"}, {"last", "http://127.0.0.1:9"}});
  run->send(SIGHUP);
  EXPECT_TRUE(comes_true([&] { return ticks("last") > 0; })) << run->log();
  EXPECT_TRUE(ticks_on("lab"));
  EXPECT_EQ(ticks("second"), -1);
  EXPECT_THAT(run->log(), Not(HasSubstr("stays in force")));
  EXPECT_EQ(run->stop(), 0);
}

/// A slurmrestd that takes requests and does not answer.
struct RunVerbAndAHangingSlurm : RunVerb {
  StubHttpServer hanging{
      [](const StubRequest&) { return StubAnswer{.manner = StubAnswer::Manner::Silent}; }};

  bool is_asked() {
    return comes_true([&] { return !hanging.requests().empty(); });
  }
};

TEST_F(RunVerbAndAHangingSlurm, AClusterThatHangsHoldsUpNoReloadOfOthersNorTheirTicks) {
  configure({}, {{"lab", hanging.url()}, {"other", "http://127.0.0.1:1"}});
  start();
  ASSERT_TRUE(is_asked());
  const auto began = std::chrono::steady_clock::now();
  configure(
      {{"interval", "100ms"}},
      {{"lab", hanging.url()}, {"other", "http://127.0.0.1:1"}, {"new", "http://127.0.0.1:2"}});
  reload();
  EXPECT_TRUE(ticks_on("new"));
  EXPECT_TRUE(ticks_on("other"));
  EXPECT_LT(std::chrono::steady_clock::now() - began, seconds{25})
      << "a request may take 30 seconds";
  EXPECT_EQ(run->get("/livez").status, 200);
  EXPECT_EQ(run->get("/readyz").status, 200);
}

TEST_F(RunVerbAndAHangingSlurm, WhatIsReloadedDuringATickHoldsAfterIt) {
  write("config.yaml", "specs: " + (directory / "jobs") + "\nstate: " + (directory / "state") +
                           "\nlisten: 127.0.0.1:0\nclusters:\n  lab:\n    requestTimeout: 2s\n"
                           "    slurmrestd: {url: \"" +
                           hanging.url() + "\", user: alice, tokenFile: " + (directory / "token") +
                           "}\n");
  start();
  ASSERT_TRUE(is_asked());
  configure({}, {{"lab", "http://127.0.0.1:7"}});
  reload();
  EXPECT_TRUE(comes_true([&] { return lines_with("http://127.0.0.1:7") > 0; })) << run->log();
  EXPECT_EQ(run->stop(), 0);
}

TEST_F(RunVerbAndAHangingSlurm, ATermDuringAReloadEndsIt) {
  configure({}, {{"lab", hanging.url()}});
  start();
  ASSERT_TRUE(is_asked());
  for (int i = 0; i < 20; ++i) {
    configure({{"interval", std::to_string(300 + i) + "ms"}}, {{"lab", hanging.url()}});
    run->send(SIGHUP);
  }
  run->send(SIGTERM);
  ASSERT_TRUE(comes_true([&] { return lines_with("stopping") == 1; }));
  EXPECT_EQ(run->get("/readyz").status, 503);
  EXPECT_EQ(run->get("/livez").status, 200);
  EXPECT_EQ(run->stop(), 128 + SIGTERM) << "the second signal ends it at once";
}

struct RunVerbAsAService : RunVerb {
  ServiceSocket manager{directory / "notify"};
  std::deque<std::string> coming{};
  std::vector<std::string> heard{};

  void start_service(const std::vector<std::string>& more = {}) {
    std::vector<std::string> environment{"NOTIFY_SOCKET=" + manager.name()};
    environment.insert(environment.end(), more.begin(), more.end());
    start(environment);
  }
  /// Listens until the text is heard; what comes after it is still to be heard.
  bool hears(const std::string& text) {
    return comes_true([&] {
      for (auto& datagram : manager.heard(20)) coming.push_back(std::move(datagram));
      while (!coming.empty()) {
        heard.push_back(coming.front());
        coming.pop_front();
        if (heard.back().find(text) != std::string::npos) return true;
      }
      return false;
    });
  }
};

TEST_F(RunVerbAsAService, SaysWhenItIsReadyReloadsAndStops) {
  start_service();
  // In one datagram, if the first tick is over by then.
  EXPECT_TRUE(hears("STATUS=0 specs; cannot observe lab"));
  EXPECT_THAT(heard, Contains(HasSubstr("READY=1")));
  write("jobs/train.yaml",
        "apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: train}\n"
        "spec: {job: {partition: main}, script: \"#!/bin/sh\\ntrue\\n\"}\n");
  EXPECT_TRUE(hears("STATUS=1 spec: 1 Waiting; cannot observe lab"));
  run->send(SIGHUP);
  EXPECT_TRUE(hears("RELOADING=1\nMONOTONIC_USEC="));
  EXPECT_TRUE(hears("READY=1\nSTATUS=1 spec"));
  EXPECT_EQ(run->stop(), 0);
  EXPECT_TRUE(hears("STOPPING=1"));
  EXPECT_THAT(heard, Not(Contains(HasSubstr("WATCHDOG"))));
}

TEST_F(RunVerbAsAService, ARefusedReloadLeavesItReady) {
  start_service();
  ASSERT_TRUE(hears("READY=1"));
  configure({{"nonsense", "1"}});
  run->send(SIGHUP);
  EXPECT_TRUE(hears("RELOADING=1"));
  EXPECT_TRUE(hears("READY=1"));
}

TEST_F(RunVerbAsAService, GivesSignsOfLifeThoughSlurmIsDown) {
  configure({{"interval", "1h"}});
  start_service({"WATCHDOG_USEC=200000"});
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(hears("WATCHDOG=1"));
}

TEST_F(RunVerbAsAService, AWatchdogOfAnotherProcessIsNotOurs) {
  start_service({"WATCHDOG_USEC=200000", "WATCHDOG_PID=1"});
  ASSERT_TRUE(ticks_on("lab", 5));
  EXPECT_EQ(run->stop(), 0);
  EXPECT_TRUE(hears("STOPPING=1"));
  EXPECT_THAT(heard, Not(Contains("WATCHDOG=1")));
}

TEST_F(RunVerb, ForTheJournalLinesBeginWithTheirPriority) {
  write("log", "");
  struct stat file {};
  ASSERT_EQ(::stat((directory / "log").c_str(), &file), 0);
  start({"JOURNAL_STREAM=" + std::to_string(file.st_dev) + ":" + std::to_string(file.st_ino)});
  ASSERT_TRUE(comes_true([&] { return lines_with("tick failed") > 0; }));
  EXPECT_EQ(lines_with("<6>{\"ts\""), lines_with("\"level\":\"info\""));
  EXPECT_EQ(lines_with("<3>{\"ts\""), lines_with("\"level\":\"error\""));
  EXPECT_GT(lines_with("<3>"), 0);
}

TEST_F(RunVerb, AnIdleOneLogsNothing) {
  start();
  ASSERT_TRUE(ticks_on("lab", 2));
  const std::string before = run->log();
  ASSERT_TRUE(ticks_on("lab", 15));
  EXPECT_EQ(run->log(), before);
}

}  // namespace
}  // namespace sconverge::test
