#include "controller/app/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "controller/app/exit_code.h"
#include "controller/app/settings.h"
#include "tests/app/console_world.h"

namespace sconverge::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct CompletionTest : testing::Test, ConsoleWorld {
  std::string kind{};  ///< "values", "files" or "directories"

  /// The words that could stand at the end of a line `sconverge WORDS`.
  std::vector<std::string> offered(std::vector<std::string> words) {
    words.insert(words.begin(), "__complete");
    EXPECT_EQ(type(words), static_cast<int>(ExitCode::Ok));
    EXPECT_EQ(err.str(), "");
    std::istringstream lines(out.str());
    std::getline(lines, kind);
    std::vector<std::string> candidates;
    for (std::string line; std::getline(lines, line);) {
      candidates.push_back(line.substr(0, line.find('\t')));
    }
    return candidates;
  }
};

TEST_F(CompletionTest, OffersTheVerbsThatBeginSo) {
  EXPECT_THAT(offered({"g"}), ElementsAre("get", "gateway"));
  EXPECT_THAT(offered({""}), Contains("run"));
  EXPECT_THAT(out.str(), HasSubstr("run\tKeep Slurm as declared until stopped\n"));
}

TEST_F(CompletionTest, OffersEveryVerbAndFlagThatTheHelpShows) {
  const auto verbs = offered({""});
  ASSERT_GE(verbs.size(), 14U);
  for (const auto& verb : verbs) {
    const auto flags = offered({verb, "--"});
    type({verb, "--help"});
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);) {
      const auto flag = line.find("--");
      if (!line.starts_with("  -") || flag == std::string::npos) continue;
      EXPECT_THAT(flags, Contains(line.substr(flag, line.find(' ', flag) - flag))) << verb;
    }
  }
}

TEST_F(CompletionTest, OffersTheWordsOfAClosedSet) {
  EXPECT_THAT(offered({"get", "-o", ""}), ElementsAre("json", "name", "table", "wide", "yaml"));
  EXPECT_THAT(offered({"get", "--output", "w"}), ElementsAre("wide"));
  EXPECT_THAT(offered({"get", "--output=w"}), ElementsAre("--output=wide"));
  EXPECT_THAT(offered({"run", "--log-level", ""}), ElementsAre("debug", "info", "warn", "error"));
  EXPECT_THAT(offered({"api", "P"}), ElementsAre("POST"));
  EXPECT_THAT(offered({"completion", ""}), ElementsAre("bash", "zsh", "fish"));
}

TEST_F(CompletionTest, LeavesPathsToTheShell) {
  EXPECT_THAT(offered({"run", "--config", ""}), IsEmpty());
  EXPECT_EQ(kind, "files");
  EXPECT_THAT(offered({"run", "--specs=", ""}), Not(IsEmpty()));  // the value is said, if empty
  EXPECT_THAT(offered({"run", "--specs="}), IsEmpty());
  EXPECT_EQ(kind, "directories");
  EXPECT_THAT(offered({"validate", "jobs", ""}), IsEmpty());
  EXPECT_EQ(kind, "files");
  EXPECT_THAT(offered({"run", "--user", ""}), IsEmpty());
  EXPECT_EQ(kind, "values");
}

TEST_F(CompletionTest, OffersSpecsOfTheStateDirectoryThatTheLineNames) {
  leave_state(published_with({a_row("train"), a_row("prepare"), a_row("a/twice"),
                              a_row("b/twice", Phase::Succeeded, Reason::Completed)}));
  EXPECT_THAT(offered({"describe", "--state", state(), "t"}), ElementsAre("train"));
  EXPECT_THAT(out.str(), HasSubstr("train\tRunning\n"));
  EXPECT_THAT(offered({"rerun", "--state=" + state(), "b"}), ElementsAre("b/twice"));
  EXPECT_THAT(offered({"get", "--state", state(), "default/"}),
              ElementsAre("default/prepare", "default/train"));
  EXPECT_THAT(offered({"get", "--state", state(), "train", ""}),
              ElementsAre("a/twice", "b/twice", "prepare"));
  EXPECT_THAT(offered({"get", "--state", state(), "-n", ""}), ElementsAre("a", "b", "default"));
}

TEST_F(CompletionTest, OffersSpecsOfTheStateDirectoryThatAVariableOrTheFileNames) {
  leave_state(published_with({a_row("train")}));
  console.variables["SCONVERGE_STATE"] = state();
  EXPECT_THAT(offered({"approve", ""}), ElementsAre("train"));
  console.variables.erase("SCONVERGE_STATE");
  write("sconverge.yaml", "state: state\nclusters: {lab: {}, other: {}}\n");
  EXPECT_THAT(offered({"approve", "--config", directory / "sconverge.yaml", ""}),
              ElementsAre("train"));
  EXPECT_THAT(offered({"validate", "--config=" + directory / "sconverge.yaml", "--cluster", ""}),
              ElementsAre("lab", "other"));
}

TEST_F(CompletionTest, OffersFieldsByNameAndByPath) {
  EXPECT_THAT(offered({"explain", "time_l"}), ElementsAre("time_limit"));
  EXPECT_THAT(offered({"explain", "spec.job.time_l"}), ElementsAre("spec.job.time_limit"));
}

TEST_F(CompletionTest, OffersNoFlagTwiceUnlessItMayStandTwice) {
  EXPECT_THAT(offered({"plan", "--detailed-exitcode", "--d"}), ElementsAre("--default-cluster"));
  EXPECT_THAT(offered({"plan", "--environment", "A=b", "--env"}), ElementsAre("--environment"));
}

TEST_F(CompletionTest, OffersFlagsWhereNothingElseCanStand) {
  EXPECT_THAT(offered({"version", ""}), ElementsAre("--help", "--output"));
  EXPECT_THAT(offered({"completion", "bash", ""}), ElementsAre("--help"));
}

TEST_F(CompletionTest, OffersNamesAfterTwoDashesToo) {
  leave_state(published_with({a_row("train")}));
  console.variables["SCONVERGE_STATE"] = state();
  EXPECT_THAT(offered({"get", "--", ""}), ElementsAre("train"));
  EXPECT_THAT(offered({"get", "--", "--"}), IsEmpty());
}

TEST_F(CompletionTest, HasNothingToSayOfALineThatMakesNoSense) {
  EXPECT_THAT(offered({"nonsense", ""}), IsEmpty());
  EXPECT_THAT(offered({"get", "--nonsense", ""}), IsEmpty());
  EXPECT_THAT(offered({"get", "--state", "/nowhere", ""}), IsEmpty());
  EXPECT_THAT(offered({}), Not(IsEmpty()));
}

TEST_F(CompletionTest, PrintsAScriptForEachShellAndRefusesOthers) {
  for (const auto& shell : completion_shells()) {
    EXPECT_EQ(type({"completion", shell}), static_cast<int>(ExitCode::Ok)) << shell;
    EXPECT_THAT(out.str(), HasSubstr("__complete")) << shell;
  }
  EXPECT_EQ(type({"completion", "tcsh"}), static_cast<int>(ExitCode::Usage));
  EXPECT_EQ(err.str(), "sconverge: \"tcsh\" is not a shell that sconverge knows (bash|zsh|fish)\n");
}

/// What the table of settings offers is what it takes.
TEST(SettingWordsTest, AreAllTaken) {
  int sets = 0;
  for (const Setting& setting : settings()) {
    std::istringstream words{std::string(setting.words)};
    for (std::string word; std::getline(words, word, '|');) {
      Config config;
      ClusterConfig cluster;
      EXPECT_FALSE(setting.set(config, cluster, {word})) << setting.key << " " << word;
      ++sets;
    }
  }
  EXPECT_GE(sets, 10);
}

TEST(SettingWordsTest, AreGivenForEverySettingThatTakesNothingElse) {
  for (const Setting& setting : settings()) {
    Config config;
    ClusterConfig cluster;
    const auto refusal = setting.set(config, cluster, {"no word of any set"});
    const bool closed = refusal && refusal->remedy.find(" or ") != std::string::npos &&
                        refusal->remedy.find_first_of("./0123456789") == std::string::npos;
    const bool told = !setting.words.empty() || setting.value.find('|') != std::string_view::npos;
    EXPECT_TRUE(!closed || told)
        << setting.key << " takes a closed set of words (" << refusal->remedy
        << "): its row wants them, as placeholder or as words: \"true|false\"";
  }
}

}  // namespace
}  // namespace sconverge::test
