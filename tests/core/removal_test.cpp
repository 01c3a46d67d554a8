#include "controller/core/removal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::SizeIs;

struct RemovalTest : testing::Test, World {
  Verdict verdict(const Plan& made, const std::string& name) {
    return made.verdicts.at(a_name(name));
  }
};

TEST_F(RemovalTest, CancelsTheJobOfARemovedSpecAfterTheGraceAndNotBefore) {
  const JobId id = running(a_spec("train")).id;
  remove("train");
  const Plan grace = look_after(seconds{10});
  EXPECT_THAT(grace.actions, IsEmpty());
  EXPECT_THAT(verdict(grace, "train"), Stands(Phase::Running, Reason::RemovalGrace));
  EXPECT_EQ(grace.wake_at, now + policy.prune_grace);
  EXPECT_THAT(look_after(policy.prune_grace - milliseconds{1}).actions, IsEmpty());
  EXPECT_THAT(look_after(milliseconds{1}).actions, ElementsAre(Cancels(id, CancelCause::Removed)));
}

TEST_F(RemovalTest, ASpecThatComesBackWithinTheGraceStartsItsGraceAnew) {
  running(a_spec("train"));
  remove("train");
  look();
  declare(a_spec("train"));
  look_after(seconds{20});
  remove("train");
  look();
  EXPECT_THAT(look_after(seconds{20}).actions, IsEmpty());
}

TEST_F(RemovalTest, IncompleteSnapshotsNeitherStartNorEndAGrace) {
  running(a_spec("train"));
  desired.complete = false;
  desired.incomplete_reason = "cannot open /srv/jobs: no such file or directory";
  remove("train");
  for (int i = 0; i < 5; ++i) EXPECT_THAT(look_after(seconds{60}).actions, IsEmpty());
  EXPECT_FALSE(history.at(a_name("train")).missing_since);
}

TEST_F(RemovalTest, CancelsNothingWhileTheSourceIsIncomplete) {
  running(a_spec("train"));
  remove("train");
  look();
  desired.complete = false;
  desired.incomplete_reason = "input/output error";
  const Plan made = look_after(seconds{60});
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_THAT(verdict(made, "train"), AllOf(Stands(Phase::Blocked, Reason::SourceIncomplete),
                                            Field(&Verdict::message, HasSubstr("input/output"))));
  EXPECT_THAT(made.guards, ElementsAre(Field(&GuardHit::guard, Guard::SourceIncomplete)));
}

TEST_F(RemovalTest, CancelsNothingWhileAFileMayDeclareIt) {
  running(a_spec("train").file("old.yaml"));
  remove("train");
  look();
  desired.names_known = false;
  desired.invalid_files = {"new.yaml"};
  const Plan made = look_after(seconds{60});
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_THAT(verdict(made, "train"), Stands(Phase::Blocked, Reason::SourceUnidentified));
}

TEST_F(RemovalTest, BlocksTenRemovalsOfTwelveUntilApproved) {
  for (int i = 0; i < 12; ++i) running(a_spec("job" + std::to_string(i)));
  for (int i = 0; i < 10; ++i) remove("job" + std::to_string(i));
  look();
  const Plan blocked = look_after(seconds{31});
  EXPECT_THAT(blocked.actions, IsEmpty());
  EXPECT_THAT(verdict(blocked, "job0"),
              AllOf(Stands(Phase::Blocked, Reason::PruneBudget),
                    Field(&Verdict::message, HasSubstr("sconverge approve"))));
  EXPECT_THAT(blocked.guards, ElementsAre(AllOf(Field(&GuardHit::guard, Guard::PruneBudget),
                                                Field(&GuardHit::specs, SizeIs(10)))));
  for (const auto& name : blocked.guards[0].specs) {
    requests.push_back({0, RequestKind::ApproveRemoval, name, now});
  }
  EXPECT_THAT(look().actions, SizeIs(10));
}

TEST_F(RemovalTest, AllowsAFewRemovalsAnHour) {
  for (int i = 0; i < 12; ++i) running(a_spec("job" + std::to_string(i)));
  for (int i = 0; i < 5; ++i) remove("job" + std::to_string(i));
  look();
  EXPECT_THAT(look_after(seconds{31}).actions, SizeIs(5));
}

TEST_F(RemovalTest, CountsTheRemovalsOfTheLastHour) {
  for (int i = 0; i < 12; ++i) running(a_spec("job" + std::to_string(i)));
  for (int i = 0; i < 5; ++i) remove("job" + std::to_string(i));
  look();
  const Plan first = look_after(seconds{31});
  for (const auto& action : first.actions) {
    record_cancel_requested(history.at(spec_of(action)), std::get<Cancel>(action), policy, now);
    end(jobs.at(std::get<Cancel>(action).job), "CANCELLED");
  }
  remove("job5");
  look();
  EXPECT_THAT(verdict(look_after(seconds{31}), "job5"),
              Stands(Phase::Blocked, Reason::PruneBudget));
  EXPECT_THAT(look_after(std::chrono::hours{1}).actions, SizeIs(1));
}

TEST_F(RemovalTest, AnEmptyDirectoryIsTheSameCase) {
  for (int i = 0; i < 12; ++i) running(a_spec("job" + std::to_string(i)));
  desired.specs.clear();
  look();
  const Plan made = look_after(seconds{31});
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_THAT(made.guards, ElementsAre(Field(&GuardHit::specs, SizeIs(12))));
}

TEST_F(RemovalTest, AnEmptyDirectoryNeedsApprovalHoweverFewJobsItHad) {
  running(a_spec("one"));
  running(a_spec("two"));
  desired.specs.clear();
  look();
  const Plan made = look_after(seconds{31});
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_THAT(verdict(made, "one"), AllOf(Stands(Phase::Blocked, Reason::PruneBudget),
                                          Field(&Verdict::message, HasSubstr("mount"))));
}

TEST_F(RemovalTest, LetsAnOrphanedSpecsJobLive) {
  running(a_spec("train").orphaned());
  remove("train");
  look();
  const Plan made = look_after(seconds{60});
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_THAT(made.verdicts, IsEmpty());
}

TEST_F(RemovalTest, KeepsAProtectedJobUntilApproved) {
  running(a_spec("train").protect());
  remove("train");
  look();
  const Plan made = look_after(seconds{60});
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_THAT(verdict(made, "train"), Stands(Phase::Blocked, Reason::Protected));
  requests = {{1, RequestKind::ApproveRemoval, a_name("train"), now}};
  EXPECT_THAT(look().actions, SizeIs(1));
}

TEST_F(RemovalTest, LeavesAJobAloneWhoseMarkSomebodyRewrote) {
  SlurmJob& job = running(a_spec("train"));
  job.mark.reset();
  job.comment = "mine now";
  remove("train");
  look();
  const Plan made = look_after(seconds{60});
  EXPECT_THAT(made.actions, IsEmpty());
  EXPECT_THAT(verdict(made, "train"), Stands(Phase::Blocked, Reason::NotOurMark));
}

TEST_F(RemovalTest, RunsARestoredSpecAgainOnlyIfItsJobDidNotFinish) {
  SlurmJob& cancelled = running(a_spec("cancelled"));
  end(running(a_spec("finished")), "COMPLETED");
  look();
  remove("cancelled");
  remove("finished");
  look();
  const Plan made = look_after(seconds{31});
  record_cancel_requested(history.at(a_name("cancelled")), std::get<Cancel>(made.actions.at(0)),
                          policy, now);
  end(cancelled, "CANCELLED");
  look();
  declare(a_spec("cancelled"));
  declare(a_spec("finished"));
  EXPECT_THAT(look().actions, ElementsAre(Submits(a_name("cancelled"))));
}

TEST_F(RemovalTest, ForgetsACancelThatDidNotReachAJobWhoseSpecCameBack) {
  running(a_spec("train"));
  remove("train");
  look();
  const Plan made = look_after(seconds{31});
  record_cancel_requested(history.at(a_name("train")), std::get<Cancel>(made.actions.at(0)), policy,
                          now);
  declare(a_spec("train"));
  look_after(policy.request_timeout + seconds{1});
  EXPECT_FALSE(attempt_of("train").cancel);
  end(job_of("train"), "CANCELLED");
  EXPECT_THAT(verdict(look(), "train"), Stands(Phase::Cancelled, Reason::ExternalCancel));
}

TEST_F(RemovalTest, SaysNothingMoreOfARemovedSpecWhoseJobHasEnded) {
  SlurmJob& job = running(a_spec("train"));
  remove("train");
  EXPECT_THAT(look().verdicts, Contains(Key(a_name("train"))));
  end(job, "COMPLETED");
  EXPECT_THAT(look().verdicts, Not(Contains(Key(a_name("train")))));
}

}  // namespace
}  // namespace sconverge::test
