#pragma once

#include <atomic>

#include "controller/ports/clock.h"

namespace sconverge::test {

/// Noon of a day without meaning; the time at which fakes begin.
inline constexpr TimePoint kNoon{std::chrono::sys_days{std::chrono::year{2026} / 3 / 14} +
                                 std::chrono::hours{12}};

/// A clock that moves only when told. Threads: any.
class FakeClock : public Clock {
 public:
  explicit FakeClock(TimePoint start = kNoon) : world_(start) {}

  [[nodiscard]] TimePoint now() const override { return world_.load() + step_.load(); }

  /// Time passes, for us and for everybody else.
  void advance(milliseconds duration) { world_.store(world_.load() + duration); }

  /// Our clock is set forward or back; no time passes, and nobody else's clock changes.
  void step(milliseconds change) { step_.store(step_.load() + change); }

  /// Everybody else's time. Slurm lives in it.
  [[nodiscard]] TimePoint world() const { return world_.load(); }

 private:
  std::atomic<TimePoint> world_;
  std::atomic<milliseconds> step_{milliseconds{0}};
};

}  // namespace sconverge::test
