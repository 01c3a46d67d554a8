#include "controller/core/agreement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/core/statuses.h"
#include "tests/support/world.h"

namespace sconverge::test {
namespace {

using testing::Optional;

// Looks at the world as it is; each test tells what it is.
struct AgreementTest : testing::Test, World {
  SpecStatus see(const std::string& name = "train") {
    const Plan made = look_after(seconds{10});
    return statuses_from(made.verdicts, history, desired, {}, now).at(a_name(name));
  }
  static SpecStatus at(Phase phase, Reason reason = Reason::Queued) {
    SpecStatus status{a_name("train")};
    status.verdict = {phase, reason, ""};
    status.generation = "a";
    return status;
  }
};

TEST_F(AgreementTest, ASpecWithoutAJobLacksOne) {
  declare(a_spec("train"));
  const SpecStatus status = see();
  EXPECT_THAT(disagreement_of(status), Optional(Disagreement::Missing));
  EXPECT_FALSE(is_ready(status));
}

TEST_F(AgreementTest, APendingARunningAndASucceededJobAreAsDeclared) {
  SlurmJob& job = pending(a_spec("train"));
  EXPECT_EQ(disagreement_of(see()), std::nullopt);
  EXPECT_TRUE(is_ready(see()));
  job.state = job_state_from({"RUNNING"});
  EXPECT_EQ(disagreement_of(see()), std::nullopt);
  EXPECT_TRUE(is_ready(see()));
  end(job, "COMPLETED");
  EXPECT_EQ(disagreement_of(see()), std::nullopt);
  EXPECT_TRUE(is_ready(see()));
}

TEST_F(AgreementTest, AFailedJobIsNotReadyAndNotOutOfSync) {
  end(running(a_spec("train")), "FAILED", 3);
  EXPECT_EQ(disagreement_of(see()), std::nullopt);
  EXPECT_FALSE(is_ready(see()));
}

TEST_F(AgreementTest, ARunningJobOfAnEarlierGenerationHasDriftedAndIsReady) {
  running(a_spec("train").time_limit(1));
  declare(a_spec("train").time_limit(2));
  const SpecStatus status = see();
  EXPECT_THAT(status.verdict, Stands(Phase::Running, Reason::ChangeQueued));
  EXPECT_THAT(disagreement_of(status), Optional(Disagreement::Drifted));
  EXPECT_TRUE(is_ready(status));
}

TEST_F(AgreementTest, APendingJobOfAnEarlierGenerationHasDriftedAndIsNotReady) {
  pending(a_spec("train").time_limit(1));
  declare(a_spec("train").time_limit(2));
  const SpecStatus status = see();
  EXPECT_THAT(disagreement_of(status), Optional(Disagreement::Drifted));
  EXPECT_FALSE(is_ready(status));
}

TEST_F(AgreementTest, AJobThatIsBeingReplacedIsNotReady) {
  SpecStatus status = at(Phase::Running, Reason::Replacing);
  status.live_generation = "b";
  EXPECT_THAT(disagreement_of(status), Optional(Disagreement::Drifted));
  EXPECT_FALSE(is_ready(status));
}

TEST_F(AgreementTest, TheJobOfARemovedSpecIsAnOrphanUntilItEnds) {
  SlurmJob& job = running(a_spec("train"));
  remove("train");
  EXPECT_THAT(disagreement_of(see()), Optional(Disagreement::Orphaned));
  EXPECT_FALSE(is_ready(see()));
  end(job, "CANCELLED");
  EXPECT_FALSE(look_after(seconds{10}).verdicts.contains(a_name("train")));
}

TEST_F(AgreementTest, ABlockedRemovalIsAnOrphan) {
  SpecStatus status = at(Phase::Blocked, Reason::PruneBudget);
  status.removed = true;
  status.live_generation = "a";
  EXPECT_THAT(disagreement_of(status), Optional(Disagreement::Orphaned));
}

TEST_F(AgreementTest, AnUnansweredSubmitALostJobAndVanishedJobsCannotBeTold) {
  for (const auto& [phase, reason] : {std::pair{Phase::Submitting, Reason::SubmitUncertain},
                                      {Phase::Submitting, Reason::SubmitSent},
                                      {Phase::Lost, Reason::AwaitingAccounting},
                                      {Phase::Lost, Reason::OutcomeUnknown},
                                      {Phase::Blocked, Reason::JobsVanished}}) {
    for (const char* live : {"", "a"}) {
      SpecStatus status = at(phase, reason);
      if (phase != Phase::Submitting) status.live_generation = live;
      EXPECT_THAT(disagreement_of(status), Optional(Disagreement::Unknown)) << to_text(reason);
      EXPECT_FALSE(is_ready(status)) << to_text(reason);
    }
  }
}

TEST_F(AgreementTest, ASuspendedSpecIsAsDeclaredWithAndWithoutAHeldJob) {
  SpecStatus status = at(Phase::Suspended, Reason::SuspendRequested);
  EXPECT_EQ(disagreement_of(status), std::nullopt);
  EXPECT_TRUE(is_ready(status));
  status.live_generation = "a";
  EXPECT_TRUE(is_ready(status));
  status.live_generation = "b";
  EXPECT_THAT(disagreement_of(status), Optional(Disagreement::Drifted));
  EXPECT_FALSE(is_ready(status));
}

TEST_F(AgreementTest, ASpecThatSlurmRefusesLacksItsJob) {
  EXPECT_THAT(disagreement_of(at(Phase::Failed, Reason::SubmitRejected)),
              Optional(Disagreement::Missing));
  EXPECT_THAT(disagreement_of(at(Phase::Cancelled, Reason::Superseded)),
              Optional(Disagreement::Missing));
}

TEST_F(AgreementTest, WhatAPersonCancelledIsNotFoughtAndNotReady) {
  EXPECT_EQ(disagreement_of(at(Phase::Cancelled, Reason::ExternalCancel)), std::nullopt);
  EXPECT_FALSE(is_ready(at(Phase::Cancelled, Reason::ExternalCancel)));
}

TEST_F(AgreementTest, AnInvalidFileLeavesTheSpecInForceToCount) {
  EXPECT_EQ(disagreement_of(at(Phase::Invalid, Reason::ParseError)), std::nullopt);
  EXPECT_FALSE(is_ready(at(Phase::Invalid, Reason::ParseError)));
}

TEST_F(AgreementTest, TheLastSuccessIsRememberedAcrossGenerations) {
  SlurmJob& job = running(a_spec("train").time_limit(1));
  end(job, "COMPLETED");
  job.ended = now;
  const TimePoint ended = now;
  EXPECT_EQ(see().succeeded_at, ended);
  end(running(a_spec("train").time_limit(2)), "FAILED", 1);
  EXPECT_EQ(see().succeeded_at, ended);
}

}  // namespace
}  // namespace sconverge::test
