// What becomes of a spec whose Slurm works: it runs, changes, waits, ends.
#include <gmock/gmock.h>

#include "tests/e2e/end_to_end.h"

namespace sconverge::test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class Life : public EndToEnd {};

TEST_F(Life, RunsAJobToItsEndAndTellsItsExitCode) {
  write({"good", "exit 0"});
  write({"bad", "exit 7"});
  start();

  ASSERT_TRUE(becomes("good", "Succeeded"));
  ASSERT_TRUE(becomes("bad", "Failed", "NonZeroExitCode"));
  EXPECT_EQ(row("good").exit_code, 0);
  EXPECT_EQ(row("bad").exit_code, 7);
  EXPECT_EQ(states_of("good"), "COMPLETED");
  EXPECT_EQ(states_of("bad"), "FAILED");
  ASSERT_TRUE(comes_true([&] { return accounting().size() == 2; }));
  for (const auto& job : accounting()) {
    EXPECT_EQ(job.exit_code, job.spec == "default/good" ? "0:0" : "7:0");
  }
}

TEST_F(Life, TakesTwoDocumentsFromOneFile) {
  write("both.yaml", SpecText{"one", "exit 0"}.yaml() + "---\n" + SpecText{"two", "exit 0"}.yaml());
  start();

  ASSERT_TRUE(becomes("one", "Succeeded"));
  ASSERT_TRUE(becomes("two", "Succeeded"));
  EXPECT_EQ(states_of("one"), "COMPLETED");
  EXPECT_EQ(states_of("two"), "COMPLETED");
}

TEST_F(Life, ChangesAPendingJobInPlace) {
  write({"waits", "exit 0", std::string(kNotBefore2037) + "\ntime_limit: 1h"});
  start();
  ASSERT_TRUE(becomes("waits", "Pending"));
  const auto before = queue_of("waits");
  ASSERT_THAT(before, SizeIs(1));

  write({"waits", "exit 0", std::string(kNotBefore2037) + "\ntime_limit: 90m"});
  ASSERT_TRUE(comes_true([&] { return queue_of("waits").at(0).time_limit == "1:30:00"; }));

  ASSERT_TRUE(looks_again());
  const auto after = queue_of("waits");
  ASSERT_THAT(after, SizeIs(1));
  EXPECT_EQ(after[0].id, before[0].id);
  EXPECT_EQ(after[0].state, "PENDING");
  EXPECT_THAT(scontrol(after[0].id), HasSubstr("TimeLimit=01:30:00"));
  EXPECT_EQ(row("waits").job, before[0].id);
  EXPECT_EQ(row("waits").phase, "Pending");
}

TEST_F(Life, ReplacesAPendingJobThatSlurmCannotChange) {
  write({"waits", "exit 1", kNotBefore2037});
  start();
  ASSERT_TRUE(becomes("waits", "Pending"));

  write({"waits", "exit 0", kNotBefore2037});
  ASSERT_TRUE(comes_true([&] { return states_of("waits") == "CANCELLED PENDING"; }));
  ASSERT_TRUE(comes_true([&] { return row("waits").job == queue_of("waits").at(1).id; }));

  ASSERT_TRUE(looks_again());
  EXPECT_EQ(states_of("waits"), "CANCELLED PENDING");
  EXPECT_EQ(row("waits").phase, "Pending");
}

TEST_F(Life, LeavesARunningJobAloneAndRunsItsNewGenerationAfterwards) {
  write({"train", gate("first")});
  start();
  ASSERT_TRUE(becomes("train", "Running"));

  write({"train", gate("second", 3)});
  ASSERT_TRUE(becomes("train", "Running", "ChangeQueued"));
  ASSERT_TRUE(looks_again());
  EXPECT_EQ(states_of("train"), "RUNNING");

  open("first");
  ASSERT_TRUE(comes_true([&] { return states_of("train") == "COMPLETED RUNNING"; }));
  open("second");
  ASSERT_TRUE(becomes("train", "Failed"));
  EXPECT_EQ(row("train").exit_code, 3);
  EXPECT_EQ(states_of("train"), "COMPLETED FAILED");
}

TEST_F(Life, KeepsTheJobOfAFileThatBecameInvalid) {
  write({"train", gate("end")});
  start();
  ASSERT_TRUE(becomes("train", "Running"));

  write("train.yaml", SpecText{"train", gate("end"), "partitoin: main"}.yaml());
  ASSERT_TRUE(comes_true(
      [&] { return controller_->metric(R"(sconverge_source_files{state="invalid"})") == 1; }));
  ASSERT_TRUE(looks_again());
  EXPECT_EQ(states_of("train"), "RUNNING");
  EXPECT_THAT(row("train").message, HasSubstr("partitoin"));

  write({"train", gate("end")});
  open("end");
  ASSERT_TRUE(becomes("train", "Succeeded"));
  EXPECT_EQ(states_of("train"), "COMPLETED");
}

TEST_F(Life, HoldsAPendingJobWhileItsSpecIsSuspendedAndReleasesItAfterwards) {
  write({"waits", "exit 0", kNotBefore2037});
  start();
  ASSERT_TRUE(becomes("waits", "Pending"));
  const auto job = queue_of("waits").at(0).id;

  write({"waits", "exit 0", kNotBefore2037, "suspend: true"});
  ASSERT_TRUE(becomes("waits", "Suspended"));
  EXPECT_THAT(scontrol(job), HasSubstr("Reason=JobHeldUser"));
  EXPECT_THAT(scontrol(job), HasSubstr("Priority=0 "));

  write({"waits", "exit 0", kNotBefore2037, "suspend: false"});
  ASSERT_TRUE(becomes("waits", "Pending", "Queued"));
  EXPECT_THAT(scontrol(job), testing::Not(HasSubstr("Priority=0 ")));
  EXPECT_EQ(states_of("waits"), "PENDING");
  EXPECT_EQ(row("waits").job, job);
}

TEST_F(Life, DoesNotSubmitASuspendedSpec) {
  write({"later", "exit 0", "", "suspend: true"});
  start();
  ASSERT_TRUE(becomes("later", "Suspended"));
  ASSERT_TRUE(looks_again());
  EXPECT_EQ(states_of("later"), "");

  write({"later", "exit 0"});
  ASSERT_TRUE(becomes("later", "Succeeded"));
  EXPECT_EQ(states_of("later"), "COMPLETED");
}

}  // namespace
}  // namespace sconverge::test
