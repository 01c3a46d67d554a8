#include "specs/index_set.h"

#include <algorithm>
#include <limits>

namespace sconverge {
namespace {

using Range = IndexSet::Range;

bool is_single(const Range& range) { return range.first == range.last; }

/// How many ranges from `at` on are single indexes at one distance from each other; at least 1.
std::size_t steps_from(const std::vector<Range>& ranges, std::size_t at) {
  if (at + 1 >= ranges.size() || !is_single(ranges[at])) return 1;
  const std::uint32_t step = ranges[at + 1].first - ranges[at].first;
  std::size_t end = at + 1;
  while (end < ranges.size() && is_single(ranges[end]) &&
         ranges[end].first - ranges[end - 1].first == step) {
    ++end;
  }
  return end - at;
}

std::string text_of(const Range& range) {
  std::string text = std::to_string(range.first);
  if (!is_single(range)) text += "-" + std::to_string(range.last);
  return text;
}

}  // namespace

IndexSet IndexSet::of(std::vector<Range> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const Range& a, const Range& b) { return a.first < b.first; });
  IndexSet set;
  for (const Range& range : ranges) {
    const bool touches = !set.ranges_.empty() && (range.first <= set.ranges_.back().last ||
                                                  range.first - set.ranges_.back().last == 1);
    if (touches) {
      set.ranges_.back().last = std::max(set.ranges_.back().last, range.last);
    } else {
      set.ranges_.push_back(range);
    }
  }
  return set;
}

void IndexSet::add(std::uint32_t index) {
  if (ranges_.empty() || ranges_.back().last < index) {
    if (!ranges_.empty() && index - ranges_.back().last == 1) {
      ranges_.back().last = index;
    } else {
      ranges_.push_back({index, index});
    }
  } else if (!contains(index)) {
    std::vector<Range> ranges = std::move(ranges_);
    ranges.push_back({index, index});
    *this = of(std::move(ranges));
  }
}

bool IndexSet::contains(std::uint32_t index) const {
  const auto next = std::upper_bound(
      ranges_.begin(), ranges_.end(), index,
      [](std::uint32_t wanted, const Range& range) { return wanted < range.first; });
  return next != ranges_.begin() && index <= std::prev(next)->last;
}

std::size_t IndexSet::size() const {
  std::size_t count = 0;
  for (const Range& range : ranges_) count += std::size_t{range.last} - range.first + 1;
  return count;
}

IndexSet IndexSet::with(const IndexSet& other) const {
  std::vector<Range> ranges = ranges_;
  ranges.insert(ranges.end(), other.ranges_.begin(), other.ranges_.end());
  return of(std::move(ranges));
}

IndexSet IndexSet::without(const IndexSet& other) const {
  IndexSet rest;
  auto hole = other.ranges_.begin();
  for (const Range& range : ranges_) {
    std::uint64_t first = range.first;  // wider than an index, so that the last one has a next
    while (hole != other.ranges_.end() && hole->last < first) ++hole;
    for (auto at = hole; at != other.ranges_.end() && at->first <= range.last; ++at) {
      if (first < at->first) {
        rest.ranges_.push_back({static_cast<std::uint32_t>(first), at->first - 1});
      }
      first = std::uint64_t{at->last} + 1;
      hole = at;  // it may reach into the next range, too
    }
    if (first <= range.last) {
      rest.ranges_.push_back({static_cast<std::uint32_t>(first), range.last});
    }
  }
  return rest;
}

std::string to_text(const IndexSet& indexes, std::size_t limit) {
  constexpr std::string_view cut = "...";
  const std::vector<Range>& ranges = indexes.ranges();
  std::string text;
  for (std::size_t at = 0; at < ranges.size();) {
    const std::size_t steps = steps_from(ranges, at);
    std::string part = text_of(ranges[at]);
    if (steps > 2) {
      const Range& last = ranges[at + steps - 1];
      part += "-" + std::to_string(last.first) + ":" +
              std::to_string(ranges[at + 1].first - ranges[at].first);
    }
    at += steps > 2 ? steps : 1;
    if (!text.empty()) part.insert(0, ",");
    const std::size_t room = at < ranges.size() ? cut.size() : 0;
    if (text.size() + part.size() + room > limit) {
      return text + std::string(text.empty() ? "" : ",") + std::string(cut);
    }
    text += part;
  }
  return text;
}

}  // namespace sconverge
