// What people see, as golden texts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/app/render_describe.h"
#include "controller/app/render_get.h"
#include "controller/app/render_plan.h"
#include "controller/app/render_report.h"
#include "tests/support/builders.h"
#include "tests/support/fake_clock.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

SpecStatus a_status(const std::string& name, Phase phase, Reason reason,
                    const std::string& message) {
  SpecStatus status{a_name(name), {phase, reason, message}};
  status.job = JobId{4211};
  status.run = 1;
  status.attempt = 1;
  status.generation = "0123456789abcdef";
  status.file = "jobs/" + name + ".yaml";
  status.accepted_at = kNoon - seconds{192};
  status.since = kNoon - seconds{5};
  return status;
}

struct GetTest : testing::Test {
  Published lab{};

  GetTest() {
    lab.cluster = "lab";
    lab.at = kNoon - seconds{3};
    lab.statuses = {a_status("prepare", Phase::Succeeded, Reason::Completed, "job 4211 completed"),
                    a_status("train", Phase::Waiting, Reason::NotSubmitted, "waits")};
    lab.statuses[0].exit_code = 0;
    lab.statuses[1].job.reset();
    lab.statuses[1].attempt = 0;
  }
};

TEST_F(GetTest, IsATableLikeKubectls) {
  EXPECT_EQ(get_table({lab}, {.now = kNoon}),
            "NAME      PHASE       REASON         JOB    ATTEMPT   AGE\n"
            "prepare   Succeeded   Completed      4211   1.1       3m12s\n"
            "train     Waiting     NotSubmitted   -      -         3m12s\n");
}

TEST_F(GetTest, ShowsMoreWhenWide) {
  lab.statuses.pop_back();
  EXPECT_EQ(
      get_table({lab}, {.wide = true, .now = kNoon}),
      "NAME      CLUSTER   PHASE       REASON      JOB    ATTEMPT   AGE     EXIT   GENERATION "
      "        FILE                MESSAGE\n"
      "prepare   lab       Succeeded   Completed   4211   1.1       3m12s   0      "
      "0123456789abcdef   jobs/prepare.yaml   job 4211 completed\n");
}

TEST_F(GetTest, ShowsHowManyTasksOfAJobArraySucceeded) {
  EXPECT_THAT(get_table({lab}, {.wide = true, .now = kNoon}), Not(HasSubstr("TASKS")));
  lab.statuses[1].tasks = TaskSummary{.total = 10, .running = 2, .succeeded = 8};
  const std::string table = get_table({lab}, {.wide = true, .now = kNoon});
  EXPECT_THAT(table, HasSubstr("AGE     TASKS   EXIT"));
  EXPECT_THAT(table, HasSubstr("3m12s   -       0"));
  EXPECT_THAT(table, HasSubstr("3m12s   8/10    -"));
}

TEST_F(GetTest, ShowsNamespacesWhenThereAreSeveralOrWhenAsked) {
  EXPECT_THAT(get_table({lab}, {.namespaces = true, .now = kNoon}), HasSubstr("NAMESPACE   NAME"));
  lab.statuses[1].name = a_name("vision/train");
  EXPECT_THAT(get_table({lab}, {.now = kNoon}), HasSubstr("\nvision      train"));
}

TEST_F(GetTest, ShowsClustersWhenSeveralHaveSpecs) {
  Published other = lab;
  other.cluster = "gcp";
  EXPECT_THAT(get_table({lab, other}, {.now = kNoon}), HasSubstr("NAME      CLUSTER"));
  other.statuses.clear();
  EXPECT_THAT(get_table({lab, other}, {.now = kNoon}), Not(HasSubstr("CLUSTER")));
}

TEST_F(GetTest, IsEmptyWithoutSpecs) {
  lab.statuses.clear();
  EXPECT_EQ(get_table({lab}, {.now = kNoon}), "");
}

TEST_F(GetTest, CannotBeUsedToDriveATerminal) {
  lab.statuses[0].file = "a\x1b]0;owned\x07.yaml";
  EXPECT_THAT(get_table({lab}, {.wide = true, .now = kNoon}), Not(HasSubstr("\x1b")));
}

TEST_F(GetTest, ColoursPhasesOnlyWhenAsked) {
  EXPECT_THAT(get_table({lab}, {.now = kNoon}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(get_table({lab}, {.now = kNoon, .paint = {true}}),
              HasSubstr("\x1b[32mSucceeded\x1b[0m"));
}

TEST_F(GetTest, HasNothingToNoteAboutAWorkingController) {
  EXPECT_THAT(notices(lab, seconds{60}, kNoon), IsEmpty());
}

TEST_F(GetTest, NotesAControllerThatHasStopped) {
  EXPECT_THAT(notices(lab, seconds{60}, kNoon + seconds{300}),
              ElementsAre(HasSubstr("the controller of cluster lab has not ticked for 5m3s")));
  lab.at = {};
  EXPECT_THAT(notices(lab, seconds{60}, kNoon), ElementsAre(HasSubstr("has not ticked yet")));
}

TEST_F(GetTest, NotesFailingTicksTheSourceAndGuardsWithTheirRemedy) {
  lab.error = "no answer from http://h";
  lab.source_complete = false;
  lab.source_reason = "permission denied";
  lab.guards = {{Guard::PruneBudget, {a_name("a")}, "lift it with: sconverge approve"}};
  EXPECT_THAT(notices(lab, seconds{60}, kNoon),
              ElementsAre("the last tick of cluster lab failed: no answer from http://h",
                          HasSubstr("permission denied"),
                          "guard PruneBudget: lift it with: sconverge approve"));
}

TEST_F(GetTest, IsPatientWithALongInterval) {
  Config config;
  EXPECT_EQ(patience_of(config), seconds{60});
  config.interval = seconds{600};
  EXPECT_EQ(patience_of(config), seconds{1800});
}

TEST(DescribeTest, TellsEverythingButSecrets) {
  Published lab;
  lab.cluster = "lab";
  lab.revision = "git:abc";
  lab.guards = {{Guard::Protected, {a_name("vision/train")}, "sconverge approve NAME"},
                {Guard::PruneBudget, {a_name("other")}, "not about it"}};
  SpecStatus status = a_status("vision/train", Phase::Failed, Reason::NonZeroExitCode, "it ended");
  status.file = "train.yaml";
  status.exit_code = 7;
  SpecHistory history;
  history.accepted = a_spec("vision/train")
                         .with("environment", std::vector<std::string>{"KEY=s3cret", "PATH=/bin"})
                         .time_limit(90)
                         .label("team", "vision")
                         .annotation("note", "two\nlines")
                         .protect()
                         .script("#!/bin/sh\nsecret=s3cret\n");
  Attempt first;
  first.generation = "0123456789abcdef";
  first.intended = kNoon - seconds{180};
  first.outcome = Outcome{OutcomeKind::Rejected};
  first.outcome->message = "invalid partition";
  Attempt second = first;
  second.attempt = 2;
  second.job = JobId{4211};
  second.started = kNoon - seconds{60};
  second.cancel = CancelRequest{CancelCause::Removed, kNoon};
  second.outcome = Outcome{OutcomeKind::Cancelled, "CANCELLED", {}, 15, kNoon - seconds{5}, ""};
  history.attempts = {first, second};

  const std::string text = describe_text(lab, status, history, kNoon, {});
  EXPECT_THAT(text, Not(HasSubstr("s3cret")));
  EXPECT_EQ(
      text,
      "Name:         train\n"
      "Namespace:    vision\n"
      "Cluster:      lab\n"
      "Phase:        Failed\n"
      "Reason:       NonZeroExitCode\n"
      "Message:      it ended\n"
      "Job:          4211\n"
      "Attempt:      1.1\n"
      "Exit code:    7\n"
      "Since:        2026-03-14T11:59:55Z (5s ago)\n"
      "Accepted:     2026-03-14T11:56:48Z (3m12s ago)\n"
      "Generation:   0123456789abcdef\n"
      "Revision:     git:abc\n"
      "File:         train.yaml\n"
      "Labels:\n"
      "  team=vision\n"
      "Annotations:\n"
      "  note=two\\nlines\n"
      "  sconverge/protect=true\n"
      "Spec:\n"
      "  environment  KEY, PATH\n"
      "  partition    main\n"
      "  time_limit   90\n"
      "  script       2 lines, 24 bytes\n"
      "  on delete    Cancel\n"
      "  protected    true\n"
      "Attempts:\n"
      "  ATTEMPT   GENERATION         JOB    OUTCOME     STATE       EXIT        SENT     "
      "STARTED   ENDED    REMARK\n"
      "  1.1       0123456789abcdef   -      Rejected    -           -           3m ago   -     "
      "    -        invalid partition\n"
      "  1.2       0123456789abcdef   4211   Cancelled   CANCELLED   signal 15   3m ago   60s "
      "ago   5s ago   cancelled, because its spec was removed\n"
      "Guards:\n"
      "  Protected: sconverge approve NAME\n");
}

TEST(DescribeTest, WorksWithoutASpecOrAttempts) {
  const auto status = a_status("train", Phase::Invalid, Reason::ParseError, "bad");
  EXPECT_THAT(describe_text({}, status, {}, kNoon, {}), HasSubstr("Attempts:     none\n"));
}

TEST(DescribeTest, ShowsTheTasksOfAJobArrayThoseInTroubleFirst) {
  auto status = a_status("sweep", Phase::Running, Reason::JobRunning, "job 4211 is running");
  SpecHistory history;
  Attempt attempt;
  attempt.array = "0-9";
  attempt.job = JobId{4211};
  attempt.tasks.running = index_set_from("2-3").value();
  attempt.tasks.pending = index_set_from("8").value();
  attempt.tasks.ended = {
      {BaseState::Completed, "COMPLETED", 0, {}, index_set_from("0-1").value()},
      {BaseState::Failed, "FAILED", 3, {}, index_set_from("4,7").value()},
      {BaseState::OutOfMemory, "OUT_OF_MEMORY", {}, 9, index_set_from("5").value()}};
  history.attempts = {attempt};
  status.tasks = summary_of(attempt.tasks, declared_tasks(attempt));

  const std::string text = describe_text({}, status, history, kNoon, {});
  EXPECT_THAT(text,
              HasSubstr("Tasks:        2 of 10 tasks running, 1 pending, 2 succeeded, 3 failed "
                        "(4-5,7)\n"));
  EXPECT_THAT(text, HasSubstr("Tasks:\n"
                              "  STATE           COUNT   EXIT       INDEXES\n"
                              "  FAILED          2       3          4,7\n"
                              "  OUT_OF_MEMORY   1       signal 9   5\n"
                              "  running         2       -          2-3\n"
                              "  pending         1       -          8\n"
                              "  COMPLETED       2       0          0-1\n"
                              "  not seen        2       -          6,9\n"));
}

TEST(DescribeTest, CountsLinesOfAScript) {
  EXPECT_EQ(script_size_text(""), "0 lines, 0 bytes");
  EXPECT_EQ(script_size_text("a"), "1 line, 1 byte");
  EXPECT_EQ(script_size_text("a\nb\n"), "2 lines, 4 bytes");
}

struct PlanTextTest : testing::Test {
  ClusterPlan lab{"lab", {"/tmp", {"HOME=/home/alice", "TOKEN=s3cret"}}};

  PlanTextTest() { lab.preview.desired.complete = true; }
  void act(Action action) { lab.preview.plan.actions.push_back(std::move(action)); }
  std::string text() const { return plan_text({lab}, {}); }
};

TEST_F(PlanTextTest, SaysThatThereIsNothingToDo) {
  lab.preview.plan.verdicts[a_name("train")] = {Phase::Running, Reason::JobRunning, ""};
  EXPECT_EQ(text(),
            "No changes: Slurm is as declared. Plan: 0 to submit, 0 to change, 0 to cancel; 1 "
            "unchanged\n");
  EXPECT_FALSE(has_changes({lab}));
}

TEST_F(PlanTextTest, ShowsEachActionWithItsFieldsAndTheDefaults) {
  const JobSpecPtr spec = a_spec("train").time_limit(90).script("#!/bin/sh\ns3cret\n");
  act(Submit{a_name("train"), spec, "g", 1, 1});
  act(Submit{a_name("again"), spec, "g", 2, 1});
  act(Update{a_name("wide"), {8}, "t", spec, "g", {{"time_limit", "60", "90"}, {"nice", "", "5"}}});
  act(SetHold{a_name("held"), {9}, "t", true});
  act(Cancel{a_name("gone"), {10}, "t", CancelCause::Removed});
  act(Cancel{
      a_name("old"), {11}, "t", CancelCause::Superseded, {{"script", "2 lines", "3 lines"}}});
  lab.grace = seconds{30};
  lab.preview.plan.guards = {{Guard::PruneBudget, {a_name("kept")}, "sconverge approve"}};
  lab.preview.plan.verdicts[a_name("kept")] = {Phase::Blocked, Reason::PruneBudget, ""};
  lab.preview.plan.verdicts[a_name("same")] = {Phase::Running, Reason::JobRunning, ""};
  lab.preview.plan.verdicts[a_name("bad")] = {Phase::Invalid, Reason::ParseError, ""};
  lab.preview.desired.problems = {{"bad.yaml", 3, 1, "", "it is wrong", "mend it"}};
  EXPECT_THAT(text(), Not(HasSubstr("s3cret")));
  EXPECT_EQ(text(),
            "Cluster lab:\n"
            "  + submit default/train\n"
            "      current_working_directory = /tmp  (default)\n"
            "      environment               = HOME, TOKEN  (default)\n"
            "      name                      = train  (default)\n"
            "      partition                 = main\n"
            "      script                    = 2 lines, 17 bytes\n"
            "      time_limit                = 90\n"
            "  + submit default/again (run 2, attempt 1)\n"
            "      current_working_directory = /tmp  (default)\n"
            "      environment               = HOME, TOKEN  (default)\n"
            "      name                      = train  (default)\n"
            "      partition                 = main\n"
            "      script                    = 2 lines, 17 bytes\n"
            "      time_limit                = 90\n"
            "  ~ update default/wide (job 8, in place)\n"
            "      time_limit: 60 -> 90\n"
            "      nice: (not set) -> 5\n"
            "  ~ hold default/held (job 9)\n"
            "  - cancel default/gone (job 10, its spec was removed; after a grace of 30s)\n"
            "  - cancel default/old (job 11, a newer generation is wanted)\n"
            "      script: 2 lines -> 3 lines\n"
            "  ! blocked by PruneBudget: sconverge approve\n"
            "      default/kept\n"
            "  ! refused: bad.yaml:3:1: it is wrong (mend it)\n"
            "\n"
            "Plan: 2 to submit, 2 to change, 2 to cancel, 1 blocked, 1 invalid; 1 unchanged\n");
  EXPECT_TRUE(has_changes({lab}));
}

TEST_F(PlanTextTest, SaysThatNothingIsCancelledWhileTheSourceIsIncomplete) {
  lab.preview.desired.complete = false;
  lab.preview.desired.incomplete_reason = "permission denied";
  EXPECT_THAT(text(), HasSubstr("nothing is cancelled: permission denied"));
}

TEST_F(PlanTextTest, CountsWhatAGuardHoldsBackAsAChange) {
  lab.preview.plan.guards = {{Guard::PruneBudget, {a_name("kept")}, ""}};
  EXPECT_TRUE(has_changes({lab}));
}

TEST(ReportTextTest, TellsTransitionsAndFailuresOnly) {
  TickReport report;
  EXPECT_EQ(report_text(report, {}), "");
  ActionReport good;
  good.spec = a_name("good");
  ActionReport bad;
  bad.spec = a_name("bad");
  bad.result = OperationResult::Rejected;
  bad.message = "invalid\npartition";
  report.actions = {good, bad};
  SpecStatus status = a_status("train", Phase::Failed, Reason::NonZeroExitCode, "");
  status.exit_code = 7;
  report.transitions = {{status, {}}};
  EXPECT_EQ(report_text(report, {}),
            "default/bad: submit failed: invalid\\npartition\n"
            "default/train: Failed (NonZeroExitCode), job 4211, exit code 7\n");
}

}  // namespace
}  // namespace sconverge::test
