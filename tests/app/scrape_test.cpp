// A scrape and a tick never wait for each other, and a scrape asks Slurm for nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "controller/app/bell.h"
#include "controller/app/cluster_worker.h"
#include "controller/app/system_clock.h"
#include "controller/slurm/rest_client.h"
#include "metrics/metrics.h"
#include "tests/support/builders.h"
#include "tests/support/fake_spec_source.h"
#include "tests/support/fake_store.h"

namespace sconverge::test {
namespace {

using testing::HasSubstr;

/// Only a bound: nothing waits for longer than it must.
constexpr seconds kPatience{60};

/// Counts, and lets others wait for a number.
class Tally {
 public:
  void add() {
    const std::lock_guard lock(mutex_);
    ++count_;
    added_.notify_all();
  }
  bool reaches(int count) {
    std::unique_lock lock(mutex_);
    return added_.wait_for(lock, kPatience, [&] { return count_ >= count; });
  }
  int count() {
    const std::lock_guard lock(mutex_);
    return count_;
  }

 private:
  std::mutex mutex_{};
  std::condition_variable added_{};
  int count_{0};
};

/// A way to Slurm on which nothing comes back before it is let go, and then an error.
class HeldTransport : public Transport {
 public:
  HeldTransport(Tally& asked, std::atomic<bool>& held) : asked_(asked), held_(held) {}

  Result<AnswerHead> exchange(const SlurmCall&, const BodyReader&) override {
    asked_.add();
    held_.wait(true);
    return Error{ErrorKind::Unavailable, "nobody listens there"};
  }
  bool renew_credentials(unsigned) override { return false; }
  std::optional<TimePoint> credentials_expiry() const override { return {}; }
  std::string credentials_text() const override { return "none"; }
  std::string endpoint() const override { return "http://held"; }
  std::string user() const override { return "alice"; }

 private:
  Tally& asked_;
  std::atomic<bool>& held_;
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

// A worker whose first tick waits for Slurm's answer.
struct ScrapeTest : testing::Test {
  ScrapeTest() {
    auto parts = std::make_unique<ClusterRuntime>();
    parts->setup.cluster.name = "lab";
    parts->setup.options = {.cluster = "lab", .policy = {.controller_id = kController}};
    parts->setup.options.policy.interval = std::chrono::hours{1};
    parts->slurm = make_rest_client(
        with_heartbeat(std::make_unique<HeldTransport>(asked, held), *parts->heartbeat, clock), {});
    parts->source = std::make_unique<QuietSource>();
    parts->store = std::make_unique<FakeStore>();
    parts->reconciler = std::make_unique<Reconciler>(parts->setup.options, *parts->source,
                                                     *parts->slurm, *parts->store, clock);
    metrics.add_cluster("lab");
    worker.emplace(std::move(parts), clock,
                   ClusterWorker::Events{[this](ClusterRuntime&, const TickReport& report) {
                                           metrics.record(report);
                                           recorded.add();
                                         },
                                         [] {}});
  }
  ~ScrapeTest() override { let_go(); }

  void let_go() {
    held = false;
    held.notify_all();
  }

  ClusterActivities now() { return {{"lab", worker->heartbeat()->activity()}}; }

  SystemClock clock{};
  Metrics metrics{BuildInfo{"1.2.3", "abc", "g++ 12"}};
  Tally asked{};
  Tally recorded{};
  std::atomic<bool> held{true};
  std::optional<ClusterWorker> worker{};
};

TEST_F(ScrapeTest, DuringATickItWaitsForNothingAndTellsThatItGoesOn) {
  ASSERT_TRUE(asked.reaches(1));
  for (int i = 0; i < 20; ++i) {
    const std::string text = metrics.exposition(now());
    EXPECT_THAT(text, HasSubstr("sconverge_active_workers{cluster=\"lab\"} 1\n"));
    EXPECT_THAT(text, HasSubstr("sconverge_slurm_requests_in_flight{cluster=\"lab\"} 1\n"));
  }
  EXPECT_EQ(asked.count(), 1);
  EXPECT_EQ(recorded.count(), 0);
  let_go();
  ASSERT_TRUE(recorded.reaches(1));
  const std::string text = metrics.exposition(now());
  EXPECT_THAT(text, HasSubstr("sconverge_active_workers{cluster=\"lab\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("sconverge_slurm_requests_in_flight{cluster=\"lab\"} 0\n"));
  EXPECT_EQ(asked.count(), 1);
}

TEST_F(ScrapeTest, WhileItIsWrittenOutATickGoesThrough) {
  ASSERT_TRUE(asked.reaches(1));
  Collected scrape = metrics.collect(now());
  let_go();
  ASSERT_TRUE(recorded.reaches(1));
  const std::string before = "sconverge_reconciles_total{cluster=\"lab\",result=\"error\"} ";
  EXPECT_THAT(std::move(scrape).text(), HasSubstr(before + "0\n"));
  EXPECT_THAT(metrics.exposition(), HasSubstr(before + "1\n"));
}

}  // namespace
}  // namespace sconverge::test
