#include "controller/core/array_tasks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sconverge {
namespace {

IndexSet set(const std::string& text) { return index_set_from(text).value(); }

TaskGroup group(const std::string& indexes, const std::vector<std::string>& words,
                std::optional<int> exit_code = {}) {
  return {.indexes = set(indexes), .state = job_state_from(words), .exit_code = exit_code};
}

TaskGroup rest(const std::vector<std::string>& words) {
  TaskGroup cut = group("", words);
  cut.rest = true;
  return cut;
}

/// "pending/running/succeeded/failed/cancelled/lost".
std::string sets(const ArrayTasks& tasks) {
  return to_text(tasks.pending) + "/" + to_text(tasks.running) + "/" + to_text(tasks.succeeded()) +
         "/" + to_text(tasks.failed()) + "/" + to_text(tasks.cancelled()) + "/" +
         to_text(tasks.lost());
}

TEST(ArrayTasksAfter, AreAsSlurmShowsThem) {
  const auto tasks = tasks_after(
      {}, set("0-9"),
      {group("7-9", {"PENDING"}), group("5", {"RUNNING"}), group("6", {"RUNNING", "COMPLETING"}),
       group("4", {"SUSPENDED"}), group("0-1", {"COMPLETED"}, 0), group("2", {"FAILED"}, 3),
       group("3", {"CANCELLED"})});
  EXPECT_EQ(sets(tasks), "7-9/4-6/0-1/2/3/");
}

TEST(ArrayTasksAfter, KeepAnEndThatSlurmHasForgotten) {
  const auto before =
      tasks_after({}, set("0-3"), {group("0", {"FAILED"}, 3), group("1-3", {"RUNNING"})});
  const auto tasks = tasks_after(before, set("0-3"), {group("1-3", {"RUNNING"})});
  EXPECT_EQ(sets(tasks), "/1-3//0//");
  EXPECT_EQ(tasks.ended.front().exit_code, 3);
}

TEST(ArrayTasksAfter, FollowATaskThatIsRequeued) {
  const auto before = tasks_after({}, set("0-1"), {group("0-1", {"NODE_FAIL"})});
  EXPECT_EQ(sets(tasks_after(before, set("0-1"), {group("0", {"PENDING"})})), "0///1//");
}

TEST(ArrayTasksAfter, TakeACutListForAllThatNothingElseTellsOf) {
  const auto before = tasks_after({}, set("0-9"), {group("0", {"COMPLETED"})});
  const auto tasks = tasks_after(before, set("0-9"), {rest({"PENDING"}), group("1", {"RUNNING"})});
  EXPECT_EQ(sets(tasks), "2-9/1/0///");
  EXPECT_EQ(sets(tasks_after(before, set("0-9"), {rest({"CANCELLED"})})), "//0//1-9/");
}

TEST(ArrayTasksAfter, AUnknownWordCountsAsAlive) {
  EXPECT_EQ(sets(tasks_after({}, set("0"), {group("0", {"COMPLETED", "DREAMING"})})), "/0////");
}

TEST(ArrayTasksAfter, PutTasksThatEndedAlikeTogether) {
  const auto tasks = tasks_after({}, set("0-5"),
                                 {group("0", {"FAILED"}, 3), group("1", {"FAILED"}, 4),
                                  group("2,5", {"FAILED"}, 3), group("3", {"TIMEOUT"})});
  ASSERT_EQ(tasks.ended.size(), 3U);
  EXPECT_EQ(to_text(tasks.failed()), "0-3,5");
}

TEST(ArrayTasksWithEnds, TakeOnlyEndsAndOnlyOfTheTasksInQuestion) {
  const auto before =
      tasks_after({}, set("0-5"), {group("0", {"COMPLETED"}), group("1-3", {"RUNNING"})});
  const auto tasks =
      with_ends(before, set("1-5"),
                {group("0,1", {"FAILED"}, 3), group("2", {"RUNNING"}), group("4", {"COMPLETED"})});
  EXPECT_EQ(sets(tasks), "/2-3/0,4/1//");
}

TEST(ArrayTasksWithEnds, LeaveWhatIsNamedOutOfTheRest) {
  EXPECT_EQ(sets(with_ends({}, set("0-3"), {rest({"CANCELLED"}), group("1", {"COMPLETED"})})),
            "//1//0,2-3/");
}

TEST(ArrayTasksWithEnd, MovesTasksFromWhereverTheyStood) {
  const auto before =
      tasks_after({}, set("0-2"),
                  {group("0", {"COMPLETED"}), group("1", {"RUNNING"}), group("2", {"PENDING"})});
  EXPECT_EQ(sets(with_end(before, set("0-2"), TaskEnd{})), "/////0-2");
}

TEST(ArraySentence, SaysFirstWhatRunsAndWhichFailed) {
  const auto tasks = tasks_after({}, set("0-9"),
                                 {group("0-2", {"RUNNING"}), group("3,5", {"PENDING"}),
                                  group("6,8-9", {"COMPLETED"}), group("4,7", {"FAILED"}, 1)});
  EXPECT_EQ(to_text(summary_of(tasks, set("0-9"))),
            "3 of 10 tasks running, 2 pending, 3 succeeded, 2 failed (4,7)");
}

TEST(ArraySentence, SaysNothingOfNothing) { EXPECT_EQ(to_text(TaskSummary{}), ""); }

TEST(ArraySentence, IsShortHoweverManyFail) {
  std::string indexes;
  std::uint32_t index = 0;
  for (std::uint32_t step = 1; step < 600; ++step) {
    indexes += (indexes.empty() ? "" : ",") + std::to_string(index);
    index += step;
  }
  const auto summary = summary_of(tasks_after({}, {}, {group(indexes, {"FAILED"})}), {});
  EXPECT_EQ(summary.failed, 599);
  EXPECT_LE(summary.failed_indexes.size(), 1000U);
  EXPECT_LE(to_text(summary).size(), 120U);
  EXPECT_THAT(to_text(summary), testing::EndsWith(",...)"));
}

}  // namespace
}  // namespace sconverge
