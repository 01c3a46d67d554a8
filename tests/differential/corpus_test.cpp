#include "tests/differential/corpus.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

/// An option of sbatch 24.11 that may stand in a script.
struct Option {
  std::string name;               ///< "--nodes"
  std::string letter{};           ///< "-N"
  std::string not_in_a_script{};  ///< why no script of the corpus has it
};

const std::vector<Option>& options_of_sbatch() {
  static const std::vector<Option> kOptions = {
      {"--account", "-A"},
      {"--acctg-freq"},
      {"--array", "-a"},
      {"--autocomplete", "", "prints words for a shell and ends"},
      {"--batch"},
      {"--bb"},
      {"--bbf"},
      {"--begin", "-b"},
      {"--chdir", "-D"},
      {"--cluster-constraint"},
      {"--clusters", "-M"},
      {"--comment"},
      {"--constraint", "-C"},
      {"--container"},
      {"--container-id"},
      {"--contiguous"},
      {"--core-spec", "-S"},
      {"--cores-per-socket"},
      {"--cpu-freq"},
      {"--cpus-per-gpu"},
      {"--cpus-per-task", "-c"},
      {"--deadline"},
      {"--delay-boot"},
      {"--dependency", "-d"},
      {"--distribution", "-m"},
      {"--error", "-e"},
      {"--exclude", "-x"},
      {"--exclusive"},
      {"--export"},
      {"--export-file"},
      {"--extra"},
      {"--extra-node-info", "-B"},
      {"--get-user-env"},
      {"--gid"},
      {"--gpu-bind"},
      {"--gpu-freq"},
      {"--gpus", "-G"},
      {"--gpus-per-node"},
      {"--gpus-per-socket"},
      {"--gpus-per-task"},
      {"--gres"},
      {"--gres-flags"},
      {"--help", "-h"},
      {"--hint"},
      {"--hold", "-H"},
      {"--ignore-pbs"},
      {"--input", "-i"},
      {"--job-name", "-J"},
      {"--kill-on-invalid-dep"},
      {"--licenses", "-L"},
      {"--mail-type"},
      {"--mail-user"},
      {"--mcs-label"},
      {"--mem"},
      {"--mem-bind"},
      {"--mem-per-cpu"},
      {"--mem-per-gpu"},
      {"--mincpus"},
      {"--network"},
      {"--nice"},
      {"--no-kill", "-k"},
      {"--no-requeue"},
      {"--nodefile", "-F"},
      {"--nodelist", "-w"},
      {"--nodes", "-N"},
      {"--ntasks", "-n"},
      {"--ntasks-per-core"},
      {"--ntasks-per-gpu"},
      {"--ntasks-per-node"},
      {"--ntasks-per-socket"},
      {"--oom-kill-step"},
      {"--open-mode"},
      {"--output", "-o"},
      {"--overcommit", "-O"},
      {"--oversubscribe", "-s"},
      {"--parsable"},
      {"--partition", "-p"},
      {"--prefer"},
      {"--priority"},
      {"--profile"},
      {"--propagate"},
      {"--qos", "-q"},
      {"--quiet", "-Q"},
      {"--reboot"},
      {"--requeue"},
      {"--reservation"},
      {"--resv-ports"},
      {"--segment"},
      {"--signal"},
      {"--sockets-per-node"},
      {"--spread-job"},
      {"--stepmgr"},
      {"--switches"},
      {"--tasks-per-node"},
      {"--test-only", "", "submits nothing and ends well: there is no job to compare"},
      {"--thread-spec"},
      {"--threads-per-core"},
      {"--time", "-t"},
      {"--time-min"},
      {"--tmp"},
      {"--tres-bind"},
      {"--tres-per-task"},
      {"--uid"},
      {"--usage"},
      {"--use-min-nodes"},
      {"--verbose", "-v"},
      {"--version", "-V"},
      {"--wait", "-W", "sbatch waits until the job has ended, and none starts here"},
      {"--wait-all-nodes"},
      {"--wckey"},
      {"--wrap"},
  };
  return kOptions;
}

std::vector<CorpusScript> all_scripts() {
  auto scripts = corpus("good");
  for (auto& script : corpus("refused")) scripts.push_back(std::move(script));
  for (auto& script : corpus("broken")) scripts.push_back(std::move(script));
  return scripts;
}

TEST(Corpus, HasAScriptForEveryOptionOfSbatch) {
  std::set<std::string> used;
  for (const auto& script : all_scripts()) {
    for (auto& option : options_in(script.text)) used.insert(std::move(option));
  }
  for (const auto& option : options_of_sbatch()) {
    if (option.not_in_a_script.empty()) {
      EXPECT_TRUE(used.contains(option.name) || used.contains(option.letter)) << option.name;
    } else {
      EXPECT_FALSE(used.contains(option.name) || used.contains(option.letter)) << option.name;
    }
  }
}

TEST(Corpus, IsLargeEnough) {
  EXPECT_GE(corpus("good").size(), 60U);
  EXPECT_GE(corpus("broken").size(), 25U);
}

TEST(Corpus, EveryScriptNamesItselfAsASpec) {
  for (const auto& script : all_scripts()) {
    EXPECT_NE(script.text.find("\n#SCONVERGE --name=" + script.name), std::string::npos)
        << script.name;
  }
}

TEST(Corpus, NoNameIsUsedTwice) {
  std::set<std::string> names;
  for (const auto& script : all_scripts()) {
    EXPECT_TRUE(names.insert(script.name).second) << script.name;
  }
}

TEST(Corpus, EveryScriptThatIsRefusedSaysWhere) {
  for (const auto& script : corpus("broken")) {
    EXPECT_THAT(refusal_in(script.text).lines, Not(IsEmpty())) << script.name;
    EXPECT_NE(refusal_in(script.text).by, "sconverge") << script.name;
  }
  for (const auto& script : corpus("refused")) {
    EXPECT_THAT(refusal_in(script.text).lines, Not(IsEmpty())) << script.name;
    EXPECT_EQ(refusal_in(script.text).by, "sconverge") << script.name;
  }
  for (const auto& script : corpus("good")) {
    EXPECT_THAT(refusal_in(script.text).lines, IsEmpty()) << script.name;
  }
}

TEST(CorpusReader, TakesOptionsFromDirectivesOnly) {
  EXPECT_THAT(
      options_in("#!/bin/sh\n# --mem\n#SBATCH -N2 --time=5 \"--name x\" y\n#SBATCH-n4\nls -l\n"),
      ElementsAre("-N", "--time", "--name", "-n"));
}

TEST(CorpusReader, TakesTheLinesThatAreRefused) {
  const Refusal either = refusal_in("#!/bin/sh\n# Refused in line 4 or 12: since 7 is odd.\n");
  EXPECT_THAT(either.lines, ElementsAre(4, 12));
  EXPECT_FALSE(either.each);
  EXPECT_EQ(either.by, "");
  EXPECT_TRUE(refusal_in("# Refused in line 4 and 5: both.\n").each);
  const Refusal late = refusal_in("# Refused by the cluster in line 4: no such.\n");
  EXPECT_THAT(late.lines, ElementsAre(4));
  EXPECT_EQ(late.by, "the cluster");
}

}  // namespace
}  // namespace sconverge::test
