#include "controller/core/job_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/builders.h"
#include "tests/support/matchers.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Mark mark_with(const std::string& token) {
  return {"prod", {"default", "train"}, "0123456789abcdef", 1, 1, token};
}

TimePoint at(std::int64_t unix_seconds) { return TimePoint(seconds(unix_seconds)); }

JobRecord a_record(std::uint32_t id, std::uint32_t group, const std::string& state,
                   std::int64_t submitted = 1000) {
  JobRecord record{.job = {.id = JobId{id}}, .group = JobId{group}};
  record.job.name = "train";
  record.job.user = "alice";
  record.job.state = job_state_from({state});
  record.job.submitted = at(submitted);
  record.job.mark = mark_with("t1");
  return record;
}

JobRecord without_mark(JobRecord record) {
  record.job.mark.reset();
  return record;
}

TEST(JoinedTest, PlainJobIsItself) {
  const JobRecord record = a_record(7, 7, "RUNNING");
  EXPECT_THAT(joined({record}), ElementsAre(record.job));
}

TEST(JoinedTest, TasksOfAnArrayAreOneJobUnderTheArraysId) {
  const auto jobs = joined({a_record(9, 6, "RUNNING"), a_record(7, 7, "PENDING"),
                            a_record(6, 6, "PENDING"), a_record(10, 6, "COMPLETED")});
  ASSERT_THAT(jobs, SizeIs(2));
  EXPECT_EQ(jobs[0].id, JobId{6});
  EXPECT_EQ(jobs[0].state.base, BaseState::Running);
  EXPECT_EQ(jobs[1].id, JobId{7});
}

TEST(JoinedTest, ArrayHasNotEndedWhileATaskIsPending) {
  JobRecord done = a_record(9, 6, "FAILED");
  done.job.ended = at(2000);
  const auto jobs = joined({done, a_record(6, 6, "PENDING")});
  EXPECT_FALSE(jobs.front().state.final());
  EXPECT_EQ(jobs.front().ended, std::nullopt);
}

TEST(JoinedTest, ArrayEndsWithItsLastTaskAndFailsWithAnyTask) {
  JobRecord good = a_record(6, 6, "COMPLETED");
  good.job.exit_code = 0;
  good.job.ended = at(3000);
  JobRecord bad = a_record(9, 6, "FAILED");
  bad.job.exit_code = 3;
  bad.job.ended = at(2000);
  for (const auto& records : {std::vector{good, bad}, std::vector{bad, good}}) {
    const auto jobs = joined(records);
    ASSERT_THAT(jobs, SizeIs(1));
    EXPECT_TRUE(jobs.front().state.final());
    EXPECT_EQ(jobs.front().exit_code, 3);
    EXPECT_EQ(jobs.front().ended, at(3000));
  }
}

TEST(JoinedTest, ArrayFailsThoughATaskWasCancelledAndRunsThoughOneCompletes) {
  const JobRecord cancelled = a_record(8, 6, "CANCELLED");
  const JobRecord failed = a_record(9, 6, "FAILED");
  const JobRecord running = a_record(10, 6, "RUNNING");
  JobRecord completing = a_record(7, 6, "RUNNING");
  completing.job.state = job_state_from({"RUNNING", "COMPLETING"});
  const auto state = [](const std::vector<JobRecord>& records) {
    return joined(records).front().state.words;
  };
  EXPECT_EQ(state({cancelled, a_record(6, 6, "COMPLETED")}), "CANCELLED");
  EXPECT_EQ(state({cancelled, failed}), "FAILED");
  EXPECT_EQ(state({completing, running}), "RUNNING");
  EXPECT_EQ(state({completing, a_record(6, 6, "PENDING")}), "RUNNING+COMPLETING");
}

TEST(JoinedTest, TasksOfOneStateAreOneGroup) {
  const auto task = [](std::uint32_t id, std::uint32_t index, const char* state, int exit_code) {
    JobRecord record = a_record(id, 6, state);
    record.tasks.add(index);
    record.job.exit_code = exit_code;
    return record;
  };
  JobRecord rest = a_record(6, 6, "PENDING");
  rest.tasks = IndexSet::of({{10, 20}});
  const auto jobs = joined({task(7, 0, "COMPLETED", 0), task(9, 4, "FAILED", 3), rest,
                            task(8, 2, "COMPLETED", 0), task(10, 5, "FAILED", 4)});
  ASSERT_THAT(jobs, SizeIs(1));
  EXPECT_EQ(jobs[0].records, 5);
  const auto group = [&](const char* state, int exit_code) {
    for (const TaskGroup& one : jobs[0].tasks) {
      if (one.state.words == state && one.exit_code.value_or(0) == exit_code) {
        return to_text(one.indexes);
      }
    }
    return std::string("none");
  };
  EXPECT_EQ(group("PENDING", 0), "10-20");
  EXPECT_EQ(group("COMPLETED", 0), "0,2");
  EXPECT_EQ(group("FAILED", 3), "4");
  EXPECT_EQ(group("FAILED", 4), "5");
  EXPECT_THAT(jobs[0].tasks, SizeIs(4));
}

TEST(JoinedTest, ACutListOfTasksMeansTheRest) {
  JobRecord cut = a_record(6, 6, "PENDING");
  cut.cut = true;
  const auto jobs = joined({cut});
  ASSERT_THAT(jobs.front().tasks, SizeIs(1));
  EXPECT_TRUE(jobs.front().tasks.front().rest);
}

TEST(JoinedTest, AStrangersRecordUnderTheSameGroupStaysApart) {
  JobRecord stranger = a_record(9, 6, "RUNNING");
  stranger.job.mark = mark_with("t2");
  EXPECT_THAT(joined({a_record(6, 6, "PENDING"), stranger}), SizeIs(2));
}

TEST(WholeJobTest, IsAllRecordsOfAnArrayUnderTheMarkOfTheOneWithItsId) {
  JobRecord rewritten = a_record(9, 6, "RUNNING");
  rewritten.job.mark.reset();
  rewritten.tasks.add(1);
  JobRecord head = a_record(6, 6, "COMPLETED");
  head.tasks.add(2);
  const auto job = whole_job({rewritten, head, a_record(7, 7, "PENDING")}, JobId{6});
  ASSERT_TRUE(job);
  EXPECT_EQ(job->id, JobId{6});
  EXPECT_EQ(job->mark, head.job.mark);
  EXPECT_EQ(job->state.base, BaseState::Running);
  EXPECT_EQ(job->records, 2);

  head.job.mark.reset();
  rewritten.job.mark = mark_with("t1");
  EXPECT_EQ(whole_job({rewritten, head}, JobId{6})->mark, std::nullopt);
  EXPECT_EQ(whole_job({rewritten, head}, JobId{5}), std::nullopt);
}

class AccountedTest : public testing::Test {
 protected:
  [[nodiscard]] std::optional<SlurmJob> found(const std::vector<JobRecord>& rows) const {
    return accounted(rows, question_, "alice");
  }

  Question question_{.token = "t1",
                     .job = JobId{7},
                     .ask_accounting = true,
                     .job_name = "train",
                     .submitted_after = at(1000)};
};

TEST_F(AccountedTest, TokenIsEnough) {
  JobRecord row = a_record(8, 8, "COMPLETED", 10);
  row.job.name = "renamed";
  EXPECT_EQ(found({row}), row.job);
}

TEST_F(AccountedTest, WithoutAMarkIdNameUserAndTimeMustFit) {
  const JobRecord row = without_mark(a_record(7, 7, "COMPLETED"));
  EXPECT_EQ(found({row}), row.job);

  JobRecord other = row;
  other.job.id = other.group = JobId{8};
  EXPECT_EQ(found({other}), std::nullopt);
  other = row;
  other.job.name = "other";
  EXPECT_EQ(found({other}), std::nullopt);
  other = row;
  other.job.user = "bob";
  EXPECT_EQ(found({other}), std::nullopt);
  other = row;
  other.job.submitted = at(999);
  EXPECT_EQ(found({other}), std::nullopt);
  other = row;
  other.job.submitted.reset();
  EXPECT_EQ(found({other}), std::nullopt);
}

TEST_F(AccountedTest, WithoutAMarkAndAnIdNothingFits) {
  question_.job.reset();
  EXPECT_EQ(found({without_mark(a_record(7, 7, "COMPLETED"))}), std::nullopt);
}

TEST_F(AccountedTest, WithoutAMarkAndAnIdARowThatFitsMayBeTheJob) {
  question_.job.reset();
  const JobRecord row = without_mark(a_record(7, 7, "COMPLETED"));
  EXPECT_THAT(possible_jobs({row}, question_, "alice"), ElementsAre(row.job));
  EXPECT_THAT(possible_jobs({row}, question_, "bob"), IsEmpty());
  EXPECT_THAT(possible_jobs({a_record(7, 7, "COMPLETED")}, question_, "alice"), IsEmpty());
  JobRecord earlier = row;
  earlier.job.submitted = at(999);
  EXPECT_THAT(possible_jobs({earlier}, question_, "alice"), IsEmpty());
}

TEST_F(AccountedTest, SubmitTimeInTheSameSecondFits) {
  question_.submitted_after = at(1000) + milliseconds(900);
  EXPECT_TRUE(found({without_mark(a_record(7, 7, "COMPLETED", 1000))}));
}

TEST_F(AccountedTest, AnotherMarkIsAnotherJobEvenUnderTheSameId) {
  JobRecord row = a_record(7, 7, "COMPLETED");
  row.job.mark = mark_with("t2");
  EXPECT_EQ(found({row}), std::nullopt);
}

TEST_F(AccountedTest, NewestSubmissionOfARequeuedJobCounts) {
  question_.job.reset();
  const JobRecord first = a_record(7, 7, "PENDING", 1000);
  const JobRecord second = without_mark(a_record(7, 7, "RUNNING", 2000));
  EXPECT_EQ(found({first, second}), second.job);
  EXPECT_EQ(found({second, first}), second.job);
}

TEST_F(AccountedTest, OldRowOfAReusedIdIsNotOurs) {
  EXPECT_EQ(found({without_mark(a_record(7, 7, "COMPLETED", 500))}), std::nullopt);
}

TEST_F(AccountedTest, TasksOfAnArrayAreOneJob) {
  question_.job = JobId{6};
  const auto job = found({without_mark(a_record(6, 6, "COMPLETED")), a_record(9, 6, "FAILED")});
  ASSERT_TRUE(job);
  EXPECT_EQ(job->id, JobId{6});
  EXPECT_EQ(job->state.base, BaseState::Failed);
}

TEST_F(AccountedTest, NoRowsAreNoJob) { EXPECT_EQ(found({}), std::nullopt); }

}  // namespace
}  // namespace sconverge::test
