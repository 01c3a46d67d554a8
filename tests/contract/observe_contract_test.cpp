// What every observation promises, whichever questions it asks: held on the fake and on the REST
// client with a real Slurm, by lists of all jobs and by what has changed alone.

#include "tests/contract/slurm_client_contract.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::Gt;
using testing::IsEmpty;
using testing::SizeIs;

struct Tier {
  const char* name;
  bool whole;
  ObserverOptions options;
};

// Waiting jobs are read again only if somebody has changed them.
const Tier kAllJobs{"AllJobs", true, {.sweep = seconds{0}, .sweep_share = 0, .waiting_reads = 0}};
const Tier kChangedJobs{"ChangedJobs", false, {.waiting_reads = 0}};

struct ObserveContract : testing::TestWithParam<std::tuple<ClusterKind, Tier>> {
  std::unique_ptr<ClusterUnderTest> cluster =
      std::get<0>(GetParam()).make(std::get<1>(GetParam()).options);
  SlurmClient& client = cluster->client();
  std::string name = "observe-" + random_word();
  std::string token = random_word();
  std::vector<JobId> created{};

  void SetUp() override { ASSERT_THAT(client.observe({}), Works()); }
  void TearDown() override {
    for (const JobId job : created) EXPECT_THAT(client.cancel(job), Works());
  }

  SpecBuilder spec(const std::string& script) const {
    return a_spec(name).script(script).time_limit(20).with("standard_output",
                                                           std::string("/dev/null"));
  }
  JobSpec pending_spec() const {
    const auto hour_from_now =
        std::chrono::duration_cast<seconds>(cluster->now().time_since_epoch()) + seconds{3600};
    return spec("#!/bin/sh\nexit 0\n").with("begin_time", hour_from_now.count());
  }
  JobId submit(const JobSpec& wanted) {
    Mark mark = a_mark(wanted, 1, 1, "contract");
    mark.token = token;
    const auto answer = client.submit(
        submission_of(wanted, mark, {.working_directory = "/tmp", .environment = {"PATH=/bin"}}));
    EXPECT_THAT(answer, Works());
    if (!answer.ok()) std::abort();
    created.push_back(answer->job);
    return answer->job;
  }

  /// Our jobs, as a controller sees them that knows of those it has submitted.
  std::vector<SlurmJob> look() { return look({.known = created}); }
  std::vector<SlurmJob> look(const ObserveScope& scope) {
    const auto observation = client.observe(scope);
    EXPECT_THAT(observation, Works());
    std::vector<SlurmJob> ours;
    if (!observation.ok()) return ours;
    EXPECT_EQ(observation->whole, std::get<1>(GetParam()).whole);
    for (const SlurmJob& job : observation->jobs) {
      if (job.mark && job.mark->token == token) ours.push_back(job);
    }
    return ours;
  }
  /// Looks again and again until `is_so` of the one job; a minute at most.
  template <typename Condition>
  bool comes_to(const Condition& is_so) {
    const TimePoint deadline = cluster->now() + seconds{60};
    for (; cluster->now() <= deadline; cluster->pass_time()) {
      const auto jobs = look();
      if (jobs.size() == 1 && is_so(jobs.front())) return true;
    }
    return false;
  }
  bool comes_to(BaseState state) {
    return comes_to([&](const SlurmJob& job) { return job.state.base == state; });
  }
};

TEST_P(ObserveContract, AJobIsSeenToWaitToRunAndToEnd) {
  const JobId job = submit(spec("#!/bin/sh\nsleep 2\nexit 3\n"));
  EXPECT_TRUE(comes_to(BaseState::Running));
  EXPECT_TRUE(comes_to([](const SlurmJob& seen) { return seen.state.final(); }));
  const auto jobs = look();
  ASSERT_THAT(jobs, SizeIs(1));
  EXPECT_EQ(jobs[0].id, job);
  EXPECT_EQ(jobs[0].state.base, BaseState::Failed);
  EXPECT_EQ(jobs[0].exit_code, 3);
  EXPECT_EQ(client.read(job).value(), jobs[0]);
}

TEST_P(ObserveContract, WhatHasNotChangedIsSeenAsItWas) {
  submit(pending_spec());
  const auto first = look();
  ASSERT_THAT(first, SizeIs(1));
  EXPECT_EQ(look(), first);
  EXPECT_EQ(look(), first);
}

TEST_P(ObserveContract, AHoldOfOursAndItsEndAreSeenAtOnce) {
  const JobId job = submit(pending_spec());
  ASSERT_THAT(look(), SizeIs(1));
  ASSERT_THAT(client.set_hold(job, true), Works());
  EXPECT_THAT(look(), ElementsAre(Field(&SlurmJob::held, true)));
  ASSERT_THAT(client.set_hold(job, false), Works());
  EXPECT_THAT(look(), ElementsAre(Field(&SlurmJob::held, false)));
}

TEST_P(ObserveContract, AChangeOfOursIsSeenAtOnce) {
  const JobId job = submit(pending_spec());
  ASSERT_THAT(look(), SizeIs(1));
  ASSERT_THAT(client.update(job, {{"name", name + "-renamed"}}), Works());
  EXPECT_THAT(look(), ElementsAre(Field(&SlurmJob::name, name + "-renamed")));
}

TEST_P(ObserveContract, ACancelBySomebodyElseIsSeen) {
  const JobId job = submit(spec("#!/bin/sh\nsleep 600\n"));
  ASSERT_TRUE(comes_to(BaseState::Running));
  cluster->scancel_as_root(job);
  EXPECT_TRUE(comes_to(BaseState::Cancelled));
}

TEST_P(ObserveContract, ARequeueIsSeen) {
  const JobId job = submit(spec("#!/bin/sh\nsleep 600\n"));
  ASSERT_TRUE(comes_to(BaseState::Running));
  cluster->requeue_as_root(job);
  EXPECT_TRUE(comes_to([&](const SlurmJob& seen) { return seen.id == job && seen.restarts == 1; }));
}

TEST_P(ObserveContract, AJobThatNobodyKnowsOfIsSeenByWhoeverAsksForNewOnes) {
  const JobId job = submit(pending_spec());
  EXPECT_THAT(look({.new_jobs = true}), ElementsAre(Field(&SlurmJob::id, job)));
}

TEST_P(ObserveContract, OneOfTwoJobsWithOneMarkDoesNotHideTheOther) {
  const JobId first = submit(pending_spec());
  ASSERT_THAT(look(), SizeIs(1));
  const JobId second = submit(pending_spec());
  created.pop_back();  // as if nobody knew
  EXPECT_THAT(look({.known = {first}, .new_jobs = true}),
              ElementsAre(Field(&SlurmJob::id, first), Field(&SlurmJob::id, second)));
  created.push_back(second);
}

TEST_P(ObserveContract, JobsOfOthersAreCountedAndNotShown) {
  const auto before = client.observe({});
  ASSERT_THAT(before, Works());
  const JobId foreign = cluster->foreign_job(name);
  const auto after = client.observe({.new_jobs = true});
  cluster->end_foreign_job(foreign);
  ASSERT_THAT(after, Works());
  EXPECT_GT(after->all_jobs, 0U);
  for (const SlurmJob& job : after->jobs) EXPECT_NE(job.id, foreign);
}

TEST_P(ObserveContract, TasksOfAnArrayAreSeenToBeginAndToEnd) {
  const JobId job = submit(spec("#!/bin/sh\n[ $SLURM_ARRAY_TASK_ID = 0 ] && exit 0\nsleep 600\n")
                               .with("array", std::string("0-3%2")));
  ASSERT_THAT(look(),
              ElementsAre(AllOf(Field(&SlurmJob::id, job), Field(&SlurmJob::records, Gt(0)))));
  EXPECT_TRUE(comes_to([](const SlurmJob& seen) { return seen.records >= 3; }));
  const auto jobs = look();
  ASSERT_THAT(jobs, SizeIs(1));
  EXPECT_EQ(client.read(job).value(), jobs[0]);
}

std::vector<Tier> tiers() { return {kAllJobs, kChangedJobs}; }

INSTANTIATE_TEST_SUITE_P(Slurm, ObserveContract,
                         testing::Combine(testing::ValuesIn(clusters_at_hand()),
                                          testing::ValuesIn(tiers())),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param).name) +
                                  std::get<1>(test.param).name;
                         });

}  // namespace
}  // namespace sconverge::test
