#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <utility>

#include "controller/core/time.h"

namespace sconverge {

/// Wakes the one thread that waits for it. What rings while nobody waits is heard by the next wait.
/// Any thread may ring, before anybody waits, too.
class Bell {
 public:
  void ring() {
    const std::lock_guard lock(mutex_);
    rung_ = true;
    heard_.notify_all();
  }

  /// Until it rings, `stop` is asked for, or `patience` is over (0: without end).
  void wait(milliseconds patience, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    const auto rung = [&] { return rung_; };
    if (patience == milliseconds{0}) {
      heard_.wait(lock, stop, rung);
    } else {
      heard_.wait_for(lock, stop, patience, rung);
    }
    rung_ = false;
  }

 private:
  std::mutex mutex_{};
  std::condition_variable_any heard_{};
  bool rung_{false};
};

}  // namespace sconverge
