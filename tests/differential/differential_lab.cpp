// The same scripts through the real sbatch and through sconverge, on the real Slurm of tests/lab.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "tests/differential/corpus.h"
#include "tests/differential/two_ways.h"

namespace sconverge::test {
namespace {

constexpr const char* kNoJob = "job";

/// Where sconverge does otherwise on purpose, with a note that says so.
struct Deviation {
  std::string script{};
  std::string field{};
  std::string because{};
};

const std::vector<Deviation>& deviations() {
  static const std::vector<Deviation> kDeviations = {
      {"hold", kNoJob, "--hold is `suspend`: a spec that is held from the start is not submitted"},
      {"hold-short", kNoJob, "--hold is `suspend`"},
      {"pbs-held", kNoJob, "#PBS -h is --hold"},
      {"name-empty", "request.name", "a job without a name is found by nobody"},
      {"name-empty", "job.name", "a job without a name is found by nobody"},
      {"nonsense-container", "request.container", "an empty path names no container"},
      {"nonsense-container", "request.container-id", "the log shows both or none"},
      {"nonsense-export", "environment.", "a variable without a name is none"},
      {"priority", "request.priority", "Slurm leaves it out for all but its operators"},
  };
  return kDeviations;
}

/// Takes the deviations of a script out of its differences. One that is not there has been mended
/// and must be taken off the list.
void forgive(const std::string& script, std::vector<Difference>& found) {
  for (const auto& deviation : deviations()) {
    if (deviation.script != script) continue;
    const auto erased = std::erase_if(
        found, [&](const Difference& difference) { return difference.field == deviation.field; });
    EXPECT_NE(erased, 0U) << script << ": " << deviation.field << " does not differ";
  }
}

class Differential : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ways_ = new TwoWays;
    sbatch_ = new std::map(ways_->sbatch("good"));
    records_ = new std::map(ways_->take_records());
  }
  static void TearDownTestSuite() {
    delete records_;
    delete sbatch_;
    delete ways_;
  }

  /// One line a script, and the differences below it.
  static void judge(const std::string& script, const JobRecord& theirs,
                    std::vector<Difference> found) {
    // A request or a job that was not found would agree with another one in everything.
    if (theirs.request.empty() || theirs.job.empty() || theirs.environment.empty()) {
      found.push_back({"record", "(incomplete)", ""});
    }
    tell(found.empty() ? "same" : "differs", script);
    for (const auto& difference : found) {
      ADD_FAILURE() << script << ": " << testing::PrintToString(difference);
    }
  }

  static void tell(const char* verdict, const std::string& script) {
    std::printf("  %-8s %s\n", verdict, script.c_str());
    std::fflush(stdout);
  }

  /// What became of a good script through sbatch.
  static const JobRecord& theirs(const std::string& script) {
    static const JobRecord kNone;
    const auto record = records_->find(sbatch_->at(script).job);
    return record == records_->end() ? kNone : record->second;
  }

  static TwoWays* ways_;
  static std::map<std::string, SbatchVerdict>* sbatch_;
  static std::map<std::uint32_t, JobRecord>* records_;
};

TwoWays* Differential::ways_ = nullptr;
std::map<std::string, SbatchVerdict>* Differential::sbatch_ = nullptr;
std::map<std::uint32_t, JobRecord>* Differential::records_ = nullptr;

TEST_F(Differential, SbatchTakesEveryGoodScript) {
  EXPECT_GE(sbatch_->size(), 60U);
  for (const auto& [script, verdict] : *sbatch_) {
    EXPECT_EQ(verdict.code, 0) << script << ": " << verdict.said;
    EXPECT_NE(verdict.job, 0U) << script << ": " << verdict.said;
  }
}

// What is compared at all must not change from one submission to the next.
TEST_F(Differential, AScriptSubmittedTwiceIsTheSameJobTwice) {
  const auto again = ways_->sbatch("good");
  const auto records = ways_->take_records();
  for (const auto& [script, verdict] : again) {
    judge(script, theirs(script), differences(theirs(script), records.at(verdict.job)));
  }
}

// The comparison sees what the REST API does not show of a job.
TEST_F(Differential, WhatTheRestApiHidesIsCompared) {
  static const std::vector<std::pair<std::string, std::string>> kHidden = {
      {"signal", "request.signal"},
      {"open-mode-append", "request.open_mode"},
      {"no-kill", "request.kill_on_node_fail"},
      {"wait-all-nodes", "request.wait_all_nodes"},
      {"overcommit", "request.overcommit"},
      {"acctg-freq", "request.acctg_freq"},
      {"core-spec", "request.core_spec"},
      {"requeue", "request.requeue"},
      {"hold", "request.priority"},
      {"stepmgr", "request.bitflags"},
      {"mem-bind", "request.mem_bind"},
      {"distribution", "environment.SLURM_DISTRIBUTION"},
      {"distribution-plane", "request.plane_size"},
      {"export-none", "environment.PATH"},
      {"output-array", "request.stdout"},
  };
  for (const auto& [script, field] : kHidden) {
    const auto found = differences(theirs("bare"), theirs(script));
    EXPECT_TRUE(
        std::any_of(found.begin(), found.end(),
                    [&](const Difference& difference) { return difference.field == field; }))
        << script << ": " << field;
  }
}

TEST_F(Differential, ValidateAcceptsEveryGoodScript) {
  for (const auto& [script, problems] : ways_->validate("good")) {
    for (const auto& problem : problems) {
      ADD_FAILURE() << script << ", line " << problem.line << ": " << problem.what;
    }
  }
}

TEST_F(Differential, EveryScriptIsTheSameJobThroughSconverge) {
  const auto ours = ways_->apply("good");
  const auto records = ways_->take_records();
  for (const auto& [script, verdict] : *sbatch_) {
    const auto job = ours.find(script);
    if (job == ours.end()) {
      std::vector<Difference> found{{kNoJob, "submitted", "not submitted"}};
      forgive(script, found);
      judge(script, theirs(script), std::move(found));
      continue;
    }
    auto found = differences(theirs(script), records.at(job->second));
    forgive(script, found);
    judge(script, theirs(script), std::move(found));
  }
  if (ours.size() != sbatch_->size()) std::printf("%s\n", ways_->told().c_str());
}

/// Whether `validate` tells a problem where the script says that there is one.
bool is_refused_there(const Refusal& refusal, const std::vector<ValidateProblem>& problems) {
  const auto is_told = [&](int line) {
    return std::any_of(problems.begin(), problems.end(),
                       [&](const ValidateProblem& problem) { return problem.line == line; });
  };
  const auto& lines = refusal.lines;
  return refusal.each ? std::all_of(lines.begin(), lines.end(), is_told)
                      : std::any_of(lines.begin(), lines.end(), is_told);
}

TEST_F(Differential, WhatIsRefusedOnPurposeIsRefusedWithTheLineThoughSbatchTakesIt) {
  const auto verdicts = ways_->sbatch("refused");
  auto problems = ways_->validate("refused");
  for (const auto& script : corpus("refused")) {
    EXPECT_EQ(verdicts.at(script.name).code, 0) << script.name;
    const bool agrees = is_refused_there(refusal_in(script.text), problems[script.name]);
    tell(agrees ? "refused" : "differs", script.name);
    EXPECT_TRUE(agrees) << script.name;
  }
}

TEST_F(Differential, EveryScriptThatSbatchRefusesIsRefusedWithTheLine) {
  const auto verdicts = ways_->sbatch("broken");
  EXPECT_GE(verdicts.size(), 25U);
  auto problems = ways_->validate("broken");
  const auto submitted = ways_->apply("broken");
  for (const auto& script : corpus("broken")) {
    const SbatchVerdict& verdict = verdicts.at(script.name);
    EXPECT_NE(verdict.code, 0) << script.name << " is taken by sbatch";
    EXPECT_EQ(verdict.job, 0U) << script.name << " is taken by sbatch";
    const Refusal refusal = refusal_in(script.text);
    const auto& told = problems[script.name];
    // What no answer of the REST API tells is left to Slurm: then no job comes of it either.
    const bool is_left =
        refusal.by == "Slurm alone" && told.empty() && !submitted.contains(script.name);
    const bool agrees = is_left || is_refused_there(refusal, told);
    tell(is_left ? "left" : agrees ? "refused" : "differs", script.name);
    EXPECT_TRUE(agrees) << script.name << ": sbatch says " << verdict.said;
    if (agrees) continue;
    for (const auto& problem : told) {
      std::printf("           line %d: %s\n", problem.line, problem.what.c_str());
    }
  }
}

}  // namespace
}  // namespace sconverge::test
