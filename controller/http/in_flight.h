#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>

#include "controller/core/time.h"

namespace sconverge {

/// Counts what is being answered. Thread-safe.
class InFlight : public std::enable_shared_from_this<InFlight> {
 public:
  /// Counted as long as it lives; none once `drain` was called.
  using Ticket = std::shared_ptr<const void>;

  /// REQUIRES: this is owned by a shared_ptr.
  Ticket begin();

  /// Lets nothing begin any more, and waits, at most for `patience`, for what has begun. True if
  /// nothing is left.
  bool drain(milliseconds patience);

 private:
  void end();

  std::mutex mutex_{};
  std::condition_variable none_left_{};
  std::size_t count_{0};
  bool draining_{false};
};

}  // namespace sconverge
