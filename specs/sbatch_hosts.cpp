#include "specs/sbatch_hosts.h"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "specs/utf8.h"

namespace sconverge {
namespace {

constexpr std::size_t kMaxHosts = std::size_t{64} * 1024;
constexpr std::size_t kMaxName = 255;
constexpr std::size_t kMaxBrackets = 8;

// One run of hosts, `01-03`: numbers of at least `width` digits.
struct Range {
  std::int64_t first{0};
  std::int64_t last{0};
  std::size_t width{0};
};

bool read_range(std::string_view text, Range& range) {
  const std::size_t dash = std::min(text.find('-'), text.size());
  const auto number = [](std::string_view digits) {
    const bool good = !digits.empty() && digits.size() <= 18 &&
                      digits.find_first_not_of("0123456789") == std::string_view::npos;
    return good ? leading_number(digits).value : -1;
  };
  range.width = dash;
  range.first = number(text.substr(0, dash));
  range.last = dash == text.size() ? range.first : number(text.substr(dash + 1));
  return range.first >= 0 && range.last >= range.first &&
         range.last - range.first < static_cast<std::int64_t>(kMaxHosts);
}

// Adds the names `prefix` + number + each of the ways to write `rest` to `out`; false if the text
// is bad or there are too many of them.
class Expansion {
 public:
  explicit Expansion(std::set<std::string, std::less<>>& out) : out_(out) {}

  bool add(const std::string& prefix, std::string_view rest, std::size_t depth) {
    if (prefix.size() > kMaxName || depth > kMaxBrackets) return false;
    const std::size_t open = rest.find('[');
    if (open == std::string_view::npos) return add_host(prefix + std::string(rest));
    const std::size_t close = rest.find(']', open);
    if (close == std::string_view::npos || open > kMaxName) return false;
    const std::string start = prefix + std::string(rest.substr(0, open));
    std::string_view ranges = rest.substr(open + 1, close - open - 1);
    while (true) {
      const std::size_t comma = std::min(ranges.find(','), ranges.size());
      Range range;
      if (!read_range(ranges.substr(0, comma), range)) return false;
      if (!add_range(start, range, rest.substr(close + 1), depth)) return false;
      if (comma == ranges.size()) return true;
      ranges.remove_prefix(comma + 1);
    }
  }

  /// Names so far, repetitions counted.
  [[nodiscard]] std::int64_t written() const { return static_cast<std::int64_t>(written_); }

 private:
  bool add_range(const std::string& start, const Range& range, std::string_view rest,
                 std::size_t depth) {
    for (std::int64_t i = range.first; i <= range.last; ++i) {
      std::string number = std::to_string(i);
      if (number.size() < range.width) number.insert(0, range.width - number.size(), '0');
      if (!add(start + number, rest, depth + 1)) return false;
    }
    return true;
  }

  // Counts every name, also one that is there already: the work is bounded, too.
  bool add_host(std::string name) {
    if (name.empty() || name.size() > kMaxName || ++written_ > kMaxHosts) return false;
    out_.insert(std::move(name));
    return true;
  }

  std::set<std::string, std::less<>>& out_;
  std::size_t written_{0};
};

// Parts the list at commas (and blanks, which Slurm also takes) that are not within brackets.
std::vector<std::string> list_parts(std::string_view text) {
  std::vector<std::string> parts;
  std::string part;
  bool within = false;
  for (const char c : text) {
    within = c == '[' || (within && c != ']');
    if (!within && (c == ',' || c == ' ' || c == '\t' || c == '\n')) {
      if (!part.empty()) parts.push_back(std::exchange(part, {}));
    } else {
      part += c;
    }
  }
  if (!part.empty()) parts.push_back(std::move(part));
  return parts;
}

// `gpu08` taken apart. Without a number at its end, or with brackets, a name stands alone.
struct NumberedHost {
  std::string_view prefix{};
  std::string_view digits{};

  explicit NumberedHost(std::string_view name) {
    const std::size_t last = name.find_last_not_of("0123456789");
    prefix = name.substr(0, last == std::string_view::npos ? 0 : last + 1);
    digits = name.substr(prefix.size());
    if (name.find_first_of("[]{}") != std::string_view::npos || digits.size() > 9) digits = {};
  }

  [[nodiscard]] bool is_alike(const NumberedHost& other) const {
    return !digits.empty() && prefix == other.prefix && digits.size() == other.digits.size();
  }
  [[nodiscard]] bool is_followed_by(const NumberedHost& next) const {
    return is_alike(next) &&
           std::stol(std::string(digits)) + 1 == std::stol(std::string(next.digits));
  }
};

// "1-2,4" of neighbours that are alike.
std::string ranges_of(std::span<const NumberedHost> hosts) {
  std::string text;
  for (std::size_t first = 0; first < hosts.size();) {
    std::size_t last = first;
    while (last + 1 < hosts.size() && hosts[last].is_followed_by(hosts[last + 1])) ++last;
    text += (text.empty() ? "" : ",") + std::string(hosts[first].digits);
    if (last > first) text += "-" + std::string(hosts[last].digits);
    first = last + 1;
  }
  return text;
}

}  // namespace

SbatchValue<SbatchHosts> sbatch_hosts(std::string_view text) {
  if (text.find('/') != std::string_view::npos) {
    return refused<SbatchHosts>(in_quotes(text) + " is a file of names on the machine that submits",
                                "name the nodes themselves, e.g. n[1-4]");
  }
  SbatchHosts hosts{.names = list_parts(text)};
  if (hosts.names.empty()) {
    return refused<SbatchHosts>("names no node", "write e.g. n[1-4], or remove the option");
  }
  std::set<std::string, std::less<>> names;
  Expansion expansion(names);
  // A node set's function, e.g. switchwith{n1}: only the cluster can count those.
  if (text.find('{') != std::string_view::npos) return taken(std::move(hosts));
  for (const std::string& part : hosts.names) {
    if (expansion.add({}, part, 0)) continue;
    return refused<SbatchHosts>(in_quotes(part) + " is no list of at most 65536 nodes",
                                "write e.g. n1,n[2-4,7]");
  }
  hosts.count = static_cast<std::int64_t>(names.size());
  hosts.places = expansion.written();
  return taken(std::move(hosts));
}

std::vector<std::string> ranged_hosts(const std::vector<std::string>& names) {
  std::vector<NumberedHost> hosts;
  hosts.reserve(names.size());
  for (const std::string& name : names) hosts.emplace_back(name);
  std::vector<std::string> ranged;
  for (std::size_t first = 0; first < hosts.size();) {
    std::size_t end = first + 1;
    while (end < hosts.size() && hosts[first].is_alike(hosts[end])) ++end;
    const std::span<const NumberedHost> alike(hosts.data() + first, end - first);
    ranged.push_back(alike.size() == 1
                         ? names[first]
                         : std::string(hosts[first].prefix) + "[" + ranges_of(alike) + "]");
    first = end;
  }
  return ranged;
}

std::optional<std::set<std::string, std::less<>>> host_names(std::string_view text) {
  std::set<std::string, std::less<>> names;
  Expansion expansion(names);
  if (text.find_first_of("/{") != std::string_view::npos) return std::nullopt;
  for (const std::string& part : list_parts(text)) {
    if (!expansion.add({}, part, 0)) return std::nullopt;
  }
  return names;
}

}  // namespace sconverge
