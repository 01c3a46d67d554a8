#include "controller/core/slurm_job.h"

#include <gtest/gtest.h>

namespace sconverge {
namespace {

using Words = std::vector<std::string>;

TEST(JobStateTest, BaseStatesAtOrPastCompletedAreFinal) {
  for (const char* word : {"COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL", "PREEMPTED",
                           "BOOT_FAIL", "DEADLINE", "OUT_OF_MEMORY"}) {
    EXPECT_TRUE(job_state_from({word}).final()) << word;
  }
  for (const char* word : {"PENDING", "RUNNING", "SUSPENDED"}) {
    EXPECT_FALSE(job_state_from({word}).final()) << word;
  }
}

TEST(JobStateTest, FlagsThatReopenAJobMakeItNotFinal) {
  for (const char* flag : {"COMPLETING", "REQUEUED", "REQUEUE_HOLD", "SPECIAL_EXIT", "STAGE_OUT",
                           "RESIZING", "REQUEUE_FED", "EXPEDITING"}) {
    EXPECT_FALSE(job_state_from({"COMPLETED", flag}).final()) << flag;
    EXPECT_FALSE(job_state_from({flag, "COMPLETED"}).final()) << flag;
  }
}

TEST(JobStateTest, FlagsThatSayNothingOfTheEndLeaveItFinal) {
  for (const char* flag : {"LAUNCH_FAILED", "STOPPED", "RECONFIG_FAIL", "POWER_UP_NODE", "REVOKED",
                           "RESV_DEL_HOLD", "SIGNALING"}) {
    EXPECT_TRUE(job_state_from({"FAILED", flag}).final()) << flag;
  }
}

TEST(JobStateTest, UnknownWordsCountAsAlive) {
  for (const Words& words : {Words{}, Words{"?"}, Words{"UNINITIALISED"}, Words{"NEW_STATE"},
                             Words{"COMPLETED", "NEW_FLAG"}, Words{"COMPLETING"}}) {
    EXPECT_FALSE(job_state_from(words).final());
  }
}

TEST(JobStateTest, CancelledByAUserIsCancelled) {
  const JobState state = job_state_from({"CANCELLED by 1000"});
  EXPECT_EQ(state.base, BaseState::Cancelled);
  EXPECT_TRUE(state.final());
}

TEST(JobStateTest, KeepsSlurmsWords) {
  EXPECT_EQ(job_state_from({"RUNNING", "COMPLETING"}).words, "RUNNING+COMPLETING");
}

}  // namespace
}  // namespace sconverge
