#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/slurm/wire_job_description.h"
#include "tests/slurm/golden.h"

namespace sconverge::test {
namespace {

using testing::Contains;
using testing::Key;
using testing::Not;
using Words = std::vector<std::string>;

std::string job_with(const std::string& members) {
  return R"({"jobs": [{"job_id": 7, "job_state": ["PENDING"], )" + members + "}]}";
}

JobFields fields_with(const std::string& members) {
  const auto found = described_fields_in(job_with(members), 7);
  return found ? found->fields : JobFields{{"none", "found"}};
}

TEST(JobDescription, OfARealJobIsWhatItWasSubmittedWith) {
  const auto found = described_fields_in(recorded("job_many_options.json"), 64);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->is_array_begun);
  const JobFields asked{{"account", "lab"},
                        {"array", "1-5%2"},
                        {"begin_time", std::int64_t{1893456000}},
                        {"comment", "hi there"},
                        {"constraints", "lab"},
                        {"cpus_per_task", std::int64_t{2}},
                        {"current_working_directory", "/tmp"},
                        {"deadline", std::int64_t{1924992000}},
                        {"excluded_nodes", Words{"n4"}},
                        {"extra", "ex"},
                        {"flags", Words{"GRES_BINDING_ENFORCED", "EXACT_CPU_COUNT_REQUESTED"}},
                        {"licenses", "matlab:1"},
                        {"mail_type", Words{"END", "FAIL"}},
                        {"mail_user", "a@b.c"},
                        {"memory_per_node", std::int64_t{1024}},
                        {"name", "imp"},
                        {"network", "x"},
                        {"nice", std::int64_t{50}},
                        {"nodes", "2-4"},
                        {"partition", "main"},
                        {"prefer", "lab"},
                        {"profile", Words{"TASK"}},
                        {"qos", "high"},
                        {"requeue", true},
                        {"required_switches", std::int64_t{2}},
                        {"shared", Words{"user"}},
                        {"standard_error", "/tmp/e"},
                        {"standard_output", "/tmp/o-64"},
                        {"tasks", std::int64_t{8}},
                        {"temporary_disk_per_node", std::int64_t{1024}},
                        {"time_limit", std::int64_t{120}},
                        {"time_minimum", std::int64_t{60}},
                        {"tres_per_job", "gres/gpu:4"},
                        {"tres_per_task", "cpu=2"},
                        {"wait_for_switch", std::int64_t{300}},
                        {"wckey", "w"}};
  for (const auto& [name, value] : asked) {
    const auto told = found->fields.find(name);
    ASSERT_NE(told, found->fields.end()) << name;
    EXPECT_EQ(told->second, value) << name;
  }
  for (const auto& [name, value] : found->fields) EXPECT_THAT(asked, Contains(Key(name)));
}

TEST(JobDescription, OfAJobThatAsksForNothingIsEmpty) {
  EXPECT_EQ(fields_with(R"("nice": 0, "comment": "", "delay_boot": {"set": true, "number": 0},
                            "thread_spec": 32766, "node_count": {"set": true, "number": 1},
                            "max_nodes": {"set": true, "number": 0}, "contiguous": false,
                            "profile": ["NOT_SET"], "standard_input": "/dev/null",
                            "tasks_per_core": {"set": false, "infinite": true, "number": 0},
                            "tasks": {"set": true, "number": 1})"),
            JobFields{});
}

TEST(JobDescription, TellsOurMarkAndItsUsersTextApart) {
  const Mark mark{"prod", {"vision", "train"}, "0123456789abcdef", 1, 1, "token"};
  const auto comment = [&](const std::string& text) {
    return R"("comment": ")" + comment_with_mark(text, mark) + '"';
  };
  EXPECT_EQ(fields_with(comment("night run")), (JobFields{{"comment", "night run"}}));
  EXPECT_EQ(fields_with(comment("")), JobFields{});
}

TEST(JobDescription, KnowsTheAllOfMemoryAndTheUnlimitedOfTime) {
  EXPECT_EQ(fields_with(R"("flags": ["EXACT_MEMORY_REQUESTED"],
                           "memory_per_node": {"set": true, "infinite": false, "number": 0},
                           "time_limit": {"set": false, "infinite": true, "number": 0})"),
            (JobFields{{"memory_per_node", std::int64_t{0}}, {"time_limit", Unlimited{}}}));
}

TEST(JobDescription, PartsNamesOfNodesButNotWithinBrackets) {
  EXPECT_EQ(fields_with("\"required_nodes\": \"n[1-3,5],m1\""),
            (JobFields{{"required_nodes", Words{"n[1-3,5]", "m1"}}}));
}

TEST(JobDescription, LeavesOutWhatSlurmSaysOfADependency) {
  EXPECT_EQ(fields_with("\"dependency\": \"afterok:1(unfulfilled),afterany:2_*(failed)\""),
            (JobFields{{"dependency", "afterok:1,afterany:2_*"}}));
}

TEST(JobDescription, SaysThatAnArrayHasBegun) {
  const auto found = described_fields_in(job_with(R"("array_job_id": {"set": true, "number": 7},
                  "array_task_id": {"set": true, "number": 3}, "array_task_string": "")"),
                                         7);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->is_array_begun);
}

TEST(JobDescription, OfAnotherJobOrOfNoAnswerIsNone) {
  EXPECT_FALSE(described_fields_in(job_with(R"("nice": 1)"), 8));
  EXPECT_FALSE(described_fields_in("", 7));
  EXPECT_FALSE(described_fields_in(R"({"jobs": [{"job_id": 7)", 7));
  EXPECT_FALSE(described_fields_in(R"({"errors": []})", 7));
}

TEST(AccountedSubmission, HasThePatternsOfAFileAndTheScriptIfItIsKept) {
  const auto kept = accounted_submission_in(recorded("accounting_many_options.json"), 64);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->standard_output, "/tmp/o-%j");
  EXPECT_EQ(kept->standard_error, "/tmp/e");
  EXPECT_EQ(kept->script, "");
  const auto with =
      accounted_submission_in(R"({"jobs": [{"job_id": 7, "script": "#!/bin/sh\n"}]})", 7);
  ASSERT_TRUE(with);
  EXPECT_EQ(with->script, "#!/bin/sh\n");
  EXPECT_FALSE(accounted_submission_in(R"({"jobs": []})", 7));
}

}  // namespace
}  // namespace sconverge::test
