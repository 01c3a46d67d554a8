// Accounting that keeps no comments cannot tell our job from another of its name. "No row with our
// mark" was read as "the submit never arrived", and a job that had come and gone was run again.

#include <gtest/gtest.h>

#include "controller/app/reconciler.h"
#include "tests/support/builders.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_slurm.h"
#include "tests/support/fake_spec_source.h"
#include "tests/support/fake_store.h"
#include "tests/support/matchers.h"

namespace sconverge::test {
namespace {

TEST(AccountingWithoutCommentsTest, AJobThatCameAndWentIsNotRunAgain) {
  FakeClock clock;
  FakeClusterOptions cluster;
  cluster.accounting_keeps_comments = false;
  FakeSlurm slurm(clock, cluster);
  FakeSpecSource source;
  FakeStore store;
  ReconcilerOptions options{.cluster = "lab", .policy = {.controller_id = kController}};
  options.concurrency = 1;
  source.set(a_spec("train").script("#!/bin/sh\nsleep 5\n"));
  slurm.next_submit(SubmitFate::AnswerLost);
  {
    Reconciler reconciler(options, source, slurm, store, clock);
    ASSERT_THAT(reconciler.load(), Works());
    reconciler.tick();
  }
  clock.advance(std::chrono::hours{2});  // away while it ran, ended and was purged
  Reconciler reconciler(options, source, slurm, store, clock);
  ASSERT_THAT(reconciler.load(), Works());
  for (int i = 0; i < 30; ++i) {
    reconciler.tick();
    clock.advance(seconds{10});
  }
  EXPECT_EQ(slurm.cluster().ever().size(), 1U);
}

}  // namespace
}  // namespace sconverge::test
