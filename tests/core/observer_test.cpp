#include "controller/core/observer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/support/fake_clock.h"
#include "tests/support/matchers.h"

namespace sconverge::test {
namespace {

using std::chrono::minutes;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

/// A cluster of records, and what it was asked.
struct ObserverTest : testing::Test {
  FakeClock clock;
  std::map<std::uint32_t, JobRecord> cluster;
  std::vector<std::string> asked;
  bool states_served{true};
  std::optional<Error> list_fails{};
  std::optional<Error> states_fail{};
  std::optional<Error> read_fails{};
  milliseconds list_takes{0};
  bool gone_when_read{false};  ///< whatever the list of states has just shown

  Observer observer{{.list = [this] { return list(); },
                     .states = [this] { return states(); },
                     .read = [this](JobId job) { return read(job); }},
                    [this] { return clock.now(); }};

  Result<JobList> list() {
    asked.emplace_back("list");
    clock.advance(list_takes);
    if (list_fails) return *list_fails;
    JobList all;
    for (const auto& [id, record] : cluster) {
      all.ids.push_back(record.job.id);
      if (record.job.mark) all.marked.push_back(record);
    }
    return all;
  }
  Result<std::optional<StateList>> states() {
    asked.emplace_back("states");
    if (!states_served) return std::optional<StateList>();
    if (states_fail) return *states_fail;
    StateList list;
    for (const auto& [id, record] : cluster) {
      // The list names all tasks, though the record may not.
      JobRecord row = record;
      row.cut = false;
      list.add(row);
    }
    return std::optional(std::move(list));
  }
  Result<std::vector<JobRecord>> read(JobId job) {
    asked.push_back("read " + to_text(job));
    if (read_fails) return *read_fails;
    std::vector<JobRecord> records;
    if (gone_when_read) return records;
    for (const auto& [id, record] : cluster) {
      if (record.job.id == job || record.group == job) records.push_back(record);
    }
    return records;
  }

  JobRecord& job(std::uint32_t id, const std::string& state = "RUNNING") {
    JobRecord record{.job = {.id = JobId{id}, .state = job_state_from({state})},
                     .group = JobId{id}};
    record.job.mark = Mark{"prod", {"default", "train"}, "0123", 1, 1, "t" + std::to_string(id)};
    return cluster[id] = record;
  }
  JobRecord& foreign_job(std::uint32_t id) {
    job(id).job.mark.reset();
    return cluster[id];
  }
  void set_state(std::uint32_t id, const std::string& state) {
    cluster[id].job.state = job_state_from({state});
  }

  /// Looks after ten seconds, and notes what was asked for that alone.
  Observation look(const ObserveScope& scope = {}) {
    clock.advance(seconds{10});
    asked.clear();
    const auto observation = observer.observe(scope);
    EXPECT_THAT(observation, Works());
    return observation.ok() ? *observation : Observation{};
  }
  static std::map<std::uint32_t, std::string> shown(const Observation& observation) {
    std::map<std::uint32_t, std::string> jobs;
    for (const SlurmJob& job : observation.jobs) jobs[job.id.value] = job.state.words;
    return jobs;
  }
};

TEST_F(ObserverTest, FirstLookListsAllJobs) {
  job(1);
  foreign_job(2);
  const auto observation = look();
  EXPECT_THAT(asked, ElementsAre("list"));
  EXPECT_TRUE(observation.whole);
  EXPECT_EQ(observation.all_jobs, 2U);
  EXPECT_THAT(shown(observation), ElementsAre(std::pair(1U, "RUNNING")));
}

TEST_F(ObserverTest, WhereNothingChangesTheListOfStatesIsAllThatIsAsked) {
  job(1);
  foreign_job(2);
  look();
  const auto observation = look();
  EXPECT_THAT(asked, ElementsAre("states"));
  EXPECT_FALSE(observation.whole);
  EXPECT_EQ(observation.all_jobs, 2U);
  EXPECT_THAT(shown(observation), ElementsAre(std::pair(1U, "RUNNING")));
}

TEST_F(ObserverTest, JobWithAnotherStateIsReadOnce) {
  job(1);
  job(2);
  look();
  set_state(2, "COMPLETED");
  EXPECT_THAT(shown(look()), ElementsAre(std::pair(1U, "RUNNING"), std::pair(2U, "COMPLETED")));
  EXPECT_THAT(asked, ElementsAre("states", "read 2"));
  look();
  EXPECT_THAT(asked, ElementsAre("states"));
}

TEST_F(ObserverTest, JobThatIsGoneIsShownNoMore) {
  job(1);
  job(2);
  look();
  cluster.erase(2);
  EXPECT_THAT(shown(look()), ElementsAre(std::pair(1U, "RUNNING")));
}

TEST_F(ObserverTest, JobThatIsGoneWhenItIsReadIsShownNoMore) {
  job(1);
  look();
  set_state(1, "COMPLETED");
  gone_when_read = true;
  EXPECT_THAT(look().jobs, IsEmpty());
  EXPECT_THAT(asked, ElementsAre("states", "read 1"));
}

TEST_F(ObserverTest, ForeignJobsAreNeverReadWhateverTheirState) {
  foreign_job(1);
  look();
  set_state(1, "COMPLETED");
  look({.new_jobs = true});
  EXPECT_THAT(asked, ElementsAre("states"));
}

TEST_F(ObserverTest, ASecondJobThatNobodyExpectsIsSeenAtTheNextLook) {
  job(1);
  look();
  job(2);
  EXPECT_THAT(shown(look()), ElementsAre(std::pair(1U, "RUNNING"), std::pair(2U, "RUNNING")));
  EXPECT_THAT(asked, ElementsAre("states", "read 2"));
}

TEST_F(ObserverTest, OfManyNewJobsAFewAreReadAtEachLook) {
  look();
  for (std::uint32_t id = 1; id <= 20; ++id) foreign_job(id);
  look();
  EXPECT_THAT(asked, SizeIs(1 + 8));
  look();
  EXPECT_THAT(asked, SizeIs(1 + 8));
  look();
  EXPECT_THAT(asked, SizeIs(1 + 4));
  look();
  EXPECT_THAT(asked, SizeIs(1));
}

TEST_F(ObserverTest, AllNewJobsAreLookedAtWhileASubmitMayComeToLight) {
  look();
  for (std::uint32_t id = 1; id <= 20; ++id) job(id);
  EXPECT_THAT(look({.new_jobs = true}).jobs, SizeIs(20));
}

TEST_F(ObserverTest, NewJobOfOthersIsReadOnce) {
  look();
  foreign_job(1);
  EXPECT_THAT(look({.new_jobs = true}).jobs, IsEmpty());
  look({.new_jobs = true});
  EXPECT_THAT(asked, ElementsAre("states"));
}

TEST_F(ObserverTest, JobThatWeKnowOfIsReadThoughItWasNeverListed) {
  look();
  job(1);
  EXPECT_THAT(shown(look({.known = {JobId{1}}})), ElementsAre(std::pair(1U, "RUNNING")));
}

TEST_F(ObserverTest, IdGivenOutAgainAfterOurJobWasSeenGoneIsAnotherJob) {
  job(1);
  look();
  cluster.erase(1);
  look();
  foreign_job(1);
  EXPECT_THAT(look({.new_jobs = true}).jobs, IsEmpty());
}

TEST_F(ObserverTest, ListOfAllIsDueEveryFiveMinutes) {
  job(1);
  look();
  clock.advance(minutes{5});
  job(2);
  EXPECT_THAT(shown(look()), SizeIs(2));
  EXPECT_THAT(asked, ElementsAre("list"));
  look();
  EXPECT_THAT(asked, ElementsAre("states"));
}

TEST_F(ObserverTest, SlowListsAreSweptForMoreRarely) {
  list_takes = seconds{14};
  look();
  clock.advance(minutes{20});
  look();
  EXPECT_THAT(asked, ElementsAre("states"));
  clock.advance(minutes{5});
  look();
  EXPECT_THAT(asked, ElementsAre("list"));
}

TEST_F(ObserverTest, DemandedListIsAskedForButNotAllTheTime) {
  list_takes = seconds{1};
  look();
  EXPECT_FALSE(look({.sweep = true}).whole);
  clock.advance(seconds{20});
  EXPECT_TRUE(look({.sweep = true}).whole);
}

TEST_F(ObserverTest, WithoutAListOfStatesAllJobsAreListed) {
  states_served = false;
  job(1);
  look();
  EXPECT_TRUE(look().whole);
  EXPECT_THAT(asked, ElementsAre("states", "list"));
  EXPECT_TRUE(look().whole);
  EXPECT_THAT(asked, ElementsAre("list"));
}

TEST_F(ObserverTest, MissingListOfStatesIsLookedForAgainAnHourLater) {
  states_served = false;
  look();
  look();
  states_served = true;
  clock.advance(minutes{61});
  look();
  look();
  EXPECT_THAT(asked, ElementsAre("states"));
}

TEST_F(ObserverTest, FailedListOfStatesIsAnErrorAndNotAnEmptyOne) {
  job(1);
  look();
  states_fail = Error{ErrorKind::Unavailable, "down"};
  EXPECT_THAT(observer.observe({}).error().message, "down");
  states_fail.reset();
  EXPECT_THAT(look().jobs, SizeIs(1));
}

TEST_F(ObserverTest, FailedReadIsAnErrorAndTheJobIsReadTheNextTime) {
  job(1);
  look();
  set_state(1, "COMPLETED");
  read_fails = Error{ErrorKind::Unavailable, "busy"};
  EXPECT_THAT(observer.observe({}).error().message, "busy");
  read_fails.reset();
  EXPECT_THAT(shown(look()), ElementsAre(std::pair(1U, "COMPLETED")));
}

TEST_F(ObserverTest, FailedFirstListIsAnError) {
  list_fails = Error{ErrorKind::Unavailable, "down"};
  EXPECT_FALSE(observer.observe({}).ok());
}

TEST_F(ObserverTest, SweepThatFailsDoesNotBlindUsToTheStates) {
  job(1);
  look();
  clock.advance(minutes{5});
  list_fails = Error{ErrorKind::Unavailable, "too large"};
  set_state(1, "COMPLETED");
  EXPECT_THAT(shown(look()), ElementsAre(std::pair(1U, "COMPLETED")));
  look();
  EXPECT_THAT(asked, ElementsAre("states"));
}

TEST_F(ObserverTest, WhereMoreHaveChangedThanAListCostsAllAreListed) {
  for (std::uint32_t id = 1; id <= 40; ++id) job(id);
  look();
  for (std::uint32_t id = 1; id <= 17; ++id) set_state(id, "COMPLETED");
  EXPECT_TRUE(look().whole);
  EXPECT_THAT(asked, ElementsAre("states", "list"));
}

TEST_F(ObserverTest, JobThatWeChangedIsReadThoughItsStateIsTheSame) {
  job(1, "SUSPENDED");
  look();
  cluster[1].job.held = true;
  observer.changed(JobId{1});
  EXPECT_TRUE(look().jobs.front().held);
  EXPECT_THAT(asked, ElementsAre("states", "read 1"));
}

TEST_F(ObserverTest, WhyAJobWaitsIsReadAgainAFewJobsAtATimeTheStalestFirst) {
  for (std::uint32_t id = 1; id <= 6; ++id) job(id, "PENDING");
  look();
  look();
  EXPECT_THAT(asked, ElementsAre("states", "read 1", "read 2", "read 3", "read 4"));
  look();
  EXPECT_THAT(asked, ElementsAre("states", "read 5", "read 6", "read 1", "read 2"));
}

TEST_F(ObserverTest, HoldByAPersonIsSeenAtTheNextLookOfAFewWaitingJobs) {
  job(1, "PENDING");
  look();
  cluster[1].job.held = true;
  EXPECT_TRUE(look().jobs.front().held);
}

TEST_F(ObserverTest, ClockSetBackPutsNoSweepOff) {
  job(1);
  look();
  clock.step(-std::chrono::hours{5});
  look();
  EXPECT_THAT(asked, ElementsAre("list"));
}

TEST_F(ObserverTest, IdsThatGoBackMeanThatSlurmHasForgottenAndAllIsListed) {
  job(7);
  foreign_job(9);
  look();
  look();
  cluster.clear();
  foreign_job(7);
  EXPECT_TRUE(look().whole);
}

// Arrays ---------------------------------------------------------------------------------------

TEST_F(ObserverTest, ArrayWhoseTaskBeginsIsReadWhole) {
  job(7, "PENDING").tasks = IndexSet::of({{0, 3}});
  look();
  cluster[7].tasks = IndexSet::of({{1, 3}});
  job(8, "RUNNING").group = JobId{7};
  cluster[8].tasks = IndexSet::of({{0, 0}});
  cluster[8].job.mark = cluster[7].job.mark;
  const auto observation = look();
  EXPECT_THAT(asked, ElementsAre("states", "read 7"));
  ASSERT_THAT(observation.jobs, SizeIs(1));
  EXPECT_EQ(observation.jobs.front().records, 2);
  EXPECT_EQ(observation.jobs.front().state.base, BaseState::Running);
}

TEST_F(ObserverTest, ArrayOfWhichSlurmNamesOnlyTheFirstTasksIsReadWhenTheListChanges) {
  JobRecord& array = job(7, "RUNNING");
  array.cut = true;
  look();
  array.tasks = IndexSet::of({{0, 99}});  // as the list of states has them
  look();
  EXPECT_THAT(asked, ElementsAre("states", "read 7"));
  look();
  EXPECT_THAT(asked, ElementsAre("states"));
  array.tasks = IndexSet::of({{1, 99}});
  look();
  EXPECT_THAT(asked, ElementsAre("states", "read 7"));
}

TEST_F(ObserverTest, RecordOfAnArrayThatSlurmHasPurgedIsShownNoMore) {
  job(7, "RUNNING").tasks = IndexSet::of({{1, 1}});
  job(8, "COMPLETED").group = JobId{7};
  cluster[8].tasks = IndexSet::of({{0, 0}});
  cluster[8].job.mark = cluster[7].job.mark;
  look();
  cluster.erase(8);
  const auto observation = look();
  ASSERT_THAT(observation.jobs, SizeIs(1));
  EXPECT_EQ(observation.jobs.front().records, 1);
}

}  // namespace
}  // namespace sconverge::test
