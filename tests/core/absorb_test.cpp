#include "controller/core/absorb.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct AbsorbTest : testing::Test, World {
  void lose(const std::string& name) { jobs.erase(attempt_of(name).job.value()); }

  /// Accounting has the job's row, ended so.
  void account(const std::string& name, const std::string& state, int exit_code) {
    SlurmJob row = job_of(name);
    end(row, state, exit_code);
    rows[row.mark->token] = row;
  }

  /// The submit is on its way, and nobody has heard of it since.
  Submit send(const std::string& name) {
    declare(a_spec(name));
    const Plan made = look();
    auto submit = std::get<Submit>(made.actions.at(0));
    begin_submit(history.at(a_name(name)), submit, policy, now);
    return submit;
  }
};

TEST_F(AbsorbTest, ChangesNothingTheSecondTime) {
  running(a_spec("train"));
  look();
  EXPECT_THAT(absorbed.changed, IsEmpty());
  look_after(std::chrono::hours{1});
  EXPECT_THAT(absorbed.changed, IsEmpty());
}

TEST_F(AbsorbTest, NamesTheEntriesThatChanged) {
  running(a_spec("one"));
  SlurmJob& two = running(a_spec("two"));
  end(two, "COMPLETED");
  look();
  EXPECT_THAT(absorbed.changed, ElementsAre(a_name("two")));
}

TEST_F(AbsorbTest, FindsTheJobOfAnUnansweredSubmitByItsToken) {
  declare(a_spec("train"));
  const Plan made = look();
  const JobId id = land(std::get<Submit>(made.actions.at(0)));
  look();
  EXPECT_EQ(attempt_of("train").job, id);
  EXPECT_FALSE(attempt_of("train").in_doubt);
  EXPECT_EQ(absorbed.adoptions, 1);
}

TEST_F(AbsorbTest, FollowsAJobThroughARequeueWithANewSubmitTime) {
  SlurmJob& job = running(a_spec("train"));
  job.submitted = kNoon + seconds{500};
  job.restarts = 1;
  job.state = job_state_from({"PENDING", "REQUEUED"});
  EXPECT_THAT(look().actions, IsEmpty());
  EXPECT_TRUE(is_open(attempt_of("train")));
  EXPECT_EQ(attempt_of("train").restarts, 1);
}

TEST_F(AbsorbTest, RecordsAnEndOnceAndNeverTakesItBack) {
  SlurmJob& job = running(a_spec("train"));
  end(job, "FAILED", 3);
  look();
  ASSERT_THAT(absorbed.terminations, SizeIs(1));
  EXPECT_EQ(absorbed.terminations[0].outcome.kind, OutcomeKind::Failed);
  EXPECT_EQ(absorbed.terminations[0].outcome.exit_code, 3);
  job.state = job_state_from({"RUNNING"});
  look();
  EXPECT_THAT(absorbed.terminations, IsEmpty());
  EXPECT_EQ(attempt_of("train").outcome->kind, OutcomeKind::Failed);
}

TEST_F(AbsorbTest, AnUnknownStateWordIsNoEnd) {
  SlurmJob& job = running(a_spec("train"));
  job.state = job_state_from({"COMPLETED", "SOMETHING_NEW"});
  look();
  EXPECT_TRUE(is_open(attempt_of("train")));
}

// Absence.

TEST_F(AbsorbTest, OneObservationWithoutTheJobConcludesNothing) {
  running(a_spec("train"));
  account("train", "COMPLETED", 0);
  lose("train");
  look_after(seconds{10});
  EXPECT_TRUE(is_open(attempt_of("train")));
}

TEST_F(AbsorbTest, TwoObservationsAndAccountingGiveTheOutcome) {
  running(a_spec("train"));
  account("train", "FAILED", 9);
  lose("train");
  look_after(seconds{10});
  look_after(seconds{10});
  ASSERT_TRUE(attempt_of("train").outcome);
  EXPECT_EQ(attempt_of("train").outcome->kind, OutcomeKind::Failed);
  EXPECT_EQ(attempt_of("train").outcome->exit_code, 9);
}

TEST_F(AbsorbTest, AJobNobodyKnowsAnythingAboutIsLostAndNotRunAgain) {
  running(a_spec("train"));
  lose("train");
  look_after(seconds{10});
  const Plan made = look_after(seconds{10});
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_THAT(made.verdicts.at(a_name("train")), Stands(Phase::Lost, Reason::OutcomeUnknown));
  EXPECT_THAT(look_after(std::chrono::hours{9}).actions, IsEmpty());
}

TEST_F(AbsorbTest, AnAccountingOutageIsNoAnswer) {
  running(a_spec("train"));
  account("train", "COMPLETED", 0);
  lose("train");
  accounting_answers = false;
  for (int i = 0; i < 5; ++i) look_after(seconds{10});
  const Plan made = look();
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_THAT(made.verdicts.at(a_name("train")), Stands(Phase::Lost, Reason::AwaitingAccounting));
  accounting_answers = true;
  look_after(seconds{10});
  EXPECT_EQ(attempt_of("train").outcome->kind, OutcomeKind::Succeeded);
}

TEST_F(AbsorbTest, WritesNothingMoreWhileAccountingStaysSilent) {
  running(a_spec("train"));
  lose("train");
  accounting_answers = false;
  for (int i = 0; i < 5; ++i) look_after(seconds{10});
  EXPECT_THAT(absorbed.changed, IsEmpty());
}

TEST_F(AbsorbTest, AChangedSpecNeedNotWaitForAccounting) {
  running(a_spec("train"));
  lose("train");
  accounting_answers = false;
  for (int i = 0; i < 3; ++i) look_after(seconds{10});
  declare(a_spec("train").time_limit(99));
  EXPECT_THAT(look_after(seconds{10}).actions, ElementsAre(Submits(a_name("train"))));
}

TEST_F(AbsorbTest, AnUnansweredReadConcludesNothing) {
  running(a_spec("train"));
  lose("train");
  reads_answered = false;
  for (int i = 0; i < 5; ++i) look_after(seconds{10});
  EXPECT_TRUE(is_open(attempt_of("train")));
  EXPECT_EQ(attempt_of("train").unseen, 0);
}

TEST_F(AbsorbTest, AJobThatIsBackStartsItsAbsenceAnew) {
  const SlurmJob job = running(a_spec("train"));
  lose("train");
  look_after(seconds{10});
  jobs.emplace(job.id, job);
  look_after(seconds{10});
  jobs.clear();
  look_after(seconds{10});
  EXPECT_TRUE(is_open(attempt_of("train")));
}

TEST_F(AbsorbTest, AnIdThatSomebodyElsesJobHasNowIsAbsence) {
  running(a_spec("train"));
  account("train", "COMPLETED", 0);
  const JobId id = *attempt_of("train").job;
  jobs.insert_or_assign(id, a_job(id.value).named("foreign").submitted(kNoon + seconds{99}));
  look_after(seconds{10});
  look_after(seconds{10});
  EXPECT_EQ(attempt_of("train").outcome->kind, OutcomeKind::Succeeded);
}

TEST_F(AbsorbTest, AJobWhoseCommentSomebodyRewroteIsStillFollowed) {
  SlurmJob& job = running(a_spec("train"));
  job.mark.reset();
  for (int i = 0; i < 3; ++i) look_after(seconds{10});
  EXPECT_TRUE(is_open(attempt_of("train")));
  end(job, "COMPLETED");
  look();
  EXPECT_EQ(attempt_of("train").outcome->kind, OutcomeKind::Succeeded);
}

TEST_F(AbsorbTest, ALostJobThatShowsItselfIsFollowedAgain) {
  const SlurmJob job = running(a_spec("train"));
  lose("train");
  look_after(seconds{10});
  look_after(seconds{10});
  ASSERT_EQ(attempt_of("train").outcome->kind, OutcomeKind::Lost);
  jobs.emplace(job.id, job);
  look_after(seconds{10});
  EXPECT_TRUE(is_open(attempt_of("train")));
}

// Intents.

TEST_F(AbsorbTest, LooksWithinTheDoubtWindowProveNothing) {
  send("train");
  for (int i = 0; i < 6; ++i) look_after(seconds{10});
  EXPECT_TRUE(attempt_of("train").in_doubt);
  EXPECT_EQ(attempt_of("train").unseen, 0);
}

TEST_F(AbsorbTest, AccountingKnowsTheJobOfAnIntentThatCameAndWent) {
  const Submit submit = send("train");
  SlurmJob row = a_job(55).named("train").marked(mark_of(submit.spec, attempt_of("train"), policy));
  end(row, "COMPLETED");
  rows[row.mark->token] = row;
  look_after(policy.request_timeout + seconds{1});
  const Plan made = look_after(seconds{10});
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_EQ(attempt_of("train").job, JobId{55});
  EXPECT_EQ(attempt_of("train").outcome->kind, OutcomeKind::Succeeded);
}

TEST_F(AbsorbTest, AnIntentNobodyWantsAnyMoreIsAbandonedOnceItProvablyNeverArrived) {
  send("train");
  declare(a_spec("train").time_limit(99));
  EXPECT_THAT(look_after(policy.request_timeout + seconds{1}).actions, IsEmpty());
  const Plan made = look_after(seconds{10});
  ASSERT_THAT(made.actions, ElementsAre(Submits(a_name("train"))));
  EXPECT_EQ(std::get<Submit>(made.actions.at(0)).run, 2);
}

TEST_F(AbsorbTest, AnAbandonedIntentThatLandsAfterAllIsCancelled) {
  const Submit submit = send("train");
  const Mark mark = mark_of(submit.spec, attempt_of("train"), policy);
  declare(a_spec("train").time_limit(99));
  look_after(policy.request_timeout + seconds{1});
  this->submit(look_after(seconds{10}));
  look();
  jobs.emplace(JobId{999}, a_job(999).named("train").marked(mark).pending());
  EXPECT_THAT(look().actions, ElementsAre(Cancels(JobId{999}, CancelCause::Superseded)));
}

// The newest intent has no job: it waits for one of them to end.
TEST_F(AbsorbTest, OfTwoAbandonedIntentsThatLandAfterAllTheEarlierIsCancelledThoughItRuns) {
  const Submit first = send("train");
  const Mark mark = mark_of(first.spec, attempt_of("train"), policy);
  declare(a_spec("train").time_limit(99));
  look_after(policy.request_timeout + seconds{1});
  const Plan again = look_after(seconds{10});
  const auto& second = std::get<Submit>(again.actions.at(0));
  begin_submit(history.at(a_name("train")), second, policy, now);
  const Mark second_mark = mark_of(second.spec, attempt_of("train"), policy);
  declare(a_spec("train").time_limit(77));
  look_after(policy.request_timeout + seconds{1});
  const Plan third = look_after(seconds{10});
  begin_submit(history.at(a_name("train")), std::get<Submit>(third.actions.at(0)), policy, now);
  jobs.emplace(JobId{998}, a_job(998).named("train").marked(mark).running());
  jobs.emplace(JobId{999}, a_job(999).named("train").marked(second_mark).running());
  EXPECT_THAT(look().actions, ElementsAre(Cancels(JobId{998}, CancelCause::Duplicate)));
}

TEST_F(AbsorbTest, ARerunGivesUpAnIntentThatAccountingCannotSettle) {
  send("train");
  accounting_answers = false;
  look_after(policy.request_timeout + seconds{1});
  look_after(seconds{10});
  requests = {{1, RequestKind::Rerun, a_name("train"), now}};
  EXPECT_THAT(look_after(seconds{10}).actions, ElementsAre(Submits(a_name("train"))));
}

// Requests, adoption, memory.

TEST_F(AbsorbTest, IgnoresRequestsForUnknownSpecs) {
  requests = {{1, RequestKind::Rerun, a_name("nobody"), now}};
  look();
  EXPECT_THAT(history, IsEmpty());
}

TEST_F(AbsorbTest, AnApprovalOfASpecThatIsDeclaredDoesNothing) {
  running(a_spec("train"));
  requests = {{1, RequestKind::ApproveRemoval, a_name("train"), now}};
  look();
  EXPECT_FALSE(history.at(a_name("train")).removal_approved);
}

TEST_F(AbsorbTest, AnApprovalIsSpentWhenTheSpecComesBack) {
  running(a_spec("train"));
  remove("train");
  look();
  requests = {{1, RequestKind::ApproveRemoval, a_name("train"), now}};
  look();
  EXPECT_TRUE(history.at(a_name("train")).removal_approved);
  declare(a_spec("train"));
  look();
  EXPECT_FALSE(history.at(a_name("train")).removal_approved);
}

TEST_F(AbsorbTest, AJobOfOursThatNobodyDeclaresIsAdoptedAndThenRemovedByTheRules) {
  jobs.emplace(JobId{7}, a_job(7).named("old").marked(a_mark(a_spec("old"))).running());
  EXPECT_THAT(look().actions, IsEmpty());
  EXPECT_THAT(look_after(seconds{31}).actions,
              ElementsAre(Cancels(JobId{7}, CancelCause::Removed)));
}

TEST_F(AbsorbTest, MovingAFileIsNoChange) {
  running(a_spec("train").file("a.yaml"));
  declare(a_spec("train").file("b.yaml"));
  EXPECT_THAT(look().actions, IsEmpty());
  EXPECT_EQ(history.at(a_name("train")).file, "b.yaml");
}

TEST_F(AbsorbTest, TellsHowLongAGenerationTookToReachSlurm) {
  declare(a_spec("train"));
  submit(look());
  look_after(seconds{7});
  EXPECT_THAT(absorbed.convergence_seconds, ElementsAre(7.0));
  look_after(seconds{7});
  EXPECT_THAT(absorbed.convergence_seconds, IsEmpty());
}

TEST_F(AbsorbTest, AJobsTimesAreToldOnceEach) {
  SlurmJob& job = pending(a_spec("train"));
  EXPECT_THAT(absorbed.queue_wait_seconds, IsEmpty());
  job.state = job_state_from({"RUNNING"});
  job.started = *job.submitted + seconds{40};
  look();
  EXPECT_THAT(absorbed.queue_wait_seconds, ElementsAre(40));
  look();
  EXPECT_THAT(absorbed.queue_wait_seconds, IsEmpty());
  EXPECT_THAT(absorbed.run_seconds, IsEmpty());
  end(job, "FAILED", 3);
  job.ended = *job.started + seconds{5};
  look();
  EXPECT_THAT(absorbed.run_seconds, ElementsAre(5));
  look();
  EXPECT_THAT(absorbed.run_seconds, IsEmpty());
  EXPECT_THAT(absorbed.queue_wait_seconds, IsEmpty());
}

TEST_F(AbsorbTest, AShortJobThatIsFirstSeenWhenItHasEndedTellsBothTimes) {
  SlurmJob& job = pending(a_spec("train"));
  job.started = *job.submitted + seconds{2};
  job.ended = *job.started;
  end(job, "COMPLETED");
  look();
  EXPECT_THAT(absorbed.queue_wait_seconds, ElementsAre(2));
  EXPECT_THAT(absorbed.run_seconds, ElementsAre(0));
}

TEST_F(AbsorbTest, AJobThatWasCancelledInTheQueueNeverRan) {
  SlurmJob& job = pending(a_spec("train"));
  job.started = job.ended = *job.submitted + seconds{9};
  end(job, "CANCELLED");
  look();
  EXPECT_THAT(absorbed.terminations, SizeIs(1));
  EXPECT_THAT(absorbed.queue_wait_seconds, IsEmpty());
  EXPECT_THAT(absorbed.run_seconds, IsEmpty());
}

TEST_F(AbsorbTest, ARequeuedJobWaitsOnceMore) {
  SlurmJob& job = running(a_spec("train"));
  job.started = *job.submitted + seconds{1};
  look();
  job.state = job_state_from({"PENDING"});
  job.submitted = *job.submitted + seconds{100};
  job.started.reset();
  look();
  job.state = job_state_from({"RUNNING"});
  job.started = *job.submitted + seconds{7};
  look();
  EXPECT_THAT(absorbed.queue_wait_seconds, ElementsAre(7));
}

TEST_F(AbsorbTest, AccountingTellsTheTimesOfAJobThatVanished) {
  SlurmJob& job = pending(a_spec("train"));
  job.started = *job.submitted + seconds{3};
  job.ended = *job.started + seconds{60};
  account("train", "COMPLETED", 0);
  lose("train");
  look();
  look_after(seconds{30});
  EXPECT_THAT(absorbed.terminations, SizeIs(1));
  EXPECT_THAT(absorbed.queue_wait_seconds, ElementsAre(3));
  EXPECT_THAT(absorbed.run_seconds, ElementsAre(60));
}

}  // namespace
}  // namespace sconverge::test
