#include "controller/app/report_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/builders.h"
#include "tests/support/fake_clock.h"

namespace sconverge {
void PrintTo(const LogLine& line, std::ostream* out) { *out << to_logfmt(line, TimePoint{}); }
}  // namespace sconverge

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

auto says(LogLevel level, LogMessage msg) {
  return AllOf(Field(&LogLine::level, level), Field(&LogLine::msg, msg));
}
auto with(LogKey key, const std::string& value) {
  return Field(&LogLine::fields, Contains(LogField{key, value}));
}

/// The log of a controller whose first tick is over; each test says only what its next ticks show.
struct ReportLogTest : testing::Test {
  ReportLog log{};
  TickReport report{};

  ReportLogTest() {
    report.cluster = "lab";
    report.source_complete = true;
    report.revision = "abc";
    report.statuses = {status(Phase::Running, Reason::JobRunning)};
    log.lines(report);
  }
  static SpecStatus status(Phase phase, Reason reason) {
    SpecStatus status{a_name("train"), {phase, reason, "because"}};
    status.job = JobId{7};
    status.run = 1;
    status.attempt = 2;
    status.generation = "0123";
    return status;
  }
  ActionReport failing(const std::string& message) const {
    ActionReport action;
    action.operation = Operation::Submit;
    action.result = OperationResult::Error;
    action.spec = a_name("train");
    action.message = message;
    return action;
  }
  std::vector<LogLine> next() { return log.lines(report); }
};

TEST_F(ReportLogTest, SaysNothingWhenNothingChanges) {
  EXPECT_THAT(next(), IsEmpty());
  EXPECT_THAT(next(), IsEmpty());
}

TEST_F(ReportLogTest, SaysThatItHasBegun) {
  EXPECT_THAT(ReportLog{}.lines(report),
              ElementsAre(says(LogLevel::Info, "first tick went through"),
                          says(LogLevel::Info, "declared jobs read")));
}

TEST_F(ReportLogTest, TheLinesOfATickHaveItsNumber) {
  next();
  report.revision = "def";
  report.failed = Error{ErrorKind::Unavailable, "no answer"};
  for (const auto& line : next()) {
    EXPECT_THAT(line.fields, Contains(LogField{"tick", std::int64_t{3}}));
  }
}

TEST_F(ReportLogTest, SaysHowLongAFailedTickTook) {
  report.failed = Error{ErrorKind::Unavailable, "no answer"};
  report.began = kNoon;
  report.ended = kNoon + milliseconds{1500};
  EXPECT_THAT(next().at(0).fields, Contains(LogField{"duration_ms", std::int64_t{1500}}));
}

TEST_F(ReportLogTest, SaysEachTransitionInOneLine) {
  report.transitions = {{status(Phase::Failed, Reason::NonZeroExitCode),
                         Verdict{Phase::Running, Reason::JobRunning}}};
  const auto lines = next();
  ASSERT_THAT(lines, ElementsAre(says(LogLevel::Warning, "spec changed phase")));
  EXPECT_THAT(lines[0].fields,
              ElementsAre(LogField{"cluster", "lab"}, LogField{"tick", std::int64_t{2}},
                          LogField{"namespace", "default"}, LogField{"name", "train"},
                          LogField{"phase", "Failed"}, LogField{"reason", "NonZeroExitCode"},
                          LogField{"from", "Running"}, LogField{"job_id", std::int64_t{7}},
                          LogField{"run", std::int64_t{1}}, LogField{"attempt", std::int64_t{2}},
                          LogField{"generation", "0123"}, LogField{"message", "because"}));
}

TEST_F(ReportLogTest, SaysAFailedTickOnceUntilItChangesOrEnds) {
  report.failed = Error{ErrorKind::Unavailable, "no answer"};
  report.failed_step = "observe";
  EXPECT_THAT(next(),
              ElementsAre(AllOf(says(LogLevel::Error, "tick failed, trying again"),
                                with("error", "no answer"), with("error_class", "unavailable"))));
  EXPECT_THAT(next(), IsEmpty());
  report.failed = Error{ErrorKind::Denied, "bad token"};
  EXPECT_THAT(next(), ElementsAre(with("error", "bad token")));
  EXPECT_THAT(next(), IsEmpty());
  report.failed.reset();
  EXPECT_THAT(next(), ElementsAre(says(LogLevel::Info, "ticks go through again")));
  EXPECT_THAT(next(), IsEmpty());
}

TEST_F(ReportLogTest, SaysAnUnreadableSourceOnceAndItsEnd) {
  report.source_complete = false;
  report.source_reason = "permission denied";
  EXPECT_THAT(next(), ElementsAre(AllOf(Field(&LogLine::level, LogLevel::Warning),
                                        with("error", "permission denied"))));
  EXPECT_THAT(next(), IsEmpty());
  report.source_complete = true;
  report.source_reason = "";
  EXPECT_THAT(next(), ElementsAre(says(LogLevel::Info, "watched directory is whole again")));
}

TEST_F(ReportLogTest, SaysANewRevision) {
  report.revision = "def";
  EXPECT_THAT(next(), ElementsAre(AllOf(says(LogLevel::Info, "declared jobs read"),
                                        with("revision", "def"))));
  EXPECT_THAT(next(), IsEmpty());
}

TEST_F(ReportLogTest, SaysEachProblemOnceAndTheirEnd) {
  const Problem one{"a.yaml", 1, 1, "x", "wrong", ""};
  const Problem two{"b.yaml", 1, 1, "x", "wrong", ""};
  report.problems = {one};
  EXPECT_THAT(next(), ElementsAre(with("error", "a.yaml:1:1: x: wrong")));
  report.problems = {one, two};
  EXPECT_THAT(next(), ElementsAre(with("error", "b.yaml:1:1: x: wrong")));
  report.problems = {two};
  EXPECT_THAT(next(), IsEmpty());
  report.problems = {};
  EXPECT_THAT(next(), ElementsAre(says(LogLevel::Info, "every declared job is valid again")));
}

TEST_F(ReportLogTest, SaysAFailingActionOnceUntilItsMessageChanges) {
  report.actions = {failing("limit reached")};
  EXPECT_THAT(next(), ElementsAre(AllOf(says(LogLevel::Warning, "operation failed"),
                                        with("operation", "submit"), with("name", "train"),
                                        with("error", "limit reached"))));
  EXPECT_THAT(next(), IsEmpty());
  report.actions = {};
  EXPECT_THAT(next(), IsEmpty());  // it is being waited with
  report.actions = {failing("limit reached")};
  EXPECT_THAT(next(), IsEmpty());
  report.actions = {failing("bad partition")};
  EXPECT_THAT(next(), SizeIs(1));
}

TEST_F(ReportLogTest, SaysAFailingActionAgainAfterItHadSucceeded) {
  report.actions = {failing("limit reached")};
  next();
  auto good = failing("");
  good.result = OperationResult::Success;
  report.actions = {good};
  EXPECT_THAT(next(), ElementsAre(says(LogLevel::Debug, "operation done")));
  report.actions = {failing("limit reached")};
  EXPECT_THAT(next(), SizeIs(1));
}

TEST_F(ReportLogTest, ForgetsFailuresOfSpecsThatAreGone) {
  report.actions = {failing("limit reached")};
  next();
  report.actions = {};
  report.statuses = {};
  next();
  report.actions = {failing("limit reached")};
  EXPECT_THAT(next(), SizeIs(1));
}

TEST_F(ReportLogTest, SaysAGuardWhenItsSpecsChangeAndWhenItIsLifted) {
  report.guards = {{Guard::PruneBudget, {a_name("a")}, "6 removals"}};
  EXPECT_THAT(next(),
              ElementsAre(AllOf(says(LogLevel::Warning, "guard holds back"),
                                with("guard", "PruneBudget"), with("message", "6 removals"))));
  report.guards = {{Guard::PruneBudget, {a_name("a")}, "7 removals"}};
  EXPECT_THAT(next(), IsEmpty());
  report.guards = {{Guard::PruneBudget, {a_name("a"), a_name("b")}, "7 removals"}};
  EXPECT_THAT(next(), SizeIs(1));
  report.guards = {};
  EXPECT_THAT(next(), ElementsAre(says(LogLevel::Info, "guard holds back nothing any more")));
}

TEST_F(ReportLogTest, AFailedTickSaysNothingOfGuards) {
  report.guards = {{Guard::PruneBudget, {a_name("a")}, "6 removals"}};
  next();
  report.guards = {};
  report.failed = Error{ErrorKind::Unavailable, "no answer"};
  EXPECT_THAT(next(), ElementsAre(says(LogLevel::Error, "tick failed, trying again")));
}

TEST_F(ReportLogTest, SaysAdoptionsAndDuplicates) {
  report.adoptions = 2;
  report.duplicates = 1;
  EXPECT_THAT(next(), ElementsAre(says(LogLevel::Info, "jobs adopted by their marks"),
                                  says(LogLevel::Error, "second jobs of one run found")));
}

}  // namespace
}  // namespace sconverge::test
