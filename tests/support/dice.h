#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace sconverge::test {

/// Chance from a seed; the same on every machine.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}

  bool chance(double rate) {
    return rate > 0 && static_cast<double>(random_() >> 11U) * 0x1.0p-53 < rate;
  }

  /// Both ends included. REQUIRES: low <= high.
  int between(int low, int high) {
    const auto width = static_cast<std::uint64_t>(high - low) + 1;
    return low + static_cast<int>(random_() % width);
  }

  template <typename T>
  const T& one_of(const std::vector<T>& values) {
    return values[static_cast<std::size_t>(between(0, static_cast<int>(values.size()) - 1))];
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace sconverge::test
