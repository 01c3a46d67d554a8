// What every SlurmClient promises, held on the fake and on the REST client with a real Slurm.

#include "tests/contract/slurm_client_contract.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::Field;
using testing::Ge;
using testing::IsEmpty;
using testing::Le;
using testing::Ne;
using testing::Not;
using testing::Optional;

// Submitting and observing ---------------------------------------------------------------------

TEST_P(SlurmClientContract, ASubmittedJobIsObservedWithItsMarkNameUserAndState) {
  const JobSpec wanted = pending_spec().comment("night run");
  const Mark mark = mark_for(wanted);
  const JobId job = submit(submission(wanted, mark));

  const auto seen = observed_with(mark.token);

  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].id, job);
  EXPECT_EQ(seen[0].mark, mark);
  EXPECT_EQ(seen[0].comment, comment_with_mark("night run", mark));
  EXPECT_EQ(seen[0].name, name);
  EXPECT_EQ(seen[0].user, cluster->user());
  EXPECT_EQ(seen[0].state.base, BaseState::Pending);
  EXPECT_EQ(seen[0].state.words, "PENDING");
  EXPECT_FALSE(seen[0].held);
  EXPECT_EQ(seen[0].started, std::nullopt);
  EXPECT_THAT(seen[0].submitted,
              Optional(AllOf(Ge(cluster->now() - seconds{60}), Le(cluster->now() + seconds{5}))));
}

TEST_P(SlurmClientContract, AJobReadAloneLooksAsItDoesInTheList) {
  const JobSpec wanted = pending_spec();
  const Mark mark = mark_for(wanted);
  const JobId job = submit(submission(wanted, mark));

  const auto seen = observed_with(mark.token);

  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(read(job), seen[0]);
}

TEST_P(SlurmClientContract, AnObservationSpansTheTimeItTook) {
  const auto observation = client.observe({});
  ASSERT_THAT(observation, Works());
  EXPECT_LE(observation->began, observation->ended);
  EXPECT_LE(observation->ended, cluster->now());
}

TEST_P(SlurmClientContract, AJobWithoutAMarkIsCountedButNotListed) {
  const JobId job = cluster->foreign_job(name);

  const auto observation = client.observe({});
  cluster->end_foreign_job(job);

  ASSERT_THAT(observation, Works());
  EXPECT_GE(observation->all_jobs, 1U);
  EXPECT_THAT(observation->jobs, testing::Each(Field(&SlurmJob::id, Ne(job))));
}

TEST_P(SlurmClientContract, AForeignNameThatIsNotUtf8DoesNotBlindUs) {
  const JobId foreign = cluster->foreign_job("caf\xE9-" + name);
  const JobSpec wanted = pending_spec();
  const Mark mark = mark_for(wanted);
  const JobId job = submit(submission(wanted, mark));

  const auto seen = observed_with(mark.token);
  const auto read_alone = client.read(foreign);
  cluster->end_foreign_job(foreign);

  EXPECT_THAT(seen, testing::ElementsAre(Field(&SlurmJob::id, job)));
  ASSERT_THAT(read_alone, Works());
  EXPECT_TRUE(read_alone->has_value());
}

TEST_P(SlurmClientContract, TwoJobsWithOneMarkAreObservedAsTwoJobs) {
  const JobSpec wanted = pending_spec();
  const Mark mark = mark_for(wanted);
  const JobId first = submit(submission(wanted, mark));
  const JobId second = submit(submission(wanted, mark));

  EXPECT_THAT(
      observed_with(mark.token),
      testing::UnorderedElementsAre(Field(&SlurmJob::id, first), Field(&SlurmJob::id, second)));
}

TEST_P(SlurmClientContract, AnUnknownPartitionIsRejected) {
  JobSpec wanted = pending_spec().partition("nowhere-" + name);
  const auto answer = client.submit(submission(wanted, mark_for(wanted)));
  ASSERT_THAT(answer, FailsWith(ErrorKind::Rejected));
  EXPECT_EQ(answer.error().slurm_errno, 2000);
  EXPECT_THAT(answer.error().message, Not(IsEmpty()));
}

TEST_P(SlurmClientContract, ACommentThatIsTooLongForSlurmIsRejected) {
  JobSpec wanted = pending_spec().comment(std::string(kMaxCommentBytes, 'x'));
  EXPECT_THAT(client.submit(submission(wanted, mark_for(wanted))), FailsWith(ErrorKind::Rejected));
}

// Running --------------------------------------------------------------------------------------

TEST_P(SlurmClientContract, AJobRunsToItsEndWithExitCodeZero) {
  const JobId job = submit(spec("#!/bin/sh\nexit 0\n"));

  const SlurmJob ended = wait_until_final(job);

  EXPECT_EQ(ended.state.base, BaseState::Completed);
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_THAT(ended.started, Optional(Ge(*ended.submitted)));
  EXPECT_THAT(ended.ended, Optional(Ge(*ended.started)));
}

TEST_P(SlurmClientContract, AFailingJobEndsWithItsExitCode) {
  const JobId job = submit(spec("#!/bin/sh\nexit 3\n"));

  const SlurmJob ended = wait_until_final(job);

  EXPECT_EQ(ended.state.base, BaseState::Failed);
  EXPECT_EQ(ended.exit_code, 3);
  EXPECT_EQ(ended.reason, "NonZeroExitCode");
}

TEST_P(SlurmClientContract, ARequeuedJobKeepsItsIdAndItsMark) {
  const JobSpec wanted = spec();
  const Mark mark = mark_for(wanted);
  const JobId job = submit(submission(wanted, mark));
  const SlurmJob before = wait_until_running(job);
  cluster->pass_time();

  cluster->requeue_as_root(job);

  ASSERT_TRUE(eventually([&] { return read(job).restarts == 1; }));
  const SlurmJob after = read(job);
  EXPECT_EQ(after.id, job);
  EXPECT_EQ(after.mark, mark);
  EXPECT_GE(after.submitted, before.submitted);
  EXPECT_FALSE(after.state.final());
}

TEST_P(SlurmClientContract, ReadOfAnUnknownIdIsNothing) {
  const auto answer = client.read(kNobodysId);
  ASSERT_THAT(answer, Works());
  EXPECT_EQ(*answer, std::nullopt);
}

// Changing -------------------------------------------------------------------------------------

TEST_P(SlurmClientContract, AHeldJobWaitsUntilItIsReleased) {
  const JobId job = submit(pending_spec());
  ASSERT_THAT(client.set_hold(job, true), Works());
  const auto now = std::chrono::duration_cast<seconds>(cluster->now().time_since_epoch());
  ASSERT_THAT(client.update(job, {{"begin_time", now.count()}}), Works());
  for (int i = 0; i < 10; ++i) cluster->pass_time();
  EXPECT_TRUE(read(job).held);
  EXPECT_EQ(read(job).state.base, BaseState::Pending);

  ASSERT_THAT(client.set_hold(job, false), Works());

  EXPECT_FALSE(read(job).held);
  EXPECT_EQ(wait_until_final(job).state.base, BaseState::Completed);
}

TEST_P(SlurmClientContract, APendingJobIsHeldAndReleased) {
  const JobId job = submit(pending_spec());
  ASSERT_FALSE(read(job).held);

  ASSERT_THAT(client.set_hold(job, true), Works());
  EXPECT_TRUE(read(job).held);
  EXPECT_EQ(read(job).reason, "JobHeldUser");

  ASSERT_THAT(client.set_hold(job, false), Works());
  EXPECT_FALSE(read(job).held);
  EXPECT_EQ(read(job).state.base, BaseState::Pending);
}

TEST_P(SlurmClientContract, UpdateChangesAPendingJobInPlace) {
  const JobSpec wanted = pending_spec();
  const Mark mark = mark_for(wanted);
  const JobId job = submit(submission(wanted, mark));
  Mark next = mark;
  next.generation = "fedcba9876543210";

  ASSERT_THAT(client.update(job, {{"time_limit", std::int64_t{90}},
                                  {"comment", comment_with_mark("longer", next)}}),
              Works());

  EXPECT_EQ(cluster->time_limit_of(job), "1:30:00");
  EXPECT_EQ(read(job).comment, comment_with_mark("longer", next));
  EXPECT_EQ(read(job).mark, next);
  EXPECT_EQ(read(job).state.base, BaseState::Pending);
}

TEST_P(SlurmClientContract, UpdateOfAFinishedJobIsRejected) {
  const JobId job = submit(spec("#!/bin/sh\nexit 0\n"));
  wait_until_final(job);

  EXPECT_THAT(client.update(job, {{"time_limit", std::int64_t{90}}}),
              FailsWith(ErrorKind::Rejected));
}

TEST_P(SlurmClientContract, UpdateOfARunningJobsPartitionIsRejected) {
  const JobId job = submit(spec());
  wait_until_running(job);

  EXPECT_THAT(client.update(job, {{"partition", std::string("debug")}}),
              FailsWith(ErrorKind::Rejected));
  EXPECT_EQ(read(job).state.base, BaseState::Running);
}

TEST_P(SlurmClientContract, UpdateOfAnUnknownJobIsRejected) {
  EXPECT_THAT(client.update(kNobodysId, {{"time_limit", std::int64_t{90}}}),
              FailsWith(ErrorKind::Rejected));
}

TEST_P(SlurmClientContract, UpdateToAnUnknownPartitionIsRejectedAndChangesNothing) {
  const JobId job = submit(pending_spec());

  EXPECT_THAT(client.update(job, {{"partition", "nowhere-" + name}}),
              FailsWith(ErrorKind::Rejected));
  EXPECT_EQ(read(job).state.base, BaseState::Pending);
}

// Cancelling -----------------------------------------------------------------------------------

TEST_P(SlurmClientContract, CancelEndsAPendingJob) {
  const JobId job = submit(pending_spec());

  ASSERT_THAT(client.cancel(job), Works());

  const SlurmJob ended = wait_until_final(job);
  EXPECT_EQ(ended.state.base, BaseState::Cancelled);
  // Slurm 24.11: a job that never ran is said to have started when it ended.
  EXPECT_EQ(ended.started, ended.ended);
}

TEST_P(SlurmClientContract, CancelEndsARunningJobInTheEnd) {
  const JobId job = submit(spec());
  wait_until_running(job);

  ASSERT_THAT(client.cancel(job), Works());

  EXPECT_EQ(wait_until_final(job).state.base, BaseState::Cancelled);
}

TEST_P(SlurmClientContract, CancelOfAnUnknownJobIsASuccess) {
  EXPECT_THAT(client.cancel(kNobodysId), Works());
}

TEST_P(SlurmClientContract, CancelOfAFinishedJobIsASuccessAndChangesNothing) {
  const JobId job = submit(spec("#!/bin/sh\nexit 0\n"));
  wait_until_final(job);

  EXPECT_THAT(client.cancel(job), Works());
  EXPECT_EQ(read(job).state.base, BaseState::Completed);
}

// Accounting -----------------------------------------------------------------------------------

TEST_P(SlurmClientContract, AccountingFindsAnEndedJobByItsToken) {
  const JobSpec wanted = spec("#!/bin/sh\nexit 3\n");
  const Mark mark = mark_for(wanted);
  const JobId job = submit(submission(wanted, mark));
  wait_until_final(job);

  const auto row = account_of_the_end(question(mark.token, std::nullopt));

  ASSERT_TRUE(row);
  EXPECT_EQ(row->id, job);
  EXPECT_EQ(row->mark, mark);
  EXPECT_EQ(row->state.base, BaseState::Failed);
  EXPECT_EQ(row->exit_code, 3);
}

TEST_P(SlurmClientContract, AccountingFindsAnEndedJobWithoutAMarkByIdNameAndTime) {
  const JobSpec wanted = spec("#!/bin/sh\nexit 0\n");
  Submission unmarked = submission(wanted, mark_for(wanted));
  unmarked.fields.erase("comment");
  const JobId job = submit(unmarked);
  wait_until_final(job);

  const auto row = account_of_the_end(question("no-such-token", job));

  ASSERT_TRUE(row);
  EXPECT_EQ(row->id, job);
  EXPECT_EQ(row->state.base, BaseState::Completed);
}

TEST_P(SlurmClientContract, AccountingFindsAJobThatNeverStarted) {
  const JobSpec wanted = pending_spec();
  const Mark mark = mark_for(wanted);
  const JobId job = submit(submission(wanted, mark));
  ASSERT_THAT(client.cancel(job), Works());

  const auto row = account_of_the_end(question(mark.token, job));

  ASSERT_TRUE(row);
  EXPECT_EQ(row->state.base, BaseState::Cancelled);
  EXPECT_EQ(row->started, std::nullopt);
  EXPECT_EQ(row->cancelled_by, cluster->user());
}

TEST_P(SlurmClientContract, AccountingKnowsWhoCancelled) {
  const JobSpec wanted = pending_spec();
  const Mark mark = mark_for(wanted);
  const JobId job = submit(submission(wanted, mark));
  cluster->scancel_as_root(job);

  const auto row = account_of_the_end(question(mark.token, job));

  ASSERT_TRUE(row);
  EXPECT_EQ(row->cancelled_by, "root");
}

TEST_P(SlurmClientContract, AccountingKnowsNothingOfWhatNeverWas) {
  EXPECT_EQ(account(question(random_word(), std::nullopt)), std::nullopt);
  EXPECT_EQ(account(question(random_word(), kNobodysId)), std::nullopt);
}

TEST_P(SlurmClientContract, AnotherAttemptOfTheSameNameIsNoAnswer) {
  const JobSpec wanted = spec("#!/bin/sh\nexit 0\n");
  const Mark mark = mark_for(wanted);
  const JobId job = submit(submission(wanted, mark));
  wait_until_final(job);
  ASSERT_TRUE(account_of_the_end(question(mark.token, job)));

  EXPECT_EQ(account(question(random_word(), std::nullopt)), std::nullopt);
}

TEST_P(SlurmClientContract, AnEndedJobThatSlurmStillShowsWithoutOurMarkIsNotTheOne) {
  const JobSpec wanted = spec("#!/bin/sh\nexit 0\n");
  Submission unmarked = submission(wanted, mark_for(wanted));
  unmarked.fields.erase("comment");
  const JobId job = submit(unmarked);
  wait_until_final(job);
  ASSERT_TRUE(account_of_the_end(question("no-such-token", job)));

  EXPECT_EQ(account(question("no-such-token", std::nullopt)), std::nullopt);
}

TEST_P(SlurmClientContract, ALiveJobOfTheSameNameWithoutOurMarkIsNotTheOne) {
  const JobSpec wanted = spec();
  Submission unmarked = submission(wanted, mark_for(wanted));
  unmarked.fields.erase("comment");
  const JobId job = submit(unmarked);
  wait_until_running(job);

  EXPECT_EQ(account(question("no-such-token", std::nullopt)), std::nullopt);
}

TEST_P(SlurmClientContract, ARequeuedJobThatIsCancelledLaterIsAccountedAsCancelled) {
  const JobSpec wanted = spec();
  const Mark mark = mark_for(wanted);
  const JobId job = submit(submission(wanted, mark));
  wait_until_running(job);
  cluster->pass_time();
  cluster->requeue_as_root(job);
  ASSERT_TRUE(eventually([&] {
    const SlurmJob now = read(job);
    return now.restarts == 1 && !now.state.completing;
  }));
  EXPECT_FALSE(account(question(mark.token, job)).value_or(SlurmJob{.id = job}).state.final());

  ASSERT_THAT(client.cancel(job), Works());

  const auto row = account_of_the_end(question(mark.token, job));
  ASSERT_TRUE(row);
  EXPECT_EQ(row->id, job);
  EXPECT_EQ(row->state.base, BaseState::Cancelled);
}

TEST_P(SlurmClientContract, AnOlderJobOfTheSameIdIsNoAnswer) {
  const JobSpec wanted = spec("#!/bin/sh\nexit 0\n");
  Submission unmarked = submission(wanted, mark_for(wanted));
  unmarked.fields.erase("comment");
  const JobId job = submit(unmarked);
  wait_until_final(job);
  ASSERT_TRUE(account_of_the_end(question("no-such-token", job)));

  Question later = question("no-such-token", job);
  later.submitted_after = cluster->now() + seconds{60};
  EXPECT_EQ(account(later), std::nullopt);
}

// About the cluster ----------------------------------------------------------------------------

TEST_P(SlurmClientContract, CheckTellsVersionUserAndThatAccountingAnswers) {
  const auto info = client.check();
  ASSERT_THAT(info, Works());
  EXPECT_THAT(info->api_version, testing::MatchesRegex("v0\\.0\\.4[0-9]"));
  EXPECT_THAT(info->slurm_version, Not(IsEmpty()));
  EXPECT_EQ(info->user, cluster->user());
  EXPECT_THAT(info->endpoint, testing::StartsWith("http"));
  EXPECT_TRUE(info->accounting);
}

TEST_P(SlurmClientContract, RequestsAreHandedOutOnce) {
  ASSERT_THAT(client.observe({}), Works());
  EXPECT_THAT(client.take_requests(), Not(IsEmpty()));
  EXPECT_THAT(client.take_requests(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Slurm, SlurmClientContract, testing::ValuesIn(clusters_at_hand()),
                         [](const auto& kind) { return kind.param.name; });

}  // namespace
}  // namespace sconverge::test
