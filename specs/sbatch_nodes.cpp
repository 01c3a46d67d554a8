#include "specs/sbatch_nodes.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "specs/utf8.h"

namespace sconverge {
namespace {

constexpr std::int64_t kMaxInt = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMaxListed = std::int64_t{64} * 1024;
constexpr std::size_t kMaxText = 4096;
constexpr std::string_view kNodeForms = "write e.g. 4, 2-4, 1,2,4 or 1-15:4";

// One number of a node count; -1 if there is none.
std::int64_t nodes_of(std::string_view text, bool& good) {
  LeadingNumber number = leading_number(text);
  std::int64_t count = number.found ? std::min(number.value, kMaxInt + 1) : -1;
  std::string_view rest = number.rest;
  const auto unit = [&rest](char lower, char upper) {
    const bool has = !rest.empty() && (rest.front() == lower || rest.front() == upper);
    if (has) rest.remove_prefix(1);
    return has;
  };
  if (number.found && unit('k', 'K')) count = std::min(count * 1024, kMaxInt + 1);
  if (number.found && unit('m', 'M')) count = std::min(count * 1048576, kMaxInt + 1);
  good = is_blank(rest);
  return count > kMaxInt || count < 0 ? -1 : count;
}

SbatchValue<SbatchNodes> not_nodes(std::string_view text) {
  return refused<SbatchNodes>(in_quotes(text) + " is not a node count", std::string(kNodeForms));
}

// Up to six digits; anything else is -1.
std::int64_t listed_number(std::string_view text) {
  const LeadingNumber number = leading_number(text);
  const bool plain = number.found && number.rest.empty() && text.front() >= '0' &&
                     text.front() <= '9' && number.value < kMaxListed;
  return plain ? number.value : -1;
}

// Sizes of jobs, 0 to 65535. A range costs two steps, however long it is.
class Sizes {
 public:
  void add(std::int64_t first, std::int64_t last) {
    ++begins_[static_cast<std::size_t>(first)];
    --begins_[static_cast<std::size_t>(last) + 1];
  }

  /// The ranges, in order and not touching each other.
  [[nodiscard]] std::vector<std::pair<std::int64_t, std::int64_t>> ranges() const {
    std::vector<std::pair<std::int64_t, std::int64_t>> out;
    std::int64_t open = 0;
    for (std::size_t i = 0; i < begins_.size(); ++i) {
      const bool was_in = open > 0;
      open += begins_[i];
      const auto size = static_cast<std::int64_t>(i);
      if (open > 0 && !was_in) out.emplace_back(size, size);
      if (open > 0) out.back().second = size;
    }
    return out;
  }

 private:
  std::vector<std::int64_t> begins_ = std::vector<std::int64_t>(kMaxListed + 1);
};

// The sizes of `a`, `a-b` and, as Slurm steps, a, a+step, ... below b of `a-b:step`.
bool add_sizes(std::string_view part, Sizes& sizes) {
  const std::size_t colon = std::min(part.find(':'), part.size());
  const std::string_view range = part.substr(0, colon);
  const std::size_t dash = std::min(range.find('-'), range.size());
  const std::int64_t first = listed_number(range.substr(0, dash));
  const std::int64_t last = dash == range.size() ? first : listed_number(range.substr(dash + 1));
  if (first < 0 || last < first) return false;
  if (colon == part.size()) {
    sizes.add(first, last);
    return true;
  }
  const std::int64_t step = listed_number(part.substr(colon + 1));
  if (step <= 0 || dash == range.size()) return false;
  for (std::int64_t size = first; size < last; size += step) sizes.add(size, size);
  return true;
}

std::string ranges_text(const std::vector<std::pair<std::int64_t, std::int64_t>>& ranges) {
  std::string text;
  for (const auto& [first, last] : ranges) {
    text += (text.empty() ? "" : ",") + std::to_string(first);
    if (last > first) text += "-" + std::to_string(last);
  }
  return text;
}

SbatchValue<SbatchNodes> listed_nodes(std::string_view text) {
  // A step stands alone: Slurm takes none in a list.
  const bool is_step = text.find(':') != std::string_view::npos;
  if (text.size() > kMaxText || (is_step && text.find(',') != std::string_view::npos)) {
    return not_nodes(text);
  }
  Sizes sizes;
  for (const std::string_view part : split_words(text, ",")) {
    if (!add_sizes(part, sizes)) return not_nodes(text);
  }
  const auto ranges = sizes.ranges();
  if (ranges.empty()) return not_nodes(text);
  SbatchNodes nodes{.least = ranges.front().first, .most = ranges.back().second};
  // A list that comes to one range stays as it is: Slurm tells it apart from a plain range.
  nodes.list = ranges.size() > 1 ? ranges_text(ranges) : std::string(text);
  return taken(std::move(nodes));
}

SbatchValue<SbatchNodes> plain_nodes(std::string_view text) {
  const std::size_t dash = text.find('-');
  bool good = false;
  if (dash == std::string_view::npos) {
    const std::int64_t count = nodes_of(text, good);
    if (!good || count < 0) return not_nodes(text);
    return taken(SbatchNodes{.least = count, .most = count});
  }
  bool good_most = false;
  const std::int64_t least = nodes_of(text.substr(0, dash), good);
  const std::int64_t most = nodes_of(text.substr(dash + 1), good_most);
  if (!good || !good_most || most < 0) return not_nodes(text);
  return taken(SbatchNodes{.least = least < 0 ? 1 : least, .most = most});
}

// One of the three numbers of -B; nothing for `*`.
bool layout_number(std::string_view text, std::optional<std::int64_t>& out) {
  if (text.empty() || text.front() == '*') return true;
  bool good = false;
  const std::size_t dash = text.find('-', 1);
  const std::int64_t least = nodes_of(text.substr(0, dash), good);
  if (!good || least < 1) return false;
  if (dash != std::string_view::npos && (nodes_of(text.substr(dash + 1), good) <= 0 || !good)) {
    return false;
  }
  out = least;
  return true;
}

}  // namespace

SbatchValue<SbatchNodes> sbatch_nodes(std::string_view text) {
  auto nodes =
      text.find_first_of(",:") == std::string_view::npos ? plain_nodes(text) : listed_nodes(text);
  if (!nodes.value) return nodes;
  if (nodes.value->least == 0 || nodes.value->most == 0) {
    return refused<SbatchNodes>(
        in_quotes(text) + " asks for no node, which only a job that uses a burst buffer alone may",
        "ask for at least one");
  }
  if (nodes.value->most < nodes.value->least) {
    return refused<SbatchNodes>(
        in_quotes(text) + " has its smaller number last",
        "write " + std::to_string(nodes.value->most) + "-" + std::to_string(nodes.value->least));
  }
  return nodes;
}

std::string sbatch_sizes_up_to(std::string_view list, std::int64_t most) {
  Sizes sizes;
  for (const std::string_view part : split_words(list, ",")) {
    if (!add_sizes(part, sizes)) return {};
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> kept;
  for (const auto& [first, last] : sizes.ranges()) {
    if (first <= most) kept.emplace_back(first, std::min(last, most));
  }
  return ranges_text(kept);
}

SbatchValue<SbatchLayout> sbatch_layout(std::string_view text) {
  SbatchLayout layout;
  std::array<std::optional<std::int64_t>*, 3> numbers{&layout.sockets, &layout.cores,
                                                      &layout.threads};
  bool good = true;
  std::size_t count = 0;
  for (std::string_view rest = text; count < numbers.size(); ++count) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    good = layout_number(rest.substr(0, end), *numbers[count]) && good;
    if (end == rest.size()) {
      rest = {};
      break;
    }
    rest.remove_prefix(end + 1);
  }
  if (!good) {
    return refused<SbatchLayout>(in_quotes(text) + " is no sockets:cores:threads",
                                 "write e.g. 2, 2:8 or 2:8:1, with * for any");
  }
  return taken(layout);
}

}  // namespace sconverge
