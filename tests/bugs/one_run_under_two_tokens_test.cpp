// Two controllers with one id and one directory each submitted the run, adopted the other's job,
// and each cancelled the one it had not made: both jobs died, and each called it somebody else's
// cancel. The rule must name the same survivor whoever applies it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/app/reconciler.h"
#include "tests/support/fake_slurm.h"
#include "tests/support/fake_spec_source.h"
#include "tests/support/fake_store.h"
#include "tests/support/world.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct OneRunUnderTwoTokens : testing::Test, World {
  SlurmJob& twin_of(const SlurmJob& job, std::uint32_t id) {
    SlurmJob twin = job;
    twin.id = JobId{id};
    twin.mark->token = a_token("twin");
    return jobs.insert_or_assign(twin.id, twin).first->second;
  }
};

TEST_F(OneRunUnderTwoTokens, TheLaterJobIsCancelledIfItIsTheAdoptedOne) {
  const SlurmJob& own = running(a_spec("train"));
  const SlurmJob& twin = twin_of(own, 900);
  EXPECT_THAT(look().actions, ElementsAre(Cancels(twin.id, CancelCause::Duplicate)));
  EXPECT_EQ(absorbed.duplicates, 1);
}

TEST_F(OneRunUnderTwoTokens, TheLaterJobIsCancelledIfItIsOurOwn) {
  const SlurmJob& own = running(a_spec("train"));
  twin_of(own, 1);
  EXPECT_THAT(look().actions, ElementsAre(Cancels(own.id, CancelCause::Duplicate)));
}

TEST_F(OneRunUnderTwoTokens, TheSurvivorIsFollowedToItsEndAndTheRunIsNotRepeated) {
  for (const std::uint32_t twin_id : {1U, 900U}) {
    World world;
    SlurmJob& own = world.pending(a_spec("train"));
    SlurmJob twin = own;
    twin.id = JobId{twin_id};
    twin.mark->token = a_token("twin");
    world.jobs.emplace(twin.id, twin);
    const Plan made = world.look();
    ASSERT_EQ(made.actions.size(), 1U);
    const auto& cancel = std::get<Cancel>(made.actions.at(0));
    record_cancel_requested(world.history.at(a_name("train")), cancel, world.policy, world.now);
    World::end(world.jobs.at(cancel.job), "CANCELLED");
    const Plan after = world.look();
    EXPECT_THAT(after.actions, IsEmpty());
    EXPECT_THAT(after.verdicts.at(a_name("train")), Stands(Phase::Pending, Reason::Queued));
    World::end(world.jobs.at(twin_id < own.id.value ? twin.id : own.id), "COMPLETED");
    for (int i = 0; i < 3; ++i) {
      const Plan end = world.look_after(seconds{100});
      EXPECT_THAT(end.actions, IsEmpty());
      EXPECT_THAT(end.verdicts.at(a_name("train")), Stands(Phase::Succeeded, Reason::Completed));
    }
  }
}

TEST_F(OneRunUnderTwoTokens, TwoControllersOfOneIdLeaveOneJob) {
  FakeClock clock;
  FakeSlurm slurm(clock);
  FakeSpecSource source;
  FakeStore left_store;
  FakeStore right_store;
  ReconcilerOptions options{.cluster = "lab", .policy = {.controller_id = kController}};
  options.concurrency = 1;
  source.set(a_spec("train").script("#!/bin/sh\nsleep 200\n"));
  Reconciler left(options, source, slurm, left_store, clock);
  Reconciler right(options, source, slurm, right_store, clock);
  ASSERT_THAT(left.load(), Works());
  ASSERT_THAT(right.load(), Works());
  slurm.set_list_lag(seconds{5});
  for (int i = 0; i < 60; ++i) {
    left.tick();
    clock.advance(milliseconds{500});
    right.tick();
    clock.advance(seconds{10});
  }
  int completed = 0;
  for (const auto& job : slurm.cluster().ever()) {
    completed += job.base == BaseState::Completed ? 1 : 0;
  }
  EXPECT_EQ(completed, 1);
}

}  // namespace
}  // namespace sconverge::test
