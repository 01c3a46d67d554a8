#include "specs/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <vector>

#include "specs/utf8.h"

namespace sconverge {
namespace {

// Above every field's own limit, and small enough that sums and products below cannot overflow.
constexpr std::int64_t kHuge = 1'000'000'000'000;

constexpr std::string_view kDurationForms =
    "write e.g. 90m, 2h, 1d12h, 1-12:00:00, a number of minutes, or UNLIMITED";
constexpr std::string_view kSecondsForms =
    "write e.g. 45s, 10m, 2h, 1-12:00:00, or a number of seconds";
constexpr std::string_view kSizeForms = "write e.g. 500M, 64G, 1T, or a number of MiB";
constexpr std::string_view kTimeForms = "write UNIX seconds, or e.g. 2027-01-31T08:00:00Z";
constexpr std::string_view kNodeForms = "write e.g. 2, 2-4, \"1,2,4\" or \"1-15:4\"";

Converted wrong(std::string what, std::string_view remedy) {
  return {.value = {}, .what = std::move(what), .remedy = std::string(remedy)};
}

Converted right(FieldValue value) { return {.value = std::move(value)}; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

// Digits only; what is above kHuge becomes kHuge + 1.
std::optional<std::int64_t> count_from(std::string_view digits) {
  if (!all_digits(digits)) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : digits) value = std::min(value * 10 + (c - '0'), kHuge + 1);
  return value;
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  for (std::size_t at = text.find(separator); at != text.npos; at = text.find(separator, start)) {
    parts.push_back(text.substr(start, at - start));
    start = at + 1;
  }
  parts.push_back(text.substr(start));
  return parts;
}

// `1d12h`: each unit at most once, largest first.
std::optional<std::int64_t> friendly_seconds(std::string_view text) {
  struct Unit {
    char letter;
    std::int64_t seconds;
  };
  constexpr std::array<Unit, 4> units{{{'d', 86400}, {'h', 3600}, {'m', 60}, {'s', 1}}};
  std::int64_t total = 0;
  auto unit = units.begin();
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    const auto digits = static_cast<std::size_t>(
        std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
    const auto count = count_from(text.substr(0, digits));
    if (!count || digits == text.size()) return std::nullopt;
    unit = std::find_if(unit, units.end(), [&](const Unit& u) { return u.letter == text[digits]; });
    if (unit == units.end()) return std::nullopt;
    total += *count * unit->seconds;
    ++unit;
    text.remove_prefix(digits + 1);
  }
  return total;
}

// `M:S`, `H:M:S`, `D-H`, `D-H:M`, `D-H:M:S`, as sbatch reads them.
std::optional<std::int64_t> slurm_seconds(std::string_view text) {
  std::int64_t days = 0;
  const std::size_t dash = text.find('-');
  const bool has_days = dash != text.npos;
  if (has_days) {
    const auto count = count_from(text.substr(0, dash));
    if (!count) return std::nullopt;
    days = *count;
    text.remove_prefix(dash + 1);
  }
  std::array<std::int64_t, 3> parts{};
  const auto pieces = split(text, ':');
  if (pieces.size() > parts.size() || (!has_days && pieces.size() < 2)) return std::nullopt;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto count = count_from(pieces[i]);
    if (!count) return std::nullopt;
    parts[i] = *count;
  }
  if (!has_days && pieces.size() == 2) parts = {0, parts[0], parts[1]};
  return days * 86400 + parts[0] * 3600 + parts[1] * 60 + parts[2];
}

// Seconds of any form but a plain number.
std::optional<std::int64_t> duration_from(std::string_view text) {
  const bool slurm = text.find_first_of(":-") != text.npos;
  return slurm ? slurm_seconds(text) : friendly_seconds(text);
}

bool is_unlimited(std::string_view text) {
  const std::string word = upper(text);
  return word == "UNLIMITED" || word == "INFINITE";
}

// A node count's number: digits, with k or m for 1024 and 1024 * 1024.
std::optional<std::int64_t> nodes_from(std::string_view text) {
  std::int64_t factor = 1;
  if (!text.empty() && !is_digit(text.back())) {
    const char suffix = text.back();
    factor = suffix == 'k' || suffix == 'K' ? 1024 : suffix == 'm' || suffix == 'M' ? 1048576 : 0;
    text.remove_suffix(1);
  }
  const auto count = count_from(text);
  if (!count || factor == 0) return std::nullopt;
  const std::int64_t nodes = *count * factor;
  constexpr std::int64_t max_nodes = 0xFFFFFFFDLL;
  return nodes >= 1 && nodes <= max_nodes ? std::optional(nodes) : std::nullopt;
}

// Seconds east of UTC of `Z`, `+hh:mm` or `-hh:mm`.
std::optional<std::int64_t> zone_from(std::string_view text) {
  if (text == "Z" || text == "z") return 0;
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return std::nullopt;
  const auto hours = count_from(text.substr(1, 2));
  const auto minutes = count_from(text.substr(4, 2));
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  const std::int64_t seconds = *hours * 3600 + *minutes * 60;
  return text[0] == '-' ? -seconds : seconds;
}

std::optional<std::int64_t> rfc3339_seconds(std::string_view text) {
  constexpr std::string_view shape = "dddd-dd-ddTdd:dd:dd";
  if (text.size() <= shape.size()) return std::nullopt;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool fits = shape[i] == 'd'   ? is_digit(text[i])
                      : shape[i] == 'T' ? text[i] == 'T' || text[i] == 't' || text[i] == ' '
                                        : text[i] == shape[i];
    if (!fits) return std::nullopt;
  }
  const auto part = [&](std::size_t at, std::size_t length) {
    return count_from(text.substr(at, length)).value_or(0);
  };
  const std::chrono::year_month_day date{std::chrono::year{static_cast<int>(part(0, 4))},
                                         std::chrono::month{static_cast<unsigned>(part(5, 2))},
                                         std::chrono::day{static_cast<unsigned>(part(8, 2))}};
  const auto zone = zone_from(text.substr(shape.size()));
  if (!date.ok() || !zone || part(11, 2) > 23 || part(14, 2) > 59 || part(17, 2) > 59) {
    return std::nullopt;
  }
  const std::int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
  return days * 86400 + part(11, 2) * 3600 + part(14, 2) * 60 + part(17, 2) - *zone;
}

}  // namespace

std::optional<std::int64_t> integer_from(std::string_view text) {
  const std::string_view digits = text.substr(!text.empty() && text[0] == '-' ? 1 : 0);
  if (!all_digits(digits) || (digits.size() > 1 && digits[0] == '0')) return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Converted minutes_from(std::string_view text) {
  if (is_unlimited(text)) return right(Unlimited{});
  if (text.starts_with('-')) {
    return wrong(in_quotes(text) + " is negative", "write UNLIMITED for no limit");
  }
  std::optional<std::int64_t> minutes = count_from(text);
  if (!minutes) {
    const auto seconds = duration_from(text);
    if (!seconds) return wrong(in_quotes(text) + " is not a duration", kDurationForms);
    minutes = (*seconds + 59) / 60;
  }
  if (*minutes == 0) {
    return wrong("zero means unlimited to Slurm", "write UNLIMITED, or at least 1m");
  }
  return right(*minutes);
}

Converted seconds_from(std::string_view text) {
  auto seconds = count_from(text);
  if (!seconds) seconds = duration_from(text);
  if (!seconds) return wrong(in_quotes(text) + " is not a duration", kSecondsForms);
  return right(*seconds);
}

Converted mebibytes_from(std::string_view text) {
  const auto digits =
      static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
  std::string unit = upper(text.substr(digits));
  const auto count = count_from(text.substr(0, digits));
  if (count && unit.starts_with('.')) {
    return wrong(in_quotes(text) + " is a fraction",
                 "write a whole number of a smaller unit, e.g. 1536M for 1.5G");
  }
  if (unit.size() == 2 && unit[1] == 'B') unit.pop_back();
  if (unit.size() == 3 && unit.ends_with("IB")) unit.resize(1);
  if (!count || unit.size() > 1) return wrong(in_quotes(text) + " is not a size", kSizeForms);
  switch (unit.empty() ? 'M' : unit[0]) {
    case 'K':
      return right((*count + 1023) / 1024);
    case 'M':
      return right(*count);
    case 'G':
      return right(*count * 1024);
    case 'T':
      return right(*count * 1024 * 1024);
    default:
      return wrong(in_quotes(text) + " is not a size", kSizeForms);
  }
}

Converted timestamp_from(std::string_view text) {
  auto seconds = count_from(text);
  if (!seconds) seconds = rfc3339_seconds(text);
  if (!seconds) return wrong(in_quotes(text) + " is not a point in time", kTimeForms);
  return right(*seconds);
}

Converted node_count_from(std::string_view text) {
  const auto not_a_count = [&] {
    return wrong(in_quotes(text) + " is not a node count", kNodeForms);
  };
  // A list or a step, which Slurm takes as it is.
  if (text.find_first_of(",:") != text.npos) {
    if (text.size() > 4096) return not_a_count();
    for (const std::string_view part : split(text, ',')) {
      const auto step = split(part, ':');
      const auto ends = split(step[0], '-');
      const bool good = step.size() <= 2 && ends.size() <= 2 &&
                        std::all_of(ends.begin(), ends.end(), nodes_from) &&
                        (step.size() == 1 || (ends.size() == 2 && nodes_from(step[1])));
      if (!good) return not_a_count();
    }
    return right(std::string(text));
  }
  const auto ends = split(text, '-');
  const auto least = nodes_from(ends[0]);
  const auto most = ends.size() > 1 ? nodes_from(ends[1]) : least;
  if (ends.size() > 2 || !least || !most) return not_a_count();
  if (*most < *least) {
    return wrong(in_quotes(text) + " has its smaller number last",
                 "write " + std::to_string(*most) + "-" + std::to_string(*least));
  }
  std::string shortest = std::to_string(*least);
  if (*most != *least) shortest += "-" + std::to_string(*most);
  return right(std::move(shortest));
}

}  // namespace sconverge
