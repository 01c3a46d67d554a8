#include "specs/index_set.h"

#include <algorithm>
#include <charconv>
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

// Slurm: MaxArraySize is at most 4000001.
constexpr std::uint32_t kHighest = 4000000;

/// The number that `text` begins with, taken from it.
std::optional<std::uint32_t> take_index(std::string_view& text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value > kHighest) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

/// `first`, `first-last` or `first-last:step`, taken from `text`.
bool take_part(std::string_view& text, std::vector<Range>& ranges) {
  const auto first = take_index(text);
  auto last = first;
  std::optional<std::uint32_t> step = 1;
  if (first && take(text, '-')) {
    last = take_index(text);
    if (last && take(text, ':')) step = take_index(text);
  }
  if (!first || !last || !step || *last < *first || *step == 0) return false;
  if (*step == 1) {
    ranges.push_back({*first, *last});
    return true;
  }
  // Indexes named twice are no reason to count for ever.
  if (ranges.size() + (*last - *first) / *step > kHighest) return false;
  for (std::uint32_t index = *first; index <= *last; index += *step)
    ranges.push_back({index, index});
  return true;
}

}  // namespace

std::optional<IndexSet> index_set_from(std::string_view text) {
  std::vector<Range> ranges;
  while (!text.empty()) {
    if (!take_part(text, ranges)) return std::nullopt;
    if (!text.empty() && (!take(text, ',') || text.empty())) return std::nullopt;
  }
  return IndexSet::of(std::move(ranges));
}

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
