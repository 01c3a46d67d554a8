// Many specs at once: how they are sent, and that nobody has to wait for the end of it.
#include <gmock/gmock.h>
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

struct BurstTest : testing::Test {
  FakeClock clock{};
  FakeSpecSource source{};
  FakeSlurm slurm{clock, {.min_job_age = seconds{3600}}};
  FakeStore store{};
  Reconciler reconciler{
      {.cluster = "lab", .policy = {.controller_id = kController}, .concurrency = 1},
      source,
      slurm,
      store,
      clock};

  BurstTest() { EXPECT_THAT(reconciler.load(), Works()); }

  void declare(const std::string& prefix, int count) {
    for (int i = 0; i < count; ++i) {
      source.set(a_spec(prefix + std::to_string(100 + i)).script("#!/bin/sh\nsleep 3000\n"));
    }
  }
  /// Calls to Slurm take 200 ms on the whole.
  void make_slurm_slow() { slurm.set_faults({.longest_call = milliseconds{200}}, 1); }
  std::vector<std::string> accepted() {
    std::vector<std::string> names;
    for (const FakeJob& job : slurm.cluster().ever()) names.push_back(job.name);
    return names;
  }
};

TEST_F(BurstTest, ManySubmitsCostOneWriteABatchAndOneAtTheEnd) {
  declare("job-", 64);
  reconciler.tick();
  EXPECT_EQ(accepted().size(), 64U);
  // What was declared; the first 32 intents; their ids with the next 32 intents; their ids.
  EXPECT_EQ(store.saves(), 4);
  EXPECT_FALSE(reconciler.unfinished());
}

TEST_F(BurstTest, ABurstIsPutOffAfterASecondAndGoesOnAtOnce) {
  declare("job-", 100);
  make_slurm_slow();
  reconciler.tick();
  EXPECT_EQ(accepted().size(), 32U);
  EXPECT_TRUE(reconciler.unfinished());
  for (int i = 0; i < 3; ++i) reconciler.tick();
  EXPECT_EQ(accepted().size(), 100U);
  EXPECT_FALSE(reconciler.unfinished());
}

TEST_F(BurstTest, WhatIsPutOffIsNotWrittenDownAsAnIntent) {
  declare("job-", 100);
  make_slurm_slow();
  const auto report = reconciler.tick();
  for (const SpecStatus& status : report.statuses) {
    const bool sent = status.name.name < "job-132";
    EXPECT_EQ(store.durable().at(status.name).newest() != nullptr, sent) << status.name.name;
    EXPECT_NE(status.verdict.reason, Reason::SubmitUncertain);
  }
}

TEST_F(BurstTest, WhoCameFirstIsNotOvertakenByNewNames) {
  declare("job-", 100);
  make_slurm_slow();
  reconciler.tick();
  declare("early-", 40);
  reconciler.tick();
  const auto names = accepted();
  ASSERT_EQ(names.size(), 64U);
  EXPECT_EQ(names[32], "job-132");
  EXPECT_EQ(names[63], "job-163");
}

TEST_F(BurstTest, AnUnreachableSlurmIsNotHammeredAndTheRestWaitsForTheNextTick) {
  declare("job-", 100);
  for (int i = 0; i < 32; ++i) slurm.next_submit(SubmitFate::Unreachable);
  reconciler.tick();
  EXPECT_EQ(slurm.submits_sent(), 32);
  EXPECT_FALSE(reconciler.unfinished());
}

TEST_F(BurstTest, RefusedSpecsDoNotHoldUpTheOthers) {
  declare("job-", 64);
  for (int i = 0; i < 32; ++i) slurm.next_submit(SubmitFate::Rejected);
  reconciler.tick();
  EXPECT_EQ(accepted().size(), 32U);
}

TEST_F(BurstTest, JobsJustSubmittedNeedNoReadToBeSeen) {
  declare("job-", 64);
  slurm.cluster().set_run_slots(0);
  reconciler.tick();
  (void)slurm.take_requests();
  clock.advance(seconds{10});
  const auto report = reconciler.tick();
  EXPECT_EQ(report.our_jobs.at("pending"), 64);
  std::size_t reads = 0;
  for (const SlurmRequest& request : report.requests) {
    reads += request.endpoint == "GET /slurm/job/{job_id}" ? 1 : 0;
  }
  EXPECT_LE(reads, ObserverOptions{}.waiting_reads);
  EXPECT_EQ(report.adoptions, 0);
}

}  // namespace
}  // namespace sconverge::test
