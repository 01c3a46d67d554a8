// People win, and jobs of others are theirs.
#include <gmock/gmock.h>

#include "tests/e2e/end_to_end.h"

namespace sconverge::test {
namespace {

using testing::HasSubstr;

class People : public EndToEnd {
 protected:
  /// A job of alice's by hand, with such a mark, running until it is cancelled.
  std::string job_of(const std::string& controller, const std::string& spec) {
    return lab_.exec("alice", {"sbatch", "--parsable", "--partition=main", "--chdir=/tmp",
                               "--output=/dev/null", "--job-name=" + spec,
                               "--comment=[sconverge/1 c=" + controller + " s=default/" + spec +
                                   " g=0123456789abcdef r=1 a=1 t=abcdefabcdefabcdefabcdef]",
                               "--wrap=" + gate("foreign")});
  }
};

TEST_F(People, MayCancelAJobAndItIsNotSubmittedAgainBeforeRerun) {
  write({"train", gate("end")});
  start();
  ASSERT_TRUE(becomes("train", "Running"));

  lab_.exec("alice", {"scancel", std::to_string(*row("train").job)});
  ASSERT_TRUE(becomes("train", "Cancelled", "ExternalCancel"));
  ASSERT_TRUE(looks_again());
  EXPECT_EQ(states_of("train"), "CANCELLED");

  const Ended rerun = look({"rerun", "train"});
  EXPECT_EQ(rerun.code, 0) << rerun.err;
  ASSERT_TRUE(becomes("train", "Running"));
  EXPECT_EQ(row("train").run, 2);
  open("end");
  ASSERT_TRUE(becomes("train", "Succeeded"));
  EXPECT_EQ(states_of("train"), "CANCELLED COMPLETED");
}

TEST_F(People, MayCancelAPendingJobWhileNoControllerRuns) {
  write({"waits", "exit 0", kNotBefore2037});
  start();
  ASSERT_TRUE(becomes("waits", "Pending"));
  controller_->kill();

  lab_.exec("alice", {"scancel", std::to_string(*row("waits").job)});
  start();
  ASSERT_TRUE(becomes("waits", "Cancelled", "ExternalCancel"));
  ASSERT_TRUE(looks_again());
  EXPECT_EQ(states_of("waits"), "CANCELLED");
}

TEST_F(People, KeepAJobWithTheMarkOfAnotherControllerWhateverHappensToItsSpecHere) {
  const std::string other = "other-" + id_;
  const std::string job = job_of(other, "train");
  write({"train", gate("end")});
  start();
  ASSERT_TRUE(becomes("train", "Running"));
  EXPECT_NE(std::to_string(*row("train").job), job);

  remove("train.yaml");
  ASSERT_TRUE(comes_true([&] { return states_of("train") == "CANCELLED"; }));
  ASSERT_TRUE(looks_again());
  EXPECT_EQ(lab_.exec("root", {"squeue", "--noheader", "--format=%T", "--jobs", job}), "RUNNING");
  EXPECT_THAT(scontrol(static_cast<std::uint32_t>(std::stoul(job))), HasSubstr("c=" + other));
  lab_.exec("alice", {"scancel", job});
}

TEST_F(People, KeepAJobWhoseMarkTheyRewrote) {
  write({"train", gate("end")});
  start();
  ASSERT_TRUE(becomes("train", "Running"));
  const auto job = *row("train").job;

  lab_.exec("alice", {"scontrol", "update", "jobid=" + std::to_string(job), "comment=mine"});
  remove("train.yaml");
  ASSERT_TRUE(looks_again(8));
  EXPECT_EQ(
      lab_.exec("root", {"squeue", "--noheader", "--format=%T", "--jobs=" + std::to_string(job)}),
      "RUNNING");
  lab_.exec("alice", {"scancel", std::to_string(job)});
}

}  // namespace
}  // namespace sconverge::test
