#include "controller/app/cluster_worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>

#include "controller/app/bell.h"
#include "controller/app/system_clock.h"
#include "tests/support/builders.h"
#include "tests/support/fake_slurm.h"
#include "tests/support/fake_spec_source.h"
#include "tests/support/fake_store.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;

/// Only a bound: nothing waits for longer than it must.
constexpr seconds kPatience{60};

/// What happened on several threads, in order.
class Diary {
 public:
  void note(const std::string& what) {
    const std::lock_guard lock(mutex_);
    entries_.push_back(what);
    noted_.notify_all();
  }
  [[nodiscard]] std::vector<std::string> entries() const {
    const std::lock_guard lock(mutex_);
    return entries_;
  }
  /// Waits for so many entries.
  std::vector<std::string> first(std::size_t count) {
    std::unique_lock lock(mutex_);
    noted_.wait_for(lock, kPatience, [&] { return entries_.size() >= count; });
    return entries_;
  }

 private:
  mutable std::mutex mutex_{};
  std::condition_variable noted_{};
  std::vector<std::string> entries_{};
};

/// An empty directory that really waits.
class QuietSource : public FakeSpecSource {
 public:
  bool wait(milliseconds timeout, const std::stop_token& stop) override {
    bell_.wait(timeout, stop);
    return false;
  }

 private:
  Bell bell_{};
};

/// A Slurm that may be told to hang.
class SlowSlurm : public FakeSlurm {
 public:
  SlowSlurm(FakeClock& clock, std::string name, Diary& diary)
      : FakeSlurm(clock), name_(std::move(name)), diary_(diary) {}

  Result<Observation> observe(const ObserveScope& scope) override {
    diary_.note(name_ + " looks");
    hangs_.wait(true);
    diary_.note(name_ + " has looked");
    return FakeSlurm::observe(scope);
  }
  void hang() { hangs_ = true; }
  void go_on() {
    hangs_ = false;
    hangs_.notify_all();
  }

 private:
  std::string name_;
  Diary& diary_;
  std::atomic<bool> hangs_{false};
};

struct ClusterWorkerTest : testing::Test {
  std::unique_ptr<ClusterRuntime> parts(const std::string& name) {
    auto made = std::make_unique<ClusterRuntime>();
    made->heartbeat = heartbeat;
    made->setup.cluster.name = "lab";
    made->setup.cluster.working_directory = "/" + name;
    made->setup.options = {.cluster = "lab", .policy = {.controller_id = kController}};
    made->setup.options.policy.interval = std::chrono::hours{1};
    made->source = std::make_unique<QuietSource>();
    auto slurm = std::make_unique<SlowSlurm>(slurm_clock, name, diary);
    slurms[name] = slurm.get();
    made->slurm = std::move(slurm);
    auto store = std::make_unique<FakeStore>();
    stores[name] = store.get();
    made->store = std::move(store);
    made->reconciler = std::make_unique<Reconciler>(made->setup.options, *made->source,
                                                    *made->slurm, *made->store, clock);
    return made;
  }
  void work(std::unique_ptr<ClusterRuntime> first) {
    worker.emplace(std::move(first), clock,
                   ClusterWorker::Events{[this](ClusterRuntime&, const TickReport& report) {
                                           triggers.push_back(report.scan.trigger);
                                           if (report.failed)
                                             diary.note("failed at the " + report.failed_step);
                                         },
                                         [this] { diary.note("the end"); }});
  }
  bool change(const std::string& name) {
    auto next = parts(name);
    return worker->change(next);
  }

  SystemClock clock{};
  FakeClock slurm_clock{};
  Diary diary{};
  std::vector<ScanTrigger> triggers{};  ///< of the ticks that were told of; the worker's own
  std::shared_ptr<Heartbeat> heartbeat{std::make_shared<Heartbeat>()};
  std::map<std::string, SlowSlurm*> slurms{};
  std::map<std::string, FakeStore*> stores{};
  std::optional<ClusterWorker> worker{};
};

TEST_F(ClusterWorkerTest, TicksAtOnceAndWhenSomebodyAsks) {
  work(parts("a"));
  EXPECT_THAT(diary.first(2), ElementsAre("a looks", "a has looked"));
  worker->look_now();
  EXPECT_THAT(diary.first(4), ElementsAre("a looks", "a has looked", "a looks", "a has looked"));
  worker.reset();
  EXPECT_EQ(diary.entries().back(), "the end");
  EXPECT_THAT(triggers, ElementsAre(ScanTrigger::Startup, ScanTrigger::Signal));
}

TEST_F(ClusterWorkerTest, ATickUnderWayGoesThroughBeforeOtherPartsTakeOver) {
  auto first = parts("a");
  slurms["a"]->hang();
  work(std::move(first));
  diary.first(1);
  EXPECT_TRUE(change("b"));  // returns although "a" hangs
  EXPECT_EQ(worker->setup().cluster.working_directory, "/b");
  EXPECT_THAT(diary.entries(), ElementsAre("a looks"));
  slurms["a"]->go_on();
  EXPECT_THAT(diary.first(4), ElementsAre("a looks", "a has looked", "b looks", "b has looked"));
}

TEST_F(ClusterWorkerTest, OnlyTheLastOfManyChangesTakesOver) {
  auto first = parts("a");
  slurms["a"]->hang();
  work(std::move(first));
  diary.first(1);
  for (const char* name : {"b", "c", "d"}) EXPECT_TRUE(change(name));
  slurms["a"]->go_on();
  EXPECT_THAT(diary.first(4), ElementsAre("a looks", "a has looked", "d looks", "d has looked"));
}

TEST_F(ClusterWorkerTest, ChangedBetweenTwoTicksItDoesNotWaitForTheNext) {
  work(parts("a"));
  diary.first(2);
  EXPECT_TRUE(change("b"));
  EXPECT_THAT(diary.first(4), ElementsAre("a looks", "a has looked", "b looks", "b has looked"));
}

TEST_F(ClusterWorkerTest, WhoIsToEndAndIsNeededAgainGoesOn) {
  auto first = parts("a");
  slurms["a"]->hang();
  work(std::move(first));
  diary.first(1);
  worker->stop();
  EXPECT_FALSE(worker->ended());
  EXPECT_TRUE(change("b"));
  slurms["a"]->go_on();
  EXPECT_THAT(diary.first(4), ElementsAre("a looks", "a has looked", "b looks", "b has looked"));
  EXPECT_FALSE(worker->ended());
}

TEST_F(ClusterWorkerTest, WhoWasStoppedAfterAChangeEndsAllTheSame) {
  auto first = parts("a");
  slurms["a"]->hang();
  work(std::move(first));
  diary.first(1);
  EXPECT_TRUE(change("b"));
  worker->stop();
  slurms["a"]->go_on();
  EXPECT_THAT(diary.first(3), ElementsAre("a looks", "a has looked", "the end"));
  EXPECT_TRUE(worker->ended());
}

TEST_F(ClusterWorkerTest, AfterItsEndItTakesNothing) {
  work(parts("a"));
  worker->stop();
  while (diary.first(1).back() != "the end") diary.first(diary.entries().size() + 1);
  EXPECT_TRUE(worker->ended());
  auto next = parts("b");
  EXPECT_FALSE(worker->change(next));
  EXPECT_NE(next, nullptr);
}

TEST_F(ClusterWorkerTest, AMemoryThatCannotBeReadIsAFailedTickAndIsReadAgain) {
  auto first = parts("a");
  first->setup.options.policy.interval = milliseconds{1};
  stores["a"]->fail_load_in = 1;
  work(std::move(first));
  const auto entries = diary.first(3);
  EXPECT_EQ(entries[0], "failed at the store");
  EXPECT_EQ(entries[1], "a looks");
}

TEST_F(ClusterWorkerTest, AMemoryThatIsReadIsNotReadAgain) {
  auto first = parts("a");
  first->loaded = true;
  stores["a"]->fail_load_in = 1;
  work(std::move(first));
  EXPECT_THAT(diary.first(2), ElementsAre("a looks", "a has looked"));
}

struct BellTest : testing::Test {
  Bell bell{};
};

TEST_F(BellTest, WhatRangBeforeIsHeard) {
  bell.ring();
  bell.ring();
  bell.wait(milliseconds{0}, {});
  // Both were one: now there is nothing to hear.
  const auto began = std::chrono::steady_clock::now();
  bell.wait(milliseconds{20}, {});
  EXPECT_GE(std::chrono::steady_clock::now() - began, milliseconds{20});
}

TEST_F(BellTest, AStopEndsTheWait) {
  std::stop_source stop;
  std::thread thread([&] { bell.wait(milliseconds{0}, stop.get_token()); });
  stop.request_stop();
  thread.join();
}

}  // namespace
}  // namespace sconverge::test
