// How job arrays live: seen as one job, told apart by index.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/core/job_record.h"
#include "controller/core/verdict.h"
#include "tests/support/world.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// "0-3" in that state, with an id of its own.
struct Shown {
  const char* tasks;
  const char* state;
  int exit_code{0};
};

struct ArrayTest : testing::Test, World {
  JobSpec spec = a_spec("sweep").with("array", std::string("0-9%3"));

  SlurmJob joined_of(const std::vector<Shown>& shown) {
    const SlurmJob head = jobs.empty() ? last : job_of("sweep");
    std::vector<JobRecord> records;
    std::uint32_t id = head.id.value;
    for (const Shown& part : shown) {
      JobRecord record{.job = head, .group = head.id, .tasks = index_set_from(part.tasks).value()};
      record.job.id = JobId{id++};
      record.job.tasks.clear();
      record.job.state = job_state_from({part.state});
      if (record.job.state.final()) record.job.exit_code = part.exit_code;
      records.push_back(record);
    }
    return joined(records).front();
  }
  /// Slurm shows the array's records so.
  void show(const std::vector<Shown>& shown) {
    last = joined_of(shown);
    jobs.insert_or_assign(last.id, last);
  }
  void account(const std::vector<Shown>& shown) {
    const SlurmJob row = joined_of(shown);
    rows[row.mark->token] = row;
  }
  void purge() { jobs.clear(); }

  void start() {
    declare(spec);
    submit(look());
    show({{"0-9", "PENDING"}});
    look();
  }
  Verdict verdict(const Plan& made) { return made.verdicts.at(a_name("sweep")); }
  Attempt& attempt() { return attempt_of("sweep"); }
  OutcomeKind outcome() {
    return attempt().outcome ? attempt().outcome->kind : OutcomeKind::Abandoned;
  }

  SlurmJob last{.id = {}};
};

TEST_F(ArrayTest, ItsTasksWaitFromTheSubmitOn) {
  declare(spec);
  submit(look());
  EXPECT_EQ(attempt().array, "0-9%3");
  EXPECT_EQ(to_text(attempt().tasks.pending), "0-9");
}

TEST_F(ArrayTest, RunsWhileAnyTaskRuns) {
  start();
  show({{"8-9", "PENDING"}, {"4,7", "FAILED", 3}, {"0-2", "RUNNING"}, {"3,5-6", "COMPLETED"}});
  const Verdict stands = verdict(look());
  EXPECT_THAT(stands, Stands(Phase::Running, Reason::JobRunning));
  EXPECT_THAT(stands.message,
              HasSubstr("3 of 10 tasks running, 2 pending, 3 succeeded, 2 failed (4,7)"));
}

TEST_F(ArrayTest, IsPendingWhileNoTaskRunsAndAnyWaits) {
  start();
  show({{"1-9", "PENDING"}, {"0", "COMPLETED"}});
  EXPECT_THAT(verdict(look()), Stands(Phase::Pending, Reason::Queued));
}

TEST_F(ArrayTest, SucceedsWhenAllTasksHave) {
  start();
  show({{"9", "COMPLETED"}, {"0-8", "COMPLETED"}});
  EXPECT_THAT(verdict(look()), Stands(Phase::Succeeded, Reason::Completed));
  EXPECT_EQ(attempt().tasks.succeeded().size(), 10U);
}

TEST_F(ArrayTest, FailsWhenAllHaveEndedAndAnyFailed) {
  start();
  show({{"9", "COMPLETED"}, {"0-3,5-6,8", "COMPLETED"}, {"4,7", "FAILED", 3}});
  const Verdict stands = verdict(look());
  EXPECT_THAT(stands, Stands(Phase::Failed, Reason::NonZeroExitCode));
  EXPECT_THAT(stands.message, HasSubstr("exit code 3; 8 of 10 tasks succeeded, 2 failed (4,7)"));
  EXPECT_EQ(to_text(attempt().tasks.failed()), "4,7");
}

TEST_F(ArrayTest, IsCancelledByOthersIfSomeTasksWereAndNoneFailed) {
  start();
  show({{"9", "CANCELLED"}, {"0-8", "COMPLETED"}});
  EXPECT_THAT(verdict(look()), Stands(Phase::Cancelled, Reason::ExternalCancel));
}

// Slurm purges the records of tasks one by one, while others still run.
TEST_F(ArrayTest, RemembersEndsThatSlurmHasPurged) {
  start();
  show({{"9", "RUNNING"}, {"0-3,5-6,8", "COMPLETED"}, {"4,7", "FAILED", 3}});
  look();
  show({{"9", "RUNNING"}});
  EXPECT_THAT(verdict(look()).message, HasSubstr("2 failed (4,7)"));
  show({{"9", "COMPLETED"}});
  EXPECT_THAT(verdict(look()), Stands(Phase::Failed, Reason::NonZeroExitCode));
  EXPECT_EQ(attempt().outcome->exit_code, 3);
  EXPECT_EQ(to_text(attempt().tasks.failed()), "4,7");
}

TEST_F(ArrayTest, KeepsWhenItBeganThoughSlurmForgetsItsFirstTasks) {
  start();
  show({{"1-9", "PENDING"}, {"0", "RUNNING"}});
  last.started = kNoon + seconds{5};
  jobs.insert_or_assign(last.id, last);
  look();
  show({{"2-9", "PENDING"}, {"1", "RUNNING"}});
  last.started = kNoon + seconds{500};
  jobs.insert_or_assign(last.id, last);
  look();
  EXPECT_EQ(attempt().started, kNoon + seconds{5});
}

TEST_F(ArrayTest, AsksAccountingForEndsItDidNotSee) {
  start();
  show({{"9", "COMPLETED"}});
  account({{"9", "COMPLETED"}, {"0-7", "COMPLETED"}, {"8", "TIMEOUT"}});
  EXPECT_FALSE(attempt().outcome);
  look();
  EXPECT_FALSE(attempt().outcome) << "one look is not enough";
  EXPECT_THAT(verdict(look()), Stands(Phase::Failed, Reason::TimeLimit));
  EXPECT_EQ(to_text(attempt().tasks.failed()), "8");
  EXPECT_EQ(to_text(attempt().tasks.succeeded()), "0-7,9");
}

TEST_F(ArrayTest, WaitsForAccountingThatCannotBeAsked) {
  start();
  show({{"9", "COMPLETED"}});
  accounting_answers = false;
  look();
  EXPECT_THAT(verdict(look()), Stands(Phase::Lost, Reason::AwaitingAccounting));
  EXPECT_FALSE(attempt().outcome);
  look();
  EXPECT_THAT(absorbed.changed, IsEmpty());
  accounting_answers = true;
  account({{"9", "COMPLETED"}, {"0-8", "COMPLETED"}});
  EXPECT_THAT(verdict(look()), Stands(Phase::Succeeded, Reason::Completed));
}

// It has ended for all that is known, so that Slurm forgets it is nothing to be alarmed about.
TEST_F(ArrayTest, DoesNotVanishWhenSlurmForgetsWhatHadEnded) {
  start();
  show({{"9", "COMPLETED"}});
  accounting_answers = false;
  look();
  look();
  purge();
  EXPECT_THAT(verdict(look()), Stands(Phase::Lost, Reason::AwaitingAccounting));
  EXPECT_EQ(attempt().unseen_since, std::nullopt);
  EXPECT_THAT(absorbed.changed, IsEmpty());
}

TEST_F(ArrayTest, WaitsForAccountingThatHasNotHeardOfAllEnds) {
  start();
  show({{"9", "COMPLETED"}});
  account({{"9", "COMPLETED"}, {"0-8", "RUNNING"}});
  look();
  look();
  EXPECT_FALSE(attempt().outcome);
  account({{"9", "COMPLETED"}, {"0-8", "COMPLETED"}});
  look();
  EXPECT_EQ(outcome(), OutcomeKind::Succeeded);
}

// The list has only records with our mark; the array read alone has all.
TEST_F(ArrayTest, LivesOnWhileATaskDoesWhoseCommentSomebodyRewrote) {
  start();
  show({{"9", "COMPLETED"}, {"1-8", "COMPLETED"}});
  whole = joined_of({{"9", "COMPLETED"}, {"1-8", "COMPLETED"}, {"0", "RUNNING"}});
  look();
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(verdict(look()), Stands(Phase::Running, Reason::JobRunning));
    EXPECT_EQ(to_text(attempt().tasks.running), "0");
  }
  EXPECT_THAT(absorbed.changed, IsEmpty());
  declare(a_spec("sweep").with("array", std::string("0-9%3")).time_limit(90));
  EXPECT_THAT(look().actions, IsEmpty());
  whole = joined_of({{"9", "COMPLETED"}, {"1-8", "COMPLETED"}, {"0", "FAILED", 3}});
  look();
  EXPECT_EQ(outcome(), OutcomeKind::Failed);
}

// A task cancelled by itself before it began leaves no record in Slurm 24.11, nor in accounting.
TEST_F(ArrayTest, TakesATaskWithoutAnyTraceForCancelled) {
  start();
  show({{"5-9", "PENDING"}, {"0-3", "RUNNING"}});  // not 4
  EXPECT_THAT(verdict(look()), Stands(Phase::Running, Reason::JobRunning));
  show({{"9", "COMPLETED"}, {"0-3,5-8", "COMPLETED"}});
  account({{"9", "COMPLETED"}, {"0-3,5-8", "COMPLETED"}});
  look();
  EXPECT_THAT(verdict(look()), Stands(Phase::Cancelled, Reason::ExternalCancel));
  EXPECT_EQ(to_text(attempt().tasks.cancelled()), "4");
  EXPECT_EQ(to_text(attempt().tasks.succeeded()), "0-3,5-9");
}

TEST_F(ArrayTest, LosesTasksThatAccountingHasNoRecordOf) {
  start();
  show({{"9", "COMPLETED"}});
  look();
  EXPECT_THAT(verdict(look()), Stands(Phase::Lost, Reason::OutcomeUnknown));
  EXPECT_EQ(to_text(attempt().tasks.lost()), "0-8");
}

TEST_F(ArrayTest, TakesTheEndOfAPurgedArrayFromAccountingAndItsMemory) {
  start();
  show({{"9", "RUNNING"}, {"0-7", "COMPLETED"}, {"8", "FAILED", 3}});
  look();
  account({{"9", "COMPLETED"}, {"0-7", "COMPLETED"}, {"8", "COMPLETED"}});  // it saw 8 fail
  purge();
  look();
  look();
  EXPECT_EQ(outcome(), OutcomeKind::Failed);
  EXPECT_EQ(to_text(attempt().tasks.failed()), "8");
  EXPECT_EQ(to_text(attempt().tasks.succeeded()), "0-7,9");
}

TEST_F(ArrayTest, LosesOnlyWhatItDidNotSeeOfAnArrayThatNobodyKnows) {
  start();
  show({{"5-9", "PENDING"}, {"0-4", "COMPLETED"}});
  look();
  purge();
  look();
  look();
  EXPECT_EQ(outcome(), OutcomeKind::Lost);
  EXPECT_EQ(to_text(attempt().tasks.succeeded()), "0-4");
  EXPECT_EQ(to_text(attempt().tasks.lost()), "5-9");
}

TEST_F(ArrayTest, ItsTasksAreNoDuplicatesOfEachOther) {
  start();
  show({{"2-9", "PENDING"}, {"0", "RUNNING"}, {"1", "RUNNING"}});
  EXPECT_THAT(look().actions, IsEmpty());
  EXPECT_EQ(absorbed.duplicates, 0);
  EXPECT_THAT(attempt().duplicates, IsEmpty());
}

TEST_F(ArrayTest, ChangesItsThrottleInPlaceWhileItWaits) {
  start();
  declare(a_spec("sweep").with("array", std::string("0-9%5")));
  const Plan made = look();
  ASSERT_THAT(made.actions, SizeIs(1));
  ASSERT_TRUE(std::holds_alternative<Update>(made.actions[0]));
  record_update_requested(history.at(a_name("sweep")), std::get<Update>(made.actions[0]));
  EXPECT_EQ(attempt().array, "0-9%5");
}

TEST_F(ArrayTest, IsReplacedForOtherTasksWhileItWaits) {
  start();
  declare(a_spec("sweep").with("array", std::string("0-8%3")));
  EXPECT_THAT(look().actions, ElementsAre(Cancels(last.id, CancelCause::Superseded)));
}

// Slurm would change only one of the records.
TEST_F(ArrayTest, IsReplacedIfATaskThatWaitsHasARecordOfItsOwn) {
  start();
  show({{"0-3,5-9", "PENDING"}, {"4", "PENDING"}});
  declare(a_spec("sweep").with("array", std::string("0-9%3")).time_limit(90));
  EXPECT_THAT(look().actions, ElementsAre(Cancels(last.id, CancelCause::Superseded)));
}

TEST_F(ArrayTest, IsLeftToFinishOnceATaskHasBegun) {
  start();
  show({{"1-9", "PENDING"}, {"0", "COMPLETED"}});
  declare(a_spec("sweep").with("array", std::string("0-9%3")).time_limit(90));
  const Plan made = look();
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_THAT(verdict(made), Stands(Phase::Pending, Reason::ChangeQueued));
}

// Slurm may have run and forgotten it while nobody looked.
TEST_F(ArrayTest, IsLeftToFinishIfATaskIsMissing) {
  start();
  show({{"1-9", "PENDING"}});
  declare(a_spec("sweep").with("array", std::string("0-9%3")).time_limit(90));
  EXPECT_THAT(look().actions, IsEmpty());
}

TEST_F(ArrayTest, IsCancelledAsAWholeWhenItsSpecIsRemoved) {
  start();
  show({{"5-9", "PENDING"}, {"0-4", "RUNNING"}});
  look();
  remove("sweep");
  look();
  EXPECT_THAT(look_after(seconds{31}).actions, ElementsAre(Cancels(last.id, CancelCause::Removed)));
}

TEST_F(ArrayTest, IsAdoptedWithTheTasksItsSpecDeclares) {
  start();
  show({{"5-9", "PENDING"}, {"0-4", "RUNNING"}});
  history.clear();
  look();
  EXPECT_EQ(attempt().array, "0-9%3");
  EXPECT_EQ(absorbed.adoptions, 1);
  EXPECT_EQ(to_text(attempt().tasks.running), "0-4");
}

TEST_F(ArrayTest, ChangesNothingTheSecondTime) {
  start();
  show({{"5-9", "PENDING"}, {"0-2", "RUNNING"}, {"3-4", "FAILED", 1}});
  look();
  look();
  EXPECT_THAT(absorbed.changed, IsEmpty());
}

}  // namespace
}  // namespace sconverge::test
