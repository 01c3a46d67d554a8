#include "controller/core/pace.h"

#include <algorithm>

namespace sconverge {
namespace {

// Each batch costs one write to the disk, of 5 to 30 ms; a submit takes about 4 ms.
constexpr std::size_t kRequestsEach = 32;

// On two cores, four requests at once take twice as long as one alone (measured on 24.11).
constexpr int kMuchLonger = 4;
constexpr milliseconds kNoise{50};

}  // namespace

Pace::Pace(int most) : most_(std::max(most, 1)), best_(milliseconds::max()) {}

std::size_t Pace::batch() const { return kRequestsEach * static_cast<std::size_t>(width_); }

void Pace::record(std::vector<milliseconds> took, bool refused) {
  if (refused) {
    width_ = 1;
    return;
  }
  if (took.empty()) return;
  const auto middle = took.begin() + static_cast<std::ptrdiff_t>(took.size() / 2);
  std::nth_element(took.begin(), middle, took.end());
  best_ = std::min(best_, *middle);
  const bool slow = *middle > best_ * kMuchLonger + kNoise;
  width_ = slow ? std::max(1, width_ / 2) : std::min(most_, width_ * 2);
}

}  // namespace sconverge
