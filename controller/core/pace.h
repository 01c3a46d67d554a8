#pragma once

#include <vector>

#include "controller/core/time.h"

namespace sconverge {

/// How many requests may be in flight at once, and how many are sent before anything else gets its
/// turn: few at first, twice as many each time that all went well, half as many when answers take
/// much longer than they did at best, and one when Slurm had no answer. One thread.
class Pace {
 public:
  /// `most`: in flight at once, at least 1.
  explicit Pace(int most);

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] std::size_t batch() const;

  /// A batch is over: how long its requests took. `refused`: some for want of Slurm, not of their
  /// own; then nothing more should be sent for now.
  void record(std::vector<milliseconds> took, bool refused);

 private:
  int most_;
  int width_{1};
  milliseconds best_;
};

}  // namespace sconverge
