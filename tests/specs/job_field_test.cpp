#include "specs/job_field.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace sconverge {
namespace {

TEST(JobFields, AreSortedAndDistinct) {
  const auto fields = job_fields();
  EXPECT_TRUE(std::is_sorted(fields.begin(), fields.end(),
                             [](const JobField& a, const JobField& b) { return a.name < b.name; }));
  std::set<std::string_view> names;
  for (const JobField& field : fields) names.insert(field.name);
  EXPECT_EQ(names.size(), fields.size());
}

TEST(JobFields, AreAllFound) {
  for (const JobField& field : job_fields()) EXPECT_EQ(find_job_field(field.name), &field);
  EXPECT_EQ(find_job_field("partitio"), nullptr);
  EXPECT_EQ(find_job_field(""), nullptr);
  EXPECT_EQ(find_job_field("zzz"), nullptr);
}

TEST(JobFields, AreEitherAllowedOrRefused) {
  for (const JobField& field : job_fields()) {
    EXPECT_EQ(find_refused_field(field.name), nullptr) << field.name;
  }
}

TEST(JobFields, BelongToAKnownVersion) {
  for (const JobField& field : job_fields()) {
    EXPECT_GE(field.since, "v0.0.40") << field.name;
    EXPECT_LE(field.since, "v0.0.45") << field.name;
    EXPECT_EQ(field.since.size(), 7U) << field.name;
  }
}

TEST(JobFields, HaveASensibleRange) {
  for (const JobField& field : job_fields()) EXPECT_LT(field.minimum, field.maximum) << field.name;
}

// Slurm 24.11 refuses these, takes them with success and ignores them, or mixes old and new.
TEST(JobFields, ThatSlurmCannotReallyChangeArePinned) {
  for (const char* name :
       {"environment", "argv", "tasks_per_node", "tasks_per_socket", "flags", "nodes", "tasks",
        "cpus_per_task", "minimum_cpus", "deadline", "shared", "contiguous", "distribution",
        "open_mode", "kill_warning_signal", "container"}) {
    ASSERT_NE(find_job_field(name), nullptr) << name;
    EXPECT_EQ(find_job_field(name)->in_place, InPlace::Never) << name;
  }
}

TEST(JobFields, ThatSlurmChangesInAPendingJob) {
  for (const char* name :
       {"time_limit", "partition", "qos", "comment", "name", "memory_per_node", "dependency",
        "begin_time", "tres_per_node", "constraints", "standard_output"}) {
    ASSERT_NE(find_job_field(name), nullptr) << name;
    EXPECT_EQ(find_job_field(name)->in_place, InPlace::Pending) << name;
  }
}

TEST(RefusedFields, SayWhyAndWhatInstead) {
  for (const char* name :
       {"hold", "script", "rlimits", "priority", "user_id", "admin_comment", "x11"}) {
    const RefusedField* field = find_refused_field(name);
    ASSERT_NE(field, nullptr) << name;
    EXPECT_FALSE(field->what.empty()) << name;
    EXPECT_FALSE(field->remedy.empty()) << name;
  }
}

}  // namespace
}  // namespace sconverge
