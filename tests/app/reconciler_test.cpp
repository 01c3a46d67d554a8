#include "controller/app/reconciler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/builders.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_slurm.h"
#include "tests/support/fake_spec_source.h"
#include "tests/support/fake_store.h"
#include "tests/support/matchers.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A whole controller among fakes; each tick is ten seconds after the one before.
struct ReconcilerTest : testing::Test {
  FakeClock clock{};
  FakeSpecSource source{};
  FakeSlurm slurm{clock};
  FakeStore store{};
  std::unique_ptr<Reconciler> reconciler{};

  ReconcilerTest() { restart(); }

  static ReconcilerOptions options() {
    ReconcilerOptions options{.cluster = "lab", .policy = {.controller_id = kController}};
    options.concurrency = 1;
    return options;
  }
  void restart(ReconcilerOptions with = options()) {
    store.crash();
    reconciler = std::make_unique<Reconciler>(std::move(with), source, slurm, store, clock);
    ASSERT_THAT(reconciler->load(), Works());
  }
  TickReport tick() {
    clock.advance(seconds{10});
    return reconciler->tick();
  }
  TickReport ticks(int count) {
    TickReport last;
    for (int i = 0; i < count; ++i) last = tick();
    return last;
  }
  SpecStatus row(const TickReport& report, const std::string& name) {
    for (const auto& status : report.statuses) {
      if (status.name == a_name(name)) return status;
    }
    ADD_FAILURE() << "no row for " << name;
    return {};
  }
  std::size_t accepted() { return slurm.cluster().ever().size(); }
};

TEST_F(ReconcilerTest, RunsADeclaredJobToItsEnd) {
  source.set(a_spec("train").script("#!/bin/sh\nsleep 30\nexit 0\n"));
  const TickReport first = tick();
  EXPECT_THAT(first.actions,
              ElementsAre(AllOf(Field(&ActionReport::operation, Operation::Submit),
                                Field(&ActionReport::result, OperationResult::Success))));
  EXPECT_THAT(row(first, "train").verdict, Stands(Phase::Pending, Reason::Queued));
  const TickReport last = ticks(8);
  EXPECT_THAT(row(last, "train").verdict, Stands(Phase::Succeeded, Reason::Completed));
  EXPECT_EQ(row(last, "train").exit_code, 0);
  EXPECT_EQ(accepted(), 1U);
}

TEST_F(ReconcilerTest, ShowsTheExitCodeOfAFailedJob) {
  source.set(a_spec("train").script("#!/bin/sh\nsleep 5\nexit 3\n"));
  const TickReport last = ticks(6);
  EXPECT_THAT(row(last, "train").verdict, Stands(Phase::Failed, Reason::NonZeroExitCode));
  EXPECT_EQ(row(last, "train").exit_code, 3);
  ticks(50);
  EXPECT_EQ(accepted(), 1U);
}

TEST_F(ReconcilerTest, WritesTheIntentDownBeforeItSubmits) {
  source.set(a_spec("train"));
  store.fail_every_save = true;
  const TickReport report = tick();
  EXPECT_EQ(report.failed_step, "store");
  EXPECT_EQ(slurm.submits_sent(), 0);
  store.fail_every_save = false;
  tick();
  EXPECT_EQ(accepted(), 1U);
}

TEST_F(ReconcilerTest, ASaveThatFailsBetweenAbsorbAndSubmitSendsNothing) {
  source.set(a_spec("train"));
  store.fail_save_in = 2;
  tick();
  EXPECT_EQ(slurm.submits_sent(), 0);
  ticks(3);
  EXPECT_EQ(accepted(), 1U);
}

TEST_F(ReconcilerTest, WhatCouldNotBeSavedIsSavedLater) {
  source.set(a_spec("train"));
  store.fail_save_in = 3;  // the one that holds the job's id
  tick();
  tick();
  ASSERT_NE(store.durable().at(a_name("train")).newest(), nullptr);
  EXPECT_TRUE(store.durable().at(a_name("train")).newest()->job);
}

TEST_F(ReconcilerTest, FindsTheJobOfALostAnswer) {
  source.set(a_spec("train"));
  slurm.next_submit(SubmitFate::AnswerLost);
  const TickReport first = tick();
  EXPECT_THAT(row(first, "train").verdict, Stands(Phase::Submitting, Reason::SubmitUncertain));
  const TickReport second = tick();
  EXPECT_EQ(second.adoptions, 1);
  ticks(30);
  EXPECT_EQ(accepted(), 1U);
}

TEST_F(ReconcilerTest, ASubmitThatLandsLateIsNotSentTwice) {
  source.set(a_spec("train"));
  slurm.next_submit(SubmitFate::LandsLate, seconds{50});
  ticks(30);
  EXPECT_EQ(accepted(), 1U);
}

TEST_F(ReconcilerTest, SendsAgainWhatProvablyNeverArrived) {
  source.set(a_spec("train"));
  slurm.next_submit(SubmitFate::NeverArrives);
  ticks(5);
  EXPECT_EQ(accepted(), 0U);
  ticks(10);
  EXPECT_EQ(accepted(), 1U);
}

TEST_F(ReconcilerTest, AFailedObservationEndsTheTick) {
  source.set(a_spec("train"));
  slurm.next_observe_fails();
  const TickReport report = tick();
  EXPECT_EQ(report.failed_step, "observe");
  EXPECT_THAT(report.actions, IsEmpty());
  EXPECT_THAT(row(report, "train").verdict, Stands(Phase::Waiting, Reason::SlurmUnavailable));
}

TEST_F(ReconcilerTest, DeniedCredentialsAreSaid) {
  source.set(a_spec("train"));
  slurm.set_denied(true);
  EXPECT_THAT(row(tick(), "train").verdict, Stands(Phase::Waiting, Reason::CredentialsDenied));
}

TEST_F(ReconcilerTest, CancelsARemovedSpecsJobAndKeepsItInSightUntilItsEnd) {
  source.set(a_spec("train").script("#!/bin/sh\nsleep 9999\n"));
  ticks(3);
  source.remove(a_name("train"));
  EXPECT_THAT(row(tick(), "train").verdict, Stands(Phase::Running, Reason::RemovalGrace));
  const TickReport report = ticks(3);
  EXPECT_THAT(report.actions, ElementsAre(Field(&ActionReport::operation, Operation::Cancel)));
  EXPECT_THAT(row(report, "train").verdict, Stands(Phase::Running, Reason::Removing));
  EXPECT_THAT(ticks(2).statuses, IsEmpty());
  EXPECT_EQ(slurm.cluster().ever()[0].base, BaseState::Cancelled);
}

TEST_F(ReconcilerTest, ReadsAJobOnceMoreBeforeItCancelsIt) {
  source.set(a_spec("train").script("#!/bin/sh\nsleep 9999\n"));
  ticks(3);
  const JobId id = slurm.cluster().ever()[0].id;
  source.remove(a_name("train"));
  ticks(3);
  slurm.next_read_fails();
  const TickReport report = tick();
  EXPECT_THAT(report.actions, ElementsAre(Field(&ActionReport::result, OperationResult::Error)));
  EXPECT_TRUE(slurm.cluster().job(id)->alive());
}

TEST_F(ReconcilerTest, OurOwnCancelIsNotTakenForAPersons) {
  source.set(a_spec("train").script("#!/bin/sh\nsleep 9999\n"));
  ticks(3);
  source.remove(a_name("train"));
  slurm.next_change(ChangeFate::AnswerLost);
  ticks(4);
  restart();
  source.set(a_spec("train").script("#!/bin/sh\nsleep 9999\n"));
  ticks(3);
  EXPECT_EQ(accepted(), 2U) << "restored, so it runs again";
}

TEST_F(ReconcilerTest, ChangesAPendingJobInPlace) {
  slurm.cluster().set_run_slots(0);
  source.set(a_spec("train").time_limit(60));
  ticks(2);
  source.set(a_spec("train").time_limit(90));
  const TickReport report = tick();
  EXPECT_THAT(report.actions,
              ElementsAre(AllOf(Field(&ActionReport::operation, Operation::Update),
                                Field(&ActionReport::message, "time_limit: 60 -> 90"))));
  EXPECT_EQ(accepted(), 1U);
  EXPECT_THAT(ticks(3).actions, IsEmpty());
}

TEST_F(ReconcilerTest, ReplacesAPendingJobAndNeverHasTwo) {
  slurm.cluster().set_run_slots(0);
  source.set(a_spec("train"));
  ticks(2);
  source.set(a_spec("train").script("#!/bin/sh\necho new\n"));
  ticks(3);
  ASSERT_EQ(accepted(), 2U);
  EXPECT_EQ(slurm.cluster().ever()[0].base, BaseState::Cancelled);
}

TEST_F(ReconcilerTest, HoldsAndReleases) {
  slurm.cluster().set_run_slots(0);
  source.set(a_spec("train"));
  ticks(2);
  source.set(a_spec("train").suspended());
  ticks(2);
  EXPECT_TRUE(slurm.cluster().ever()[0].held);
  source.set(a_spec("train"));
  ticks(2);
  EXPECT_FALSE(slurm.cluster().ever()[0].held);
}

TEST_F(ReconcilerTest, AnswersARerunOnce) {
  source.set(a_spec("train").script("#!/bin/sh\nsleep 5\n"));
  ticks(5);
  ASSERT_THAT(store.add_request({0, RequestKind::Rerun, a_name("train"), clock.now()}), Works());
  ticks(10);
  EXPECT_EQ(accepted(), 2U);
}

TEST_F(ReconcilerTest, ARequestThatCannotBeTakenOutIsNotActedUpon) {
  source.set(a_spec("train").script("#!/bin/sh\nsleep 5\n"));
  ticks(5);
  ASSERT_THAT(store.add_request({0, RequestKind::Rerun, a_name("train"), clock.now()}), Works());
  store.fail_answered_in = 1;
  tick();
  EXPECT_EQ(accepted(), 1U);
  ticks(10);
  EXPECT_EQ(accepted(), 2U);
}

TEST_F(ReconcilerTest, ARestartRunsNothingTwice) {
  for (int i = 0; i < 5; ++i) {
    source.set(a_spec("job" + std::to_string(i)).script("#!/bin/sh\nsleep 15\n"));
  }
  for (int i = 0; i < 20; ++i) {
    tick();
    restart();
  }
  EXPECT_EQ(accepted(), 5U);
}

TEST_F(ReconcilerTest, JobsThatEndedAndWerePurgedMeanwhileHaveTheirOutcome) {
  source.set(a_spec("train").script("#!/bin/sh\nsleep 5\nexit 4\n"));
  tick();
  clock.advance(std::chrono::hours{5});
  restart();
  EXPECT_THAT(row(ticks(2), "train").verdict, Stands(Phase::Failed, Reason::NonZeroExitCode));
}

TEST_F(ReconcilerTest, WithoutAccountingAPurgedJobIsLostAndNotRunAgain) {
  slurm.cluster().set_accounting(Accounting::Off);
  source.set(a_spec("train").script("#!/bin/sh\nsleep 5\n"));
  tick();
  clock.advance(std::chrono::hours{5});
  restart();
  EXPECT_EQ(row(ticks(3), "train").verdict.phase, Phase::Lost);
  ticks(30);
  EXPECT_EQ(accepted(), 1U);
}

TEST_F(ReconcilerTest, IsSilentWhenNothingChanges) {
  source.set(a_spec("train").script("#!/bin/sh\nsleep 5\n"));
  ticks(10);
  const int saves = store.saves();
  for (int i = 0; i < 30; ++i) {
    const TickReport report = tick();
    EXPECT_THAT(report.transitions, IsEmpty());
    EXPECT_THAT(report.actions, IsEmpty());
  }
  EXPECT_EQ(store.saves(), saves);
}

TEST_F(ReconcilerTest, CountsATerminationOnce) {
  source.set(a_spec("train").script("#!/bin/sh\nsleep 5\n"));
  std::size_t terminations = 0;
  for (int i = 0; i < 20; ++i) terminations += tick().terminations.size();
  EXPECT_EQ(terminations, 1U);
}

TEST_F(ReconcilerTest, PreviewChangesNothing) {
  source.set(a_spec("train"));
  const auto preview = reconciler->preview();
  ASSERT_THAT(preview, Works());
  EXPECT_THAT(preview->plan.actions, ElementsAre(Submits(a_name("train"))));
  EXPECT_EQ(accepted(), 0U);
  EXPECT_EQ(store.saves(), 0);
}

TEST_F(ReconcilerTest, PreviewSaysWhatTheNextTickDoes) {
  source.set(a_spec("one"));
  source.set(a_spec("two").suspended());
  const auto preview = reconciler->preview();
  ASSERT_THAT(preview, Works());
  EXPECT_EQ(preview->plan.actions.size(), tick().actions.size());
}

TEST_F(ReconcilerTest, PreviewSaysWhySlurmCannotBeAsked) {
  slurm.next_observe_fails();
  EXPECT_THAT(reconciler->preview(), FailsWith(ErrorKind::Unavailable));
}

// --- clusters
// -------------------------------------------------------------------------------------

TEST_F(ReconcilerTest, TakesItsOwnClustersSpecsOnly) {
  ReconcilerOptions with = options();
  with.default_cluster = false;
  with.other_clusters = {"main"};
  restart(with);
  source.set(a_spec("mine").cluster("lab"));
  source.set(a_spec("other").cluster("main"));
  source.set(a_spec("unnamed"));
  EXPECT_THAT(tick().actions, ElementsAre(Field(&ActionReport::spec, a_name("mine"))));
}

TEST_F(ReconcilerTest, TheDefaultClusterTakesSpecsThatNameNone) {
  source.set(a_spec("unnamed"));
  EXPECT_THAT(tick().actions, SizeIs(1));
}

TEST_F(ReconcilerTest, ASpecForAnUnknownClusterIsAProblemAndItsJobLives) {
  source.set(a_spec("train").script("#!/bin/sh\nsleep 9999\n"));
  ticks(2);
  source.set(a_spec("train").script("#!/bin/sh\nsleep 9999\n").cluster("labb"));
  const TickReport report = ticks(10);
  EXPECT_THAT(report.problems, ElementsAre(Field(&Problem::what, HasSubstr("labb"))));
  EXPECT_TRUE(slurm.cluster().ever()[0].alive());
}

TEST_F(ReconcilerTest, TheReportTellsHowTheDirectoryWasLookedAt) {
  EXPECT_EQ(tick().scan.trigger, ScanTrigger::Startup);
  EXPECT_EQ(tick().scan.trigger, ScanTrigger::Poll);
  source.set(a_spec("train"));
  const TickReport report = tick();
  EXPECT_EQ(report.scan.trigger, ScanTrigger::Event);
  EXPECT_EQ(report.scan.events.at(WatchEvent::Modify), 1);
}

TEST_F(ReconcilerTest, TheReportCountsWritesToTheStoreAndTellsItsSize) {
  source.set(a_spec("train"));
  const TickReport report = tick();
  EXPECT_GE(report.store_writes.done, 3) << "intent, id, status";
  EXPECT_EQ(report.store_writes.failed, 0);
  EXPECT_EQ(report.store_bytes, store.size_bytes());
  EXPECT_GT(report.store_bytes.value_or(0), 0U);
  source.set(a_spec("train").time_limit(7));
  store.fail_every_save = true;
  EXPECT_GE(tick().store_writes.failed, 1);
  store.fail_every_save = false;
  store.fail_publish_in = 1;
  EXPECT_EQ(tick().store_writes.failed, 1);
}

TEST_F(ReconcilerTest, TheReportTellsTheTimesOfAJobOnce) {
  source.set(a_spec("train").script("#!/bin/sh\nsleep 30\nexit 0\n"));
  std::vector<double> waits;
  std::vector<double> runs;
  for (int i = 0; i < 12; ++i) {
    const TickReport report = tick();
    for (const double time : report.queue_wait_seconds) waits.push_back(time);
    for (const double time : report.run_seconds) runs.push_back(time);
  }
  EXPECT_THAT(waits, SizeIs(1));
  EXPECT_THAT(runs, ElementsAre(30));
}

}  // namespace
}  // namespace sconverge::test
