#pragma once

#include "controller/ports/clock.h"

namespace sconverge {

/// The machine's wall clock. Threads: any.
class SystemClock : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override {
    return std::chrono::floor<milliseconds>(std::chrono::system_clock::now());
  }
};

}  // namespace sconverge
