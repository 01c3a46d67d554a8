// One line per change: an hour in which nothing changes has no line, whatever state the world is
// in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/app/loop.h"
#include "controller/app/reconciler.h"
#include "controller/app/report_log.h"
#include "tests/support/builders.h"
#include "tests/support/fake_slurm.h"
#include "tests/support/fake_spec_source.h"
#include "tests/support/fake_store.h"
#include "tests/support/matchers.h"

namespace sconverge::test {
namespace {

using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr std::chrono::hours kHour{1};
constexpr int kDay = 1440;  // minutes
constexpr std::chrono::minutes kToSettle{10};

/// A wait in which time passes.
class PassingSource : public FakeSpecSource {
 public:
  explicit PassingSource(FakeClock& clock) : clock_(clock) {}
  bool wait(milliseconds timeout, const std::stop_token& stop) override {
    const bool changed = FakeSpecSource::wait(timeout, stop);
    if (!changed) clock_.advance(timeout);
    return changed;
  }

 private:
  FakeClock& clock_;
};

/// A controller that runs among fakes, in their time.
struct IdleHour : testing::Test {
  IdleHour() {
    ReconcilerOptions options{.cluster = "lab", .policy = {.controller_id = kController}};
    options.concurrency = 1;
    reconciler.emplace(options, source, slurm, store, clock);
    EXPECT_THAT(reconciler->load(), Works());
  }

  /// The lines of all ticks within this time.
  std::vector<std::string> lines_of(milliseconds time) {
    std::vector<std::string> lines;
    std::stop_source stop;
    const TimePoint end = clock.now() + time;
    run_loop(*reconciler, source, store, clock, {}, stop.get_token(),
             [&](const TickReport& report) {
               ++ticks;
               last = report;
               for (const auto& line : log.lines(report)) {
                 lines.push_back(to_logfmt(line, clock.now()));
               }
               if (clock.now() >= end) stop.request_stop();
             });
    return lines;
  }
  /// Every kind of spec that can stand still for an hour.
  void declare_all_sorts() {
    source.set(a_spec("runs").time_limit(kDay).script("#!/bin/sh\nsleep 100000\n"));
    source.set(a_spec("done").script("#!/bin/sh\nsleep 1\n"));
    source.set(a_spec("failed").script("#!/bin/sh\nexit 3\n"));
    source.set(a_spec("suspended").suspended());
    source.set(a_spec("refused").partition("nowhere"));
    source.set(a_spec("broken"));
    source.make_invalid(a_name("broken"));
  }
  /// Six jobs whose specs go at once: more than may be cancelled without approval.
  void block_removals() {
    for (int i = 0; i < 6; ++i) {
      source.set(
          a_spec("gone-" + std::to_string(i)).time_limit(kDay).script("#!/bin/sh\nsleep 100000\n"));
    }
    lines_of(kToSettle);
    for (int i = 0; i < 6; ++i) source.remove(a_name("gone-" + std::to_string(i)));
  }
  int count(Phase phase) const {
    return static_cast<int>(
        std::count_if(last.statuses.begin(), last.statuses.end(),
                      [&](const SpecStatus& status) { return status.verdict.phase == phase; }));
  }

  FakeClock clock{};
  PassingSource source{clock};
  FakeSlurm slurm{clock};
  FakeStore store{};
  std::optional<Reconciler> reconciler{};
  ReportLog log{};
  TickReport last{};
  int ticks{0};
};

TEST_F(IdleHour, WithSpecsOfAllSortsHasNoLine) {
  declare_all_sorts();
  block_removals();
  EXPECT_THAT(lines_of(kToSettle), Not(IsEmpty()));
  ticks = 0;
  EXPECT_THAT(lines_of(kHour), IsEmpty());
  EXPECT_GE(ticks, 300);
  EXPECT_EQ(count(Phase::Running), 1);
  EXPECT_EQ(count(Phase::Succeeded), 1);
  EXPECT_EQ(count(Phase::Suspended), 1);
  EXPECT_EQ(count(Phase::Blocked), 6);
  EXPECT_EQ(count(Phase::Invalid), 1);
  EXPECT_GE(count(Phase::Failed), 1);
}

TEST_F(IdleHour, WithSlurmDownHasALineAtItsBeginAndOneAtItsEnd) {
  declare_all_sorts();
  lines_of(kToSettle);
  slurm.set_faults({.observe_fails = 1}, 1);
  EXPECT_THAT(lines_of(seconds{60}), SizeIs(1));
  ticks = 0;
  EXPECT_THAT(lines_of(kHour), IsEmpty());
  EXPECT_GE(ticks, 300);
  slurm.clear_faults();
  EXPECT_THAT(lines_of(seconds{60}), SizeIs(1));
}

TEST_F(IdleHour, WithSlurmDownFromTheStartHasNoLineEither) {
  slurm.set_faults({.observe_fails = 1}, 1);
  declare_all_sorts();
  EXPECT_THAT(lines_of(seconds{60}), Not(IsEmpty()));
  EXPECT_THAT(lines_of(kHour), IsEmpty());
}

TEST_F(IdleHour, WithRefusedCredentialsHasNoLine) {
  declare_all_sorts();
  lines_of(kToSettle);
  slurm.set_denied(true);
  EXPECT_THAT(lines_of(seconds{60}), SizeIs(1));
  EXPECT_THAT(lines_of(kHour), IsEmpty());
}

TEST_F(IdleHour, WithADirectoryThatCannotBeReadHasNoLine) {
  declare_all_sorts();
  lines_of(kToSettle);
  source.make_incomplete("permission denied");
  EXPECT_THAT(lines_of(seconds{60}), Not(IsEmpty()));
  EXPECT_THAT(lines_of(kHour), IsEmpty());
}

TEST_F(IdleHour, WithAMemoryThatCannotBeWrittenHasNoLine) {
  declare_all_sorts();
  lines_of(kToSettle);
  store.fail_every_save = true;
  source.set(a_spec("new"));
  EXPECT_THAT(lines_of(seconds{60}), Not(IsEmpty()));
  EXPECT_THAT(lines_of(kHour), IsEmpty());
}

}  // namespace
}  // namespace sconverge::test
