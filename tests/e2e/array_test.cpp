// Job arrays on a Slurm that works, forgets, and cannot be asked for a while.
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/e2e/end_to_end.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;

class Arrays : public EndToEnd {
 protected:
  ~Arrays() override { lab_.up(); }

  /// A script whose task `index` ends at once with `code`; the others wait for `open(name)`.
  [[nodiscard]] std::string gate_but(int index, int code, const std::string& name) const {
    return "test $SLURM_ARRAY_TASK_ID != " + std::to_string(index) + " || exit " +
           std::to_string(code) + "\n" + gate(name);
  }

  [[nodiscard]] nlohmann::json tasks() const {
    const auto document =
        nlohmann::json::parse(look({"get", "sweep", "-o", "json"}).out, nullptr, false);
    return document.is_object() ? document.value("tasks", nlohmann::json::object())
                                : nlohmann::json::object();
  }
  [[nodiscard]] int count(const char* what) const { return tasks().value(what, -1); }

  /// Slurm's own states of the array's tasks, sorted: "COMPLETED FAILED PENDING".
  [[nodiscard]] std::string task_states() const {
    const auto job = row("sweep").job;
    if (!job) return "";
    std::istringstream lines(
        lab_.exec("root", {"squeue", "--noheader", "--array", "--all", "--states=all",
                           "--format=%T", "--jobs", std::to_string(*job)}));
    std::vector<std::string> states;
    for (std::string line; std::getline(lines, line);) states.push_back(line);
    std::sort(states.begin(), states.end());
    std::string text;
    for (const auto& state : states) text += (text.empty() ? "" : " ") + state;
    return text;
  }
  [[nodiscard]] std::string throttled_tasks(std::uint32_t job) const {
    return lab_.exec("root",
                     {"squeue", "--noheader", "--format=%K", "--jobs", std::to_string(job)});
  }
};

TEST_F(Arrays, CountsItsTasksAndNamesThoseThatFailed) {
  write({"sweep", gate_but(3, 7, "end"), "array: 0-4"});
  start();
  ASSERT_TRUE(comes_true([&] { return count("running") == 4 && count("failed") == 1; }));
  EXPECT_EQ(row("sweep").phase, "Running");
  EXPECT_THAT(row("sweep").message, HasSubstr("4 of 5 tasks running, 1 failed (3)"));
  EXPECT_EQ(task_states(), "FAILED RUNNING RUNNING RUNNING RUNNING");

  open("end");
  ASSERT_TRUE(becomes("sweep", "Failed", "NonZeroExitCode"));
  EXPECT_EQ(row("sweep").exit_code, 7);
  EXPECT_EQ(tasks().value("failedIndexes", ""), "3");
  EXPECT_EQ(count("succeeded"), 4);
  EXPECT_THAT(look({"describe", "sweep"}).out,
              AllOf(HasSubstr("4 of 5 tasks succeeded, 1 failed (3)"),
                    HasSubstr("FAILED      1       7      3\n")));
  ASSERT_TRUE(looks_again());
  EXPECT_EQ(controller_->metric(R"(sconverge_duplicates_total{cluster="default"})").value_or(0), 0);
}

TEST_F(Arrays, SucceedsOnceAllTasksHave) {
  write({"sweep", "exit 0", "array: [1, 3, 5-6]"});
  start();
  ASSERT_TRUE(becomes("sweep", "Succeeded"));
  EXPECT_EQ(count("succeeded"), 4);
  EXPECT_EQ(task_states(), "COMPLETED COMPLETED COMPLETED COMPLETED");
}

TEST_F(Arrays, ChangesItsThrottleInPlaceWhileItWaits) {
  write({"sweep", "exit 0", std::string(kNotBefore2037) + "\narray: 0-9%2"});
  start();
  ASSERT_TRUE(becomes("sweep", "Pending"));
  const auto job = row("sweep").job.value();
  EXPECT_EQ(throttled_tasks(job), "0-9%2");

  write({"sweep", "exit 0", std::string(kNotBefore2037) + "\narray: 0-9%4"});
  ASSERT_TRUE(comes_true([&] { return throttled_tasks(job) == "0-9%4"; }));
  ASSERT_TRUE(looks_again());
  EXPECT_EQ(row("sweep").job, job);
  EXPECT_THAT(queue_of("sweep"), SizeIs(1));
}

TEST_F(Arrays, IsReplacedForOtherTasksWhileItWaits) {
  write({"sweep", "exit 0", std::string(kNotBefore2037) + "\narray: 0-9"});
  start();
  ASSERT_TRUE(becomes("sweep", "Pending"));
  write({"sweep", "exit 0", std::string(kNotBefore2037) + "\narray: 0-4"});
  ASSERT_TRUE(comes_true([&] { return states_of("sweep") == "CANCELLED PENDING"; }));
  ASSERT_TRUE(comes_true([&] { return count("total") == 5; }));
}

TEST_F(Arrays, IsLeftToFinishOnceATaskHasBegun) {
  write({"sweep", gate("end"), "array: 0-3%1"});
  start();
  ASSERT_TRUE(becomes("sweep", "Running"));
  write({"sweep", gate("end"), "array: 0-3%1\ntime_limit: 90m"});
  ASSERT_TRUE(becomes("sweep", "Running", "ChangeQueued"));
  ASSERT_TRUE(looks_again());
  EXPECT_EQ(task_states(), "PENDING PENDING PENDING RUNNING");
  const auto first = row("sweep").job;
  open("end");
  ASSERT_TRUE(becomes("sweep", "Succeeded"));
  EXPECT_NE(row("sweep").job, first);
  EXPECT_EQ(count("succeeded"), 4);
}

TEST_F(Arrays, IsCancelledAsAWholeWhenItsSpecIsRemoved) {
  write({"keep", gate("keep")});
  write({"sweep", gate("end"), "array: 0-3%2"});
  start();
  ASSERT_TRUE(becomes("sweep", "Running"));
  ASSERT_TRUE(comes_true([&] { return task_states() == "PENDING PENDING RUNNING RUNNING"; }));
  remove("sweep.yaml");
  ASSERT_TRUE(
      comes_true([&] { return task_states() == "CANCELLED CANCELLED CANCELLED CANCELLED"; }));
  open("keep");
}

// Slurm purges the records of ended tasks one by one.
TEST_F(Arrays, RemembersOverARestartATaskThatSlurmHasPurged) {
  lab_.reconfigure({"--min-job-age", "2"});
  write({"sweep", gate_but(0, 7, "end"), "array: 0-1"});
  start();
  ASSERT_TRUE(comes_true([&] { return count("failed") == 1 && count("running") == 1; }));
  ASSERT_TRUE(comes_true([&] { return task_states() == "RUNNING"; })) << task_states();
  controller_->kill();
  start();
  ASSERT_TRUE(looks_again());
  EXPECT_EQ(tasks().value("failedIndexes", ""), "0");

  open("end");
  ASSERT_TRUE(becomes("sweep", "Failed", "NonZeroExitCode"));
  EXPECT_EQ(tasks().value("failedIndexes", ""), "0");
  EXPECT_EQ(count("succeeded"), 1);
}

TEST_F(Arrays, AsksAccountingHowATaskEndedThatItNeverSaw) {
  lab_.reconfigure({"--min-job-age", "2"});
  write({"sweep", gate_but(0, 7, "end"), std::string(kNotBefore2037) + "\narray: 0-1"});
  start();
  ASSERT_TRUE(becomes("sweep", "Pending"));
  const auto job = row("sweep").job.value();
  controller_.reset();
  lab_.exec("root", {"scontrol", "update", "jobid=" + std::to_string(job), "StartTime=now"});
  ASSERT_TRUE(wait_until([&] { return task_states() == "RUNNING"; })) << task_states();

  start();
  ASSERT_TRUE(becomes("sweep", "Running"));
  EXPECT_EQ(count("failed"), 0);
  open("end");
  ASSERT_TRUE(becomes("sweep", "Failed", "NonZeroExitCode"));
  EXPECT_EQ(tasks().value("failedIndexes", ""), "0");
  EXPECT_EQ(count("succeeded"), 1);
  EXPECT_EQ(row("sweep").job, job);
}

TEST_F(Arrays, IsCancelledByWhoeverCancelsATaskBeforeItBegins) {
  write({"sweep", gate("end"), "array: 0-2%1"});
  start();
  ASSERT_TRUE(comes_true([&] { return task_states() == "PENDING PENDING RUNNING"; }));
  const auto job = row("sweep").job.value();
  lab_.exec("alice", {"scancel", std::to_string(job) + "_2"});
  open("end");
  ASSERT_TRUE(becomes("sweep", "Cancelled", "ExternalCancel"));
  EXPECT_EQ(count("succeeded"), 2);
  EXPECT_EQ(count("cancelled"), 1);
  ASSERT_TRUE(looks_again());
  EXPECT_EQ(row("sweep").job, job);
}

}  // namespace
}  // namespace sconverge::test
