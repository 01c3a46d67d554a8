#include "controller/core/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct PlanTest : testing::Test, World {
  Verdict verdict(const Plan& made, const std::string& name) {
    return made.verdicts.at(a_name(name));
  }
};

TEST_F(PlanTest, SubmitsWhatIsDeclaredAndWasNeverSubmitted) {
  declare(a_spec("train"));
  EXPECT_THAT(look().actions, ElementsAre(Submits(a_name("train"))));
}

TEST_F(PlanTest, HasNothingToDoWhenTheClusterIsAsDeclared) {
  running(a_spec("train"));
  const Plan made = look();
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_THAT(verdict(made, "train"), Stands(Phase::Running, Reason::JobRunning));
}

TEST_F(PlanTest, DoesNotSubmitBesideAnUnansweredIntent) {
  declare(a_spec("train"));
  const Plan first = look();
  begin_submit(history.at(a_name("train")), std::get<Submit>(first.actions.at(0)), policy, now);
  const Plan made = look_after(seconds{30});
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_THAT(verdict(made, "train"), Stands(Phase::Submitting, Reason::SubmitSent));
  EXPECT_EQ(made.wake_at, kNoon + policy.request_timeout);
}

TEST_F(PlanTest, SendsAnIntentAgainWithTheSameTokenOnceItProvablyNeverArrived) {
  declare(a_spec("train"));
  const Plan first = look();
  const Mark sent =
      begin_submit(history.at(a_name("train")), std::get<Submit>(first.actions.at(0)), policy, now);
  EXPECT_THAT(look_after(policy.request_timeout + seconds{1}).actions, IsEmpty());
  const Plan made = look_after(seconds{10});
  ASSERT_THAT(made.actions, ElementsAre(SendsAgain(a_name("train"))));
  const Mark again =
      begin_submit(history.at(a_name("train")), std::get<Submit>(made.actions.at(0)), policy, now);
  EXPECT_EQ(again, sent);
}

TEST_F(PlanTest, DoesNotSendAgainWhileAccountingCannotBeAsked) {
  accounting_answers = false;
  declare(a_spec("train"));
  const Plan first = look();
  begin_submit(history.at(a_name("train")), std::get<Submit>(first.actions.at(0)), policy, now);
  for (int i = 0; i < 10; ++i) {
    const Plan made = look_after(policy.request_timeout + seconds{1});
    EXPECT_THAT(made.actions, IsEmpty());
  }
  EXPECT_THAT(verdict(look(), "train"), Stands(Phase::Submitting, Reason::SubmitUncertain));
}

TEST_F(PlanTest, WaitsOutADeferralBeforeSendingAgain) {
  declare(a_spec("train"));
  const Plan first = look();
  auto& entry = history.at(a_name("train"));
  begin_submit(entry, std::get<Submit>(first.actions.at(0)), policy, now);
  record_submit_failure(entry, {ErrorKind::Unavailable, "job limit reached"}, now);
  const Plan waiting = look_after(seconds{9});
  EXPECT_THAT(waiting.actions, IsEmpty());
  EXPECT_THAT(verdict(waiting, "train"),
              AllOf(Stands(Phase::Waiting, Reason::SubmitDeferred),
                    Field(&Verdict::message, HasSubstr("job limit reached"))));
  EXPECT_EQ(waiting.wake_at, kNoon + seconds{10});
  EXPECT_THAT(look_after(seconds{1}).actions, ElementsAre(SendsAgain(a_name("train"))));
}

TEST_F(PlanTest, LeavesARejectedSpecAloneUntilItChanges) {
  declare(a_spec("train"));
  const Plan first = look();
  auto& entry = history.at(a_name("train"));
  begin_submit(entry, std::get<Submit>(first.actions.at(0)), policy, now);
  record_submit_failure(entry, {ErrorKind::Rejected, "invalid partition"}, now);
  const Plan made = look_after(std::chrono::hours{24});
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_THAT(verdict(made, "train"), Stands(Phase::Failed, Reason::SubmitRejected));
  declare(a_spec("train").partition("debug"));
  EXPECT_THAT(look().actions, ElementsAre(Submits(a_name("train"))));
}

TEST_F(PlanTest, NeverRunsAFinishedGenerationAgainByItself) {
  end(running(a_spec("train")), "COMPLETED");
  EXPECT_THAT(verdict(look(), "train"), Stands(Phase::Succeeded, Reason::Completed));
  jobs.clear();  // purged
  for (int i = 0; i < 5; ++i) EXPECT_THAT(look_after(std::chrono::hours{1}).actions, IsEmpty());
}

TEST_F(PlanTest, DoesNotRunAnEarlierGenerationAgainThatHasFinished) {
  end(running(a_spec("train").time_limit(10)), "COMPLETED");
  look();
  end(running(a_spec("train").time_limit(20)), "COMPLETED");
  look();
  declare(a_spec("train").time_limit(10));
  const Plan made = look();
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_THAT(verdict(made, "train"), Stands(Phase::Succeeded, Reason::Completed));
}

TEST_F(PlanTest, RemembersFinishedGenerationsBeyondTheAttemptsItKeeps) {
  for (int limit = 1; limit <= static_cast<int>(kKeptAttempts) + 5; ++limit) {
    end(running(a_spec("train").time_limit(limit)), "COMPLETED");
    look();
  }
  EXPECT_LE(history.at(a_name("train")).attempts.size(), kKeptAttempts);
  declare(a_spec("train").time_limit(1));
  EXPECT_THAT(look().actions, IsEmpty());
}

TEST_F(PlanTest, RunsAFinishedGenerationOnceMoreOnRequest) {
  end(running(a_spec("train")), "FAILED", 3);
  look();
  requests = {{1, RequestKind::Rerun, a_name("train"), now}};
  const Plan made = look();
  ASSERT_THAT(made.actions, ElementsAre(Submits(a_name("train"))));
  EXPECT_EQ(std::get<Submit>(made.actions.at(0)).run, 2);
  submit(made);
  look();
  end(job_of("train"), "FAILED", 3);
  look();
  EXPECT_THAT(look().actions, IsEmpty());
}

TEST_F(PlanTest, RerunOfALiveJobRunsAfterIt) {
  SlurmJob& job = running(a_spec("train"));
  requests = {{1, RequestKind::Rerun, a_name("train"), now}};
  EXPECT_THAT(look().actions, IsEmpty());
  end(job, "COMPLETED");
  EXPECT_THAT(look().actions, ElementsAre(Submits(a_name("train"))));
}

TEST_F(PlanTest, APersonsCancelAlsoTakesBackAWaitingRerun) {
  SlurmJob& job = running(a_spec("train"));
  requests = {{1, RequestKind::Rerun, a_name("train"), now}};
  EXPECT_THAT(verdict(look(), "train").message, HasSubstr("once more"));
  end(job, "CANCELLED");
  EXPECT_THAT(look().actions, IsEmpty());
  EXPECT_THAT(look().actions, IsEmpty());
}

TEST_F(PlanTest, TheRecordThatSlurmKeepsOfARefusedJobIsNoAdoption) {
  declare(a_spec("train"));
  const Plan first = look();
  auto& entry = history.at(a_name("train"));
  const auto& submit = std::get<Submit>(first.actions.at(0));
  const Mark mark = begin_submit(entry, submit, policy, now);
  record_submit_failure(entry, {ErrorKind::Rejected, "node configuration"}, now);
  jobs.emplace(JobId{9}, a_job(9).named("train").marked(mark).ended("FAILED", 1));
  for (int i = 0; i < 3; ++i) {
    const Plan made = look_after(seconds{10});
    EXPECT_EQ(absorbed.adoptions, 0);
    EXPECT_THAT(made.actions, IsEmpty());
    EXPECT_THAT(verdict(made, "train"), Stands(Phase::Failed, Reason::SubmitRejected));
  }
  EXPECT_THAT(absorbed.changed, IsEmpty());
  EXPECT_EQ(attempt_of("train").job, JobId{9});
}

TEST_F(PlanTest, ShowsHowAJobFailed) {
  end(running(a_spec("train")), "FAILED", 42);
  EXPECT_THAT(verdict(look(), "train"), AllOf(Stands(Phase::Failed, Reason::NonZeroExitCode),
                                              Field(&Verdict::message, HasSubstr("exit code 42"))));
}

TEST_F(PlanTest, EveryFinalStateHasItsReason) {
  const std::pair<const char*, Reason> states[] = {
      {"FAILED", Reason::NonZeroExitCode},   {"TIMEOUT", Reason::TimeLimit},
      {"NODE_FAIL", Reason::NodeFail},       {"PREEMPTED", Reason::Preempted},
      {"BOOT_FAIL", Reason::BootFail},       {"DEADLINE", Reason::Deadline},
      {"OUT_OF_MEMORY", Reason::OutOfMemory}};
  for (const auto& [state, reason] : states) {
    World world;
    World::end(world.running(a_spec("train")), state, 1);
    EXPECT_THAT(world.look().verdicts.at(a_name("train")), Stands(Phase::Failed, reason)) << state;
  }
}

// Change.

TEST_F(PlanTest, ChangesAPendingJobInPlaceWhereSlurmAllowsIt) {
  const JobId id = pending(a_spec("train").time_limit(60)).id;
  declare(a_spec("train").time_limit(90));
  const Plan made = look();
  ASSERT_THAT(made.actions, ElementsAre(Updates(a_name("train"), id)));
  EXPECT_THAT(std::get<Update>(made.actions.at(0)).changes,
              ElementsAre(FieldChange{"time_limit", "60", "90"}));
}

TEST_F(PlanTest, IsAtRestAfterAnUpdate) {
  SlurmJob& job = pending(a_spec("train").time_limit(60));
  declare(a_spec("train").time_limit(90));
  const Plan made = look();
  const auto& update = std::get<Update>(made.actions.at(0));
  record_update_requested(history.at(a_name("train")), update);
  record_updated(history.at(a_name("train")), update);
  job.mark->generation = update.generation;
  EXPECT_THAT(look().actions, IsEmpty());
}

TEST_F(PlanTest, UpdatesAgainIfTheMarkTellsThatTheUpdateDidNotArrive) {
  const JobId id = pending(a_spec("train").time_limit(60)).id;
  declare(a_spec("train").time_limit(90));
  record_update_requested(history.at(a_name("train")), std::get<Update>(look().actions.at(0)));
  EXPECT_THAT(look().actions, ElementsAre(Updates(a_name("train"), id)));
}

TEST_F(PlanTest, AJobThatEndedUnderAnUpdateWithoutAnswerCountsForTheNewGeneration) {
  accounting_answers = false;
  pending(a_spec("train").time_limit(60));
  declare(a_spec("train").time_limit(90));
  record_update_requested(history.at(a_name("train")), std::get<Update>(look().actions.at(0)));
  jobs.clear();
  for (int i = 0; i < 5; ++i) EXPECT_THAT(look_after(seconds{10}).actions, IsEmpty());
}

TEST_F(PlanTest, LearnsFromTheMarkThatAnUpdateWithoutAnswerWasDone) {
  SlurmJob& job = pending(a_spec("train").time_limit(60));
  declare(a_spec("train").time_limit(90));
  job.mark->generation = std::get<Update>(look().actions.at(0)).generation;
  EXPECT_THAT(look().actions, IsEmpty());
  EXPECT_EQ(attempt_of("train").generation, history.at(a_name("train")).wanted);
}

TEST_F(PlanTest, ReplacesAPendingJobWhoseScriptChanged) {
  SlurmJob& job = pending(a_spec("train"));
  declare(a_spec("train").script("#!/bin/sh\necho other\n"));
  const Plan made = look();
  ASSERT_THAT(made.actions, ElementsAre(Cancels(job.id, CancelCause::Superseded)));
  record_cancel_requested(history.at(a_name("train")), std::get<Cancel>(made.actions.at(0)), policy,
                          now);
  const Plan waiting = look();
  EXPECT_THAT(waiting.actions, IsEmpty()) << "the old job has not ended yet";
  EXPECT_THAT(verdict(waiting, "train"), Stands(Phase::Pending, Reason::Replacing));
  end(job, "CANCELLED");
  EXPECT_THAT(look().actions, ElementsAre(Submits(a_name("train"))));
}

TEST_F(PlanTest, ReplacesAPendingJobWhenAFieldIsTakenOut) {
  const JobId id = pending(a_spec("train").with("nice", std::int64_t{5})).id;
  declare(a_spec("train"));
  EXPECT_THAT(look().actions, ElementsAre(Cancels(id, CancelCause::Superseded)));
}

TEST_F(PlanTest, ReplacesAPendingJobWhenSlurmRefusesTheUpdate) {
  const JobId id = pending(a_spec("train").time_limit(60)).id;
  declare(a_spec("train").time_limit(90));
  record_update_refused(history.at(a_name("train")), std::get<Update>(look().actions.at(0)));
  EXPECT_THAT(look().actions, ElementsAre(Cancels(id, CancelCause::Superseded)));
}

TEST_F(PlanTest, SendsACancelAgainIfTheJobIsAliveLongAfterIt) {
  SlurmJob& job = pending(a_spec("train"));
  declare(a_spec("train").script("#!/bin/sh\necho other\n"));
  const Plan first = look();
  record_cancel_requested(history.at(a_name("train")), std::get<Cancel>(first.actions.at(0)),
                          policy, now);
  EXPECT_THAT(look_after(policy.request_timeout).actions, IsEmpty());
  EXPECT_THAT(look_after(seconds{1}).actions,
              ElementsAre(Cancels(job.id, CancelCause::Superseded)));
}

TEST_F(PlanTest, LetsARunningJobFinishAndThenRunsTheNewGeneration) {
  SlurmJob& job = running(a_spec("train"));
  declare(a_spec("train").script("#!/bin/sh\necho other\n"));
  const Plan queued = look();
  EXPECT_THAT(queued.actions, IsEmpty());
  EXPECT_THAT(verdict(queued, "train"), Stands(Phase::Running, Reason::ChangeQueued));
  ASSERT_TRUE(queued.queued.contains(a_name("train")));
  EXPECT_EQ(queued.queued.at(a_name("train")).after, job.id);
  EXPECT_THAT(queued.queued.at(a_name("train")).changes,
              ElementsAre(Field(&FieldChange::field, "script")));
  job.state = job_state_from({"COMPLETED", "COMPLETING"});
  EXPECT_THAT(look().actions, IsEmpty()) << "it has not fully ended";
  end(job, "COMPLETED");
  EXPECT_THAT(look().actions, ElementsAre(Submits(a_name("train"))));
}

TEST_F(PlanTest, DoesNothingWhenAChangeIsTakenBackWhileTheJobRuns) {
  SlurmJob& job = running(a_spec("train").time_limit(10));
  declare(a_spec("train").time_limit(20));
  look();
  declare(a_spec("train").time_limit(10));
  EXPECT_THAT(look().actions, IsEmpty());
  end(job, "COMPLETED");
  EXPECT_THAT(look().actions, IsEmpty());
}

TEST_F(PlanTest, LabelsAndPoliciesAreNoChangeOfTheWork) {
  running(a_spec("train"));
  declare(a_spec("train").label("team", "vision").orphaned());
  EXPECT_THAT(look().actions, IsEmpty());
}

// Suspend.

TEST_F(PlanTest, DoesNotSubmitASuspendedSpec) {
  declare(a_spec("train").suspended());
  const Plan made = look();
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_THAT(verdict(made, "train"), Stands(Phase::Suspended, Reason::SuspendRequested));
}

TEST_F(PlanTest, HoldsAPendingJobOnSuspendAndReleasesItAgain) {
  SlurmJob& job = pending(a_spec("train"));
  declare(a_spec("train").suspended());
  Plan made = look();
  ASSERT_THAT(made.actions, ElementsAre(Holds(a_name("train"), job.id)));
  record_hold_requested(history.at(a_name("train")), std::get<SetHold>(made.actions.at(0)));
  job.held = true;
  made = look();
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_THAT(verdict(made, "train"), Stands(Phase::Suspended, Reason::SuspendRequested));
  declare(a_spec("train"));
  EXPECT_THAT(look().actions, ElementsAre(Releases(a_name("train"), job.id)));
}

TEST_F(PlanTest, LeavesARunningJobAloneOnSuspend) {
  running(a_spec("train"));
  declare(a_spec("train").suspended());
  EXPECT_THAT(look().actions, IsEmpty());
}

TEST_F(PlanTest, DoesNotReleaseWhatAPersonHeld) {
  SlurmJob& job = pending(a_spec("train"));
  job.held = true;
  job.reason = "JobHeldUser";
  const Plan made = look();
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_THAT(verdict(made, "train"), Stands(Phase::Pending, Reason::Held));
}

TEST_F(PlanTest, DoesNotHoldAgainWhatAPersonReleased) {
  SlurmJob& job = pending(a_spec("train"));
  declare(a_spec("train").suspended());
  record_hold_requested(history.at(a_name("train")), std::get<SetHold>(look().actions.at(0)));
  job.held = true;
  look();
  job.held = false;
  EXPECT_THAT(look().actions, IsEmpty());
}

// People, duplicates, vanished jobs.

TEST_F(PlanTest, DoesNotResubmitWhatAPersonCancelled) {
  end(running(a_spec("train")), "CANCELLED");
  const Plan made = look_after(std::chrono::hours{1});
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_THAT(verdict(made, "train"), Stands(Phase::Cancelled, Reason::ExternalCancel));
}

TEST_F(PlanTest, RunsANewGenerationAfterAPersonCancelledTheOld) {
  end(running(a_spec("train")), "CANCELLED");
  look();
  declare(a_spec("train").time_limit(77));
  EXPECT_THAT(look().actions, ElementsAre(Submits(a_name("train"))));
}

TEST_F(PlanTest, CancelsTheLaterOfTwoLiveJobsOfOneRun) {
  SlurmJob& first = running(a_spec("train"));
  SlurmJob second = first;
  second.id = JobId{first.id.value + 1};
  second.state = job_state_from({"PENDING"});
  jobs.emplace(second.id, second);
  EXPECT_THAT(look().actions, ElementsAre(Cancels(second.id, CancelCause::Duplicate)));
  EXPECT_EQ(absorbed.duplicates, 1);
}

TEST_F(PlanTest, TheEarlierJobStaysTheEarlierOneOverARequeue) {
  SlurmJob& first = running(a_spec("train"));
  SlurmJob second = first;
  second.id = JobId{first.id.value + 1};
  second.submitted = now + seconds{1};
  jobs.emplace(second.id, second);
  first.submitted = now + seconds{60};
  EXPECT_THAT(look_after(seconds{61}).actions,
              ElementsAre(Cancels(second.id, CancelCause::Duplicate)));
}

TEST_F(PlanTest, CancelsADuplicateOnceAndThenWaits) {
  SlurmJob& first = running(a_spec("train"));
  SlurmJob second = first;
  second.id = JobId{first.id.value + 1};
  jobs.emplace(second.id, second);
  const Plan made = look();
  record_cancel_requested(history.at(a_name("train")), std::get<Cancel>(made.actions.at(0)), policy,
                          now);
  EXPECT_THAT(look_after(seconds{10}).actions, IsEmpty());
  EXPECT_EQ(absorbed.duplicates, 0) << "counted once";
}

TEST_F(PlanTest, NeverTouchesJobsOfAnotherController) {
  jobs.emplace(JobId{7}, a_job(7).marked(a_mark(a_spec("train"), 1, 1, "other")).running());
  const Plan made = look_after(std::chrono::hours{1});
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_THAT(made.verdicts, IsEmpty());
}

TEST_F(PlanTest, AdoptsAJobThatMemoryLacks) {
  const JobSpec spec = a_spec("train");
  jobs.emplace(JobId{7}, a_job(7).named("train").marked(a_mark(spec, 3)).running());
  declare(spec);
  const Plan made = look();
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_THAT(verdict(made, "train"), Stands(Phase::Running, Reason::JobRunning));
  EXPECT_EQ(absorbed.adoptions, 1);
}

TEST_F(PlanTest, FreezesWhenManyJobsVanishTogether) {
  for (int i = 0; i < 12; ++i) running(a_spec("job" + std::to_string(i)));
  for (int i = 0; i < 10; ++i) jobs.erase(attempt_of("job" + std::to_string(i)).job.value());
  look_after(seconds{10});
  declare(a_spec("new"));
  const Plan made = look_after(seconds{10});
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_THAT(verdict(made, "new"), Stands(Phase::Blocked, Reason::JobsVanished));
  ASSERT_THAT(made.guards, SizeIs(1));
  EXPECT_EQ(made.guards[0].guard, Guard::Vanished);
  EXPECT_THAT(made.guards[0].message, HasSubstr("sconverge approve"));
  EXPECT_THAT(look_after(std::chrono::hours{5}).actions, IsEmpty()) << "it does not thaw by itself";
  for (const auto& name : made.guards[0].specs) {
    requests.push_back({0, RequestKind::ApproveVanished, name, now});
  }
  EXPECT_THAT(look_after(seconds{10}).actions, ElementsAre(Submits(a_name("new"))));
}

TEST_F(PlanTest, ManyJobsWhoseEndsAccountingTellsDoNotFreeze) {
  for (int i = 0; i < 12; ++i) {
    const std::string name = "job" + std::to_string(i);
    SlurmJob& job = running(a_spec(name));
    SlurmJob row = job;
    end(row, "COMPLETED");
    rows[job.mark->token] = row;
  }
  jobs.clear();
  look_after(std::chrono::hours{1});
  const Plan made = look_after(seconds{10});
  EXPECT_THAT(made.guards, IsEmpty());
  EXPECT_THAT(verdict(made, "job3"), Stands(Phase::Succeeded, Reason::Completed));
}

// Invalid files.

TEST_F(PlanTest, LeavesTheJobOfAFileMadeInvalidAlone) {
  running(a_spec("train"));
  desired.specs.clear();
  desired.invalid[a_name("train")] = {{"train.yaml", 3, 1, "spec.job", "broken", "mend it"}};
  for (int i = 0; i < 5; ++i) {
    const Plan made = look_after(std::chrono::hours{1});
    EXPECT_THAT(made.actions, IsEmpty());
    EXPECT_THAT(verdict(made, "train"), AllOf(Stands(Phase::Running, Reason::JobRunning),
                                              Field(&Verdict::message, HasSubstr("broken"))));
  }
}

TEST_F(PlanTest, AnInvalidFileThatTellsNoNamesKeepsWhatItDeclaredBefore) {
  running(a_spec("train").file("train.yaml"));
  desired.specs.clear();
  desired.invalid_files = {"train.yaml"};
  desired.names_known = false;
  desired.problems = {{"train.yaml", 1, 7, "", "is no YAML", "mend it", ProblemKind::Syntax}};
  const Plan made = look_after(std::chrono::hours{1});
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_FALSE(history.at(a_name("train")).missing_since);
  EXPECT_THAT(verdict(made, "train").message, HasSubstr("is no YAML"));
}

TEST_F(PlanTest, ShowsASpecThatWasNeverValidAsInvalid) {
  desired.invalid[a_name("train")] = {{"train.yaml", 3, 1, "spec.job", "broken", "mend it"}};
  EXPECT_THAT(verdict(look(), "train"), AllOf(Stands(Phase::Invalid, Reason::ParseError),
                                              Field(&Verdict::message, HasSubstr("train.yaml:3"))));
}

}  // namespace
}  // namespace sconverge::test
