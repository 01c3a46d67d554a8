// What every SlurmClient promises about job arrays, held on the fake and on the REST client with a
// real Slurm.

#include <map>

#include "tests/contract/slurm_client_contract.h"

namespace sconverge::test {
namespace {

using testing::SizeIs;

struct ArrayContract : SlurmClientContract {
  JobSpec array(const std::string& tasks, const std::string& script) const {
    return spec(script).with("array", tasks);
  }
  JobSpec waiting_array(const std::string& tasks) const {
    return pending_spec().with("array", tasks);
  }

  /// "0-1 RUNNING, 2-3 PENDING", in that order of words.
  static std::string tasks_of(const SlurmJob& job) {
    std::map<std::string, IndexSet> by_state;
    bool rest = false;
    for (const TaskGroup& group : job.tasks) {
      IndexSet& indexes = by_state[group.state.words];
      indexes = indexes.with(group.indexes);
      rest = rest || group.rest;
    }
    std::string text;
    for (const auto& [state, indexes] : by_state) {
      text += (text.empty() ? "" : ", ") + to_text(indexes) + (rest ? "the rest " : " ") + state;
    }
    return text;
  }
  bool comes_to(JobId job, const std::string& tasks) {
    return eventually([&] { return tasks_of(read(job)) == tasks; });
  }
};

TEST_P(ArrayContract, AnArrayThatWaitsIsOneJobWithItsTasks) {
  const JobSpec wanted = waiting_array("0-3,7%2");
  const Mark mark = mark_for(wanted);
  const JobId job = submit(submission(wanted, mark));

  const auto seen = observed_with(mark.token);

  ASSERT_THAT(seen, SizeIs(1));
  EXPECT_EQ(seen[0].id, job);
  EXPECT_EQ(tasks_of(seen[0]), "0-3,7 PENDING");
  EXPECT_EQ(seen[0].records, 1);
  EXPECT_EQ(read(job), seen[0]);
  EXPECT_EQ(cluster->waiting_tasks_of(job), "0-3,7%2");
}

TEST_P(ArrayContract, AnArrayWhoseTasksRunIsStillOneJobUnderItsOwnId) {
  const JobSpec wanted = array("0-4%2", "#!/bin/sh\nsleep 600\n");
  const Mark mark = mark_for(wanted);
  const JobId job = submit(submission(wanted, mark));
  ASSERT_TRUE(comes_to(job, "2-4 PENDING, 0-1 RUNNING")) << tasks_of(read(job));

  const auto seen = observed_with(mark.token);

  ASSERT_THAT(seen, SizeIs(1));
  EXPECT_EQ(seen[0].id, job);
  EXPECT_EQ(seen[0].mark, mark);
  EXPECT_EQ(seen[0].state.base, BaseState::Running);
  EXPECT_EQ(tasks_of(seen[0]), "2-4 PENDING, 0-1 RUNNING");
  EXPECT_EQ(seen[0].records, 3);
}

TEST_P(ArrayContract, TasksEndEachWithItsOwnExitCode) {
  const JobSpec wanted =
      array("0-2", "#!/bin/sh\ntest $SLURM_ARRAY_TASK_ID != 1 || exit 3\nexit 0\n");
  const Mark mark = mark_for(wanted);
  const JobId job = submit(submission(wanted, mark));

  const SlurmJob ended = wait_until_final(job);

  EXPECT_EQ(ended.state.base, BaseState::Failed);
  EXPECT_EQ(ended.exit_code, 3);
  EXPECT_EQ(tasks_of(ended), "0,2 COMPLETED, 1 FAILED");

  const auto row = account_of_the_end(question(mark.token, job));
  ASSERT_TRUE(row);
  EXPECT_EQ(row->id, job);
  EXPECT_EQ(row->exit_code, 3);
  EXPECT_EQ(tasks_of(*row), "0,2 COMPLETED, 1 FAILED");
  const auto by_token = account(question(mark.token, std::nullopt));
  ASSERT_TRUE(by_token);
  EXPECT_EQ(tasks_of(*by_token), tasks_of(*row));
}

TEST_P(ArrayContract, CancelEndsAllTasks) {
  const JobSpec wanted =
      array("0-4%2", "#!/bin/sh\ntest $SLURM_ARRAY_TASK_ID != 0 || exit 0\nsleep 600\n");
  const Mark mark = mark_for(wanted);
  const JobId job = submit(submission(wanted, mark));
  ASSERT_TRUE(comes_to(job, "0 COMPLETED, 3-4 PENDING, 1-2 RUNNING")) << tasks_of(read(job));

  ASSERT_THAT(client.cancel(job), Works());

  const SlurmJob ended = wait_until_final(job);
  EXPECT_EQ(ended.state.base, BaseState::Cancelled);
  EXPECT_EQ(tasks_of(ended), "1-4 CANCELLED, 0 COMPLETED");
}

TEST_P(ArrayContract, CancelEndsAnArrayThatWaits) {
  const JobSpec wanted = waiting_array("0-3,7");
  const Mark mark = mark_for(wanted);
  const JobId job = submit(submission(wanted, mark));

  ASSERT_THAT(client.cancel(job), Works());

  EXPECT_EQ(tasks_of(wait_until_final(job)), "0-3,7 CANCELLED");
  const auto row = account_of_the_end(question(mark.token, job));
  ASSERT_TRUE(row);
  EXPECT_EQ(tasks_of(*row), "0-3,7 CANCELLED");
}

TEST_P(ArrayContract, UpdateChangesAnArrayThatWaitsAndItsThrottle) {
  const JobSpec wanted = waiting_array("0-3");
  Mark next = mark_for(wanted);
  const JobId job = submit(submission(wanted, next));
  next.generation = "fedcba9876543210";

  ASSERT_THAT(client.update(job, {{"array", std::string("0-3%2")},
                                  {"time_limit", std::int64_t{90}},
                                  {"comment", comment_with_mark("", next)}}),
              Works());

  EXPECT_EQ(cluster->waiting_tasks_of(job), "0-3%2");
  EXPECT_EQ(cluster->time_limit_of(job), "1:30:00");
  EXPECT_EQ(read(job).mark, next);

  ASSERT_THAT(client.update(job, {{"array", std::string("0-3")}}), Works());
  EXPECT_EQ(cluster->waiting_tasks_of(job), "0-3");
}

TEST_P(ArrayContract, AnArrayThatWaitsIsHeldAndReleasedAsAWhole) {
  const JobId job = submit(waiting_array("0-3"));

  ASSERT_THAT(client.set_hold(job, true), Works());
  EXPECT_TRUE(read(job).held);
  EXPECT_EQ(tasks_of(read(job)), "0-3 PENDING");

  ASSERT_THAT(client.set_hold(job, false), Works());
  EXPECT_FALSE(read(job).held);
}

// So nothing but its absence tells what became of it.
TEST_P(ArrayContract, ATaskCancelledBeforeItBeganLeavesNoRecord) {
  const JobSpec wanted = waiting_array("0-3");
  const Mark mark = mark_for(wanted);
  const JobId job = submit(submission(wanted, mark));

  cluster->scancel_task_as_root(job, 2);

  ASSERT_TRUE(comes_to(job, "0-1,3 PENDING")) << tasks_of(read(job));
  ASSERT_THAT(client.cancel(job), Works());
  const auto row = account_of_the_end(question(mark.token, job));
  ASSERT_TRUE(row);
  EXPECT_EQ(tasks_of(*row), "0-1,3 CANCELLED");
}

TEST_P(ArrayContract, ALongListOfTasksIsShownAsTheRest) {
  std::string tasks;
  std::uint32_t index = 0;
  for (std::uint32_t step = 1; step < 40; ++step) {
    tasks += (tasks.empty() ? "" : ",") + std::to_string(index);
    index += step;
  }
  const JobSpec wanted = waiting_array(tasks);
  const Mark mark = mark_for(wanted);
  const JobId job = submit(submission(wanted, mark));

  EXPECT_EQ(tasks_of(read(job)), "the rest PENDING");

  ASSERT_THAT(client.cancel(job), Works());
  const auto row = account_of_the_end(question(mark.token, job));
  ASSERT_TRUE(row);
  ASSERT_THAT(row->tasks, SizeIs(1));
  EXPECT_EQ(row->tasks[0].indexes, index_set_from(tasks));
}

TEST_P(ArrayContract, TasksBeyondTheClustersLimitAreRejected) {
  const JobSpec wanted = waiting_array("4000000");
  const auto answer = client.submit(submission(wanted, mark_for(wanted)));
  ASSERT_THAT(answer, FailsWith(ErrorKind::Rejected));
  EXPECT_EQ(answer.error().slurm_errno, 2081);
}

INSTANTIATE_TEST_SUITE_P(Slurm, ArrayContract, testing::ValuesIn(clusters_at_hand()),
                         [](const auto& kind) { return kind.param.name; });

}  // namespace
}  // namespace sconverge::test
