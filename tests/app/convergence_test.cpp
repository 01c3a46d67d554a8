#include "controller/app/convergence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/console_world.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct ConvergenceTest : testing::Test {
  TickReport report{};

  ConvergenceTest() { report.source_complete = true; }
  void stands(Phase phase, Reason reason) {
    report.statuses.push_back(
        a_row("job-" + std::to_string(report.statuses.size()), phase, reason));
  }
  Convergence now() const { return convergence_of(report.statuses); }
  ExitCode waited() const { return code_of({report}, true); }
  ExitCode once() const { return code_of({report}, false); }
};

TEST_F(ConvergenceTest, IsDoneWhenNothingMoves) {
  EXPECT_TRUE(now().done());
  stands(Phase::Succeeded, Reason::Completed);
  stands(Phase::Failed, Reason::TimeLimit);
  stands(Phase::Suspended, Reason::SuspendRequested);
  stands(Phase::Lost, Reason::OutcomeUnknown);
  stands(Phase::Cancelled, Reason::ExternalCancel);
  EXPECT_TRUE(now().done());
  EXPECT_EQ(now().progress, "5/5 settled");
}

TEST_F(ConvergenceTest, WaitsForWhatStillMoves) {
  const std::pair<Phase, Reason> moving[] = {
      {Phase::Waiting, Reason::NotSubmitted},     {Phase::Submitting, Reason::SubmitSent},
      {Phase::Pending, Reason::Queued},           {Phase::Running, Reason::JobRunning},
      {Phase::Completing, Reason::JobCompleting}, {Phase::Cancelled, Reason::Superseded},
      {Phase::Lost, Reason::AwaitingAccounting}};
  for (const auto& [phase, reason] : moving) {
    report.statuses.clear();
    stands(phase, reason);
    EXPECT_FALSE(now().done()) << to_text(reason);
  }
}

TEST_F(ConvergenceTest, TellsHowFarItIs) {
  stands(Phase::Succeeded, Reason::Completed);
  stands(Phase::Pending, Reason::Queued);
  stands(Phase::Running, Reason::JobRunning);
  stands(Phase::Running, Reason::JobRunning);
  EXPECT_EQ(now().progress, "1/4 settled: 1 Pending, 2 Running");
}

TEST_F(ConvergenceTest, NamesEachTrouble) {
  stands(Phase::Succeeded, Reason::Completed);
  stands(Phase::Failed, Reason::NonZeroExitCode);
  stands(Phase::Blocked, Reason::PruneBudget);
  EXPECT_THAT(now().trouble, ElementsAre("default/job-1 Failed (NonZeroExitCode): because",
                                         "default/job-2 Blocked (PruneBudget): because"));
}

TEST_F(ConvergenceTest, DoesNotMindJobsCancelledAsTheirSpecIsGone) {
  stands(Phase::Cancelled, Reason::Removed);
  EXPECT_THAT(now().trouble, IsEmpty());
  EXPECT_EQ(waited(), ExitCode::Ok);
}

TEST_F(ConvergenceTest, EndsWellWhenAllSucceeded) {
  stands(Phase::Succeeded, Reason::Completed);
  EXPECT_EQ(waited(), ExitCode::Ok);
}

TEST_F(ConvergenceTest, EndsWithAnErrorWhenAJobDidNotSucceed) {
  for (const auto& [phase, reason] : {std::pair{Phase::Failed, Reason::NonZeroExitCode},
                                      std::pair{Phase::Lost, Reason::OutcomeUnknown},
                                      std::pair{Phase::Cancelled, Reason::ExternalCancel}}) {
    report.statuses.clear();
    stands(phase, reason);
    EXPECT_EQ(waited(), ExitCode::Error) << to_text(phase);
    EXPECT_EQ(once(), ExitCode::Ok) << to_text(phase);  // it may have failed long ago
  }
}

TEST_F(ConvergenceTest, OneTickEndsWithAnErrorWhenAnActionFailed) {
  report.actions.resize(1);
  EXPECT_EQ(once(), ExitCode::Ok);
  report.actions[0].result = OperationResult::Rejected;
  EXPECT_EQ(once(), ExitCode::Error);
}

TEST_F(ConvergenceTest, TellsInvalidSpecsFromGuards) {
  stands(Phase::Failed, Reason::NonZeroExitCode);
  stands(Phase::Invalid, Reason::ParseError);
  EXPECT_EQ(waited(), ExitCode::Invalid);
  stands(Phase::Blocked, Reason::PruneBudget);
  EXPECT_EQ(waited(), ExitCode::Guarded);
}

TEST_F(ConvergenceTest, AProblemWithoutASpecIsInvalidToo) {
  report.problems = {{"a.yaml", 1, 1, "", "it is not YAML", ""}};
  EXPECT_EQ(once(), ExitCode::Invalid);
}

TEST_F(ConvergenceTest, TellsAnUnreachableSlurmFromOtherFailures) {
  report.failed = Error{ErrorKind::Unavailable, ""};
  report.failed_step = "observe";
  EXPECT_EQ(once(), ExitCode::SlurmUnreachable);
  report.failed = Error{ErrorKind::Denied, ""};
  EXPECT_EQ(once(), ExitCode::Error);
  report.failed = Error{ErrorKind::Unavailable, ""};
  report.failed_step = "store";
  EXPECT_EQ(once(), ExitCode::Error);
}

TEST_F(ConvergenceTest, AnIncompleteSourceIsNoSuccess) {
  report.source_complete = false;
  EXPECT_EQ(once(), ExitCode::Error);
}

}  // namespace
}  // namespace sconverge::test
