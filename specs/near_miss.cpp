#include "specs/near_miss.h"

#include <algorithm>
#include <array>
#include <vector>

namespace sconverge {
namespace {

constexpr std::size_t kMaxDistance = 2;

// Edit distance in which two swapped neighbours count once; anything above kMaxDistance may come
// out as kMaxDistance + 1.
std::size_t distance(std::string_view a, std::string_view b) {
  const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > kMaxDistance) return kMaxDistance + 1;
  std::array<std::vector<std::size_t>, 3> rows;
  for (auto& row : rows) row.resize(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    const auto& before = rows[(i + 1) % 3];  // row i - 2
    const auto& above = rows[(i - 1) % 3];
    auto& row = rows[i % 3];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1,
                         above[j - 1] + static_cast<std::size_t>(a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    if (*std::min_element(row.begin(), row.end()) > kMaxDistance) return kMaxDistance + 1;
  }
  return rows[a.size() % 3][b.size()];
}

}  // namespace

std::string_view near_miss(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t best_distance = kMaxDistance + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t found = distance(word, candidate);
    if (found < best_distance && found * 2 < word.size()) {
      best = candidate;
      best_distance = found;
    }
  }
  return best;
}

}  // namespace sconverge
