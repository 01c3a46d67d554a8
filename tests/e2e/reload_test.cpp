// SIGHUP while jobs run on the real Slurm: nothing is lost, and nothing runs twice.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "tests/e2e/end_to_end.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

/// Straight to slurmrestd, by a configuration file.
class Reload : public EndToEnd {
 protected:
  Reload() {
    flags_ = {{"config", directory_ / "config.yaml"},
              {"state", state_},
              {"controller-id", id_},
              {"listen", "127.0.0.1:0"},
              {"prune-grace", "1s"},
              {"log-format", "json"},
              {"log-level", "debug"}};
    configure();
  }

  void configure(const std::string& interval = "500ms", const std::string& more = "") const {
    const std::string file = directory_ / "config.yaml";
    std::ofstream(file + ".new") << "specs: " << specs_ << "\ninterval: " << interval
                                 << "\ndefaultCluster: default\nclusters:\n"
                                 << "  default: {slurmrestd: {url: \"" << lab_.url()
                                 << "\", user: " << lab_.user()
                                 << ", tokenFile: " << lab_.token_file() << "}}\n"
                                 << more;
    std::filesystem::rename(file + ".new", file);
  }
  double reloads(const std::string& result) {
    return controller_->metric("sconverge_config_reloads_total{result=\"" + result + "\"}")
        .value_or(-1);
  }
  /// SIGHUP, until it is done; whether it is taken.
  testing::AssertionResult reload(const std::string& result = "success") {
    const double before = reloads(result);
    controller_->send(SIGHUP);
    return comes_true([&] { return reloads(result) > before; });
  }
  void expect_one_job_each(int specs) {
    EXPECT_THAT(queue(), SizeIs(specs));
    for (int i = 0; i < specs; ++i) {
      EXPECT_THAT(queue_of("train-" + std::to_string(i)), SizeIs(1)) << i;
    }
  }
};

TEST_F(Reload, AddsAClusterWhileAJobRuns) {
  write({"train", gate("end")});
  write({"elsewhere", "exit 0", "", "cluster: second"});
  start();
  ASSERT_TRUE(becomes("train", "Running"));
  ASSERT_TRUE(becomes("elsewhere", "Invalid"));
  const auto job = row("train").job;

  configure("500ms", "  second: {slurmrestd: {url: \"http://127.0.0.1:1\", user: bob, tokenFile: " +
                         lab_.token_file() + "}}\n");
  ASSERT_TRUE(reload());
  ASSERT_TRUE(comes_true(
      [&] { return controller_->metric(R"(sconverge_slurm_up{cluster="second"})") == 0; }));
  ASSERT_TRUE(becomes("elsewhere", "Waiting", "SlurmUnavailable"));
  ASSERT_TRUE(looks_again());
  EXPECT_EQ(row("train").job, job);
  EXPECT_THAT(queue(), SizeIs(1));
  open("end");
  ASSERT_TRUE(becomes("train", "Succeeded"));
  EXPECT_EQ(states_of("train"), "COMPLETED");
}

TEST_F(Reload, TakesAnotherDirectoryAndIntervalAndKeepsTheJobsThatBothDeclare) {
  configure("1h");
  write({"train", gate("end")});
  start();
  ASSERT_TRUE(becomes("train", "Running"));
  const auto job = row("train").job;

  const std::string other = directory_ / "other";
  std::filesystem::copy(specs_, other);
  specs_ = other;
  write({"more", "exit 0"});
  configure("500ms");
  ASSERT_TRUE(reload());
  ASSERT_TRUE(becomes("more", "Succeeded"));
  ASSERT_TRUE(looks_again());
  EXPECT_EQ(row("train").job, job);
  EXPECT_EQ(states_of("train"), "RUNNING");
  open("end");
  ASSERT_TRUE(becomes("train", "Succeeded"));
}

TEST_F(Reload, ThatIsRefusedLeavesEverythingAtWork) {
  write({"train", gate("end")});
  start();
  ASSERT_TRUE(becomes("train", "Running"));
  configure("soon", "nonsense: 1\n");
  ASSERT_TRUE(reload("error"));
  EXPECT_EQ(controller_->metric("sconverge_config_last_reload_successful"), 0);
  EXPECT_THAT(controller_->log(),
              AllOf(HasSubstr("the old one stays in force"), HasSubstr("nonsense")));
  write({"later", "exit 0"});
  ASSERT_TRUE(becomes("later", "Succeeded"));
  open("end");
  ASSERT_TRUE(becomes("train", "Succeeded"));
}

TEST_F(Reload, AStormOfThemRunsNothingTwiceAndLosesNothing) {
  static constexpr int kSpecs = 30;
  start();
  ASSERT_TRUE(controller_->listens());
  for (int i = 0; i < kSpecs; ++i) {
    write({"train-" + std::to_string(i), gate("end"), kNotBefore2037});
    configure(std::to_string(300 + i) + "ms");
    controller_->send(SIGHUP);
  }
  ASSERT_TRUE(reload());
  ASSERT_TRUE(comes_true([&] { return queue().size() >= kSpecs; }));
  ASSERT_TRUE(looks_again());
  expect_one_job_each(kSpecs);
  EXPECT_EQ(controller_->metric(R"(sconverge_duplicates_total{cluster="default"})"), 0);
}

TEST_F(Reload, ATermInTheMiddleOfOneLeavesJobsThatTheNextStartKnows) {
  static constexpr int kSpecs = 10;
  for (int i = 0; i < kSpecs; ++i) {
    write({"train-" + std::to_string(i), gate("end"), kNotBefore2037});
  }
  start();
  ASSERT_TRUE(comes_true([&] { return !queue().empty(); }));
  configure("300ms");
  controller_->send(SIGHUP);
  EXPECT_EQ(controller_->stop(), 0);
  start();
  ASSERT_TRUE(comes_true([&] { return queue().size() >= kSpecs; }));
  ASSERT_TRUE(looks_again());
  expect_one_job_each(kSpecs);
}

TEST_F(Reload, TokensScriptsAndEnvironmentsAreInNoLogAtDebug) {
  std::string text = SpecText{"train", "# script-secret-4711\nexit 0"}.yaml();
  text.replace(text.find("{PATH: /bin:/usr/bin}"), 21,
               "{PATH: /bin, KEY: environment-secret-0815}");
  write("train.yaml", text);
  start();
  ASSERT_TRUE(becomes("train", "Succeeded"));
  // What is refused is told, too.
  configure("500ms", "    environment: {KEY: configured-secret-2342, BROKEN}\n");
  ASSERT_TRUE(reload("error"));
  write("broken.yaml", text + "\n  nonsense: 1\n");
  ASSERT_TRUE(
      comes_true([&] { return controller_->log().find("broken.yaml") != std::string::npos; }));

  std::ifstream file(lab_.token_file());
  std::string token;
  file >> token;
  ASSERT_FALSE(token.empty());
  const std::string log = controller_->log();
  EXPECT_THAT(log, HasSubstr("\"level\":\"debug\""));
  for (const std::string& secret :
       {token, std::string("script-secret"), std::string("environment-secret"),
        std::string("configured-secret")}) {
    EXPECT_THAT(log, Not(HasSubstr(secret)));
  }
}

}  // namespace
}  // namespace sconverge::test
