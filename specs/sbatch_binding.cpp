#include "specs/sbatch_binding.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "specs/utf8.h"

namespace sconverge {
namespace {

constexpr std::string_view kDistributionForms =
    "write e.g. block, cyclic, block:cyclic, plane=4 or arbitrary, and pack or nopack behind a "
    "comma";
constexpr std::string_view kMemoryForms =
    "write local, none, rank, map_mem:0,1, mask_mem:0x1, and prefer, sort or verbose";
constexpr std::size_t kMaxMap = std::size_t{64} * 1024;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

bool is_level(std::string_view word) {
  return word == "block" || word == "cyclic" || word == "fcyclic";
}

// `block:*:*` and the like with the stars replaced; empty if it is none of Slurm's.
std::string distribution_base(std::string_view text) {
  const auto levels = split_words(text, ":");
  if (levels.empty() || levels.size() > 3) return {};
  std::string first = lower_case(levels[0]);
  if (levels.size() == 1 && first == "hostfile") first = "arbitrary";
  if (levels.size() == 1 && first == "arbitrary") return first;
  if (first == "*") first = "block";
  if (first != "block" && first != "cyclic") return {};
  std::string base = first;
  std::string sockets = "cyclic";
  for (std::size_t i = 1; i < levels.size(); ++i) {
    std::string level = lower_case(levels[i]);
    if (level == "*") level = sockets;
    if (!is_level(level)) return {};
    if (i == 1) sockets = level;
    base += ":" + level;
  }
  return base;
}

SbatchValue<SbatchDistribution> plane_distribution(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals != std::string_view::npos) {
    const LeadingNumber size = leading_number(text.substr(equals + 1));
    constexpr std::int64_t most = 0xFFFF - 2;
    if (size.found && size.rest.empty() && size.value > 0 && size.value <= most) {
      return taken(SbatchDistribution{.base = "plane", .plane_size = size.value});
    }
  }
  return refused<SbatchDistribution>(in_quotes(text) + " does not say the size of the planes",
                                     "write e.g. plane=4");
}

// Whether what follows a comma belongs to the list of numbers in front of it.
bool is_value(std::string_view text) {
  if (!text.empty() && is_digit(text.front())) return true;
  const std::size_t end = text.find_first_not_of("0123456789abcdefABCDEF");
  return end == std::string_view::npos || text[end] == ',';
}

// The parts of --mem-bind: commas part them, but for those within a list of numbers. Each comma
// looks ahead to the next one at most.
std::vector<std::string_view> memory_words(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ';' && (text[i] != ',' || is_value(text.substr(i + 1)))) continue;
    words.push_back(text.substr(start, i - start));
    start = i + 1;
  }
  words.push_back(text.substr(start));
  return words;
}

// The list of `map_mem:0,1*3`, written out; nothing if it is none or too long.
std::optional<std::string> written_out(std::string_view word, bool mask) {
  const std::size_t colon = word.find_first_of(":=");
  if (colon == std::string_view::npos) return std::nullopt;
  word.remove_prefix(colon + 1);
  word = word.substr(0, word.find_first_of(":="));
  std::string list;
  for (std::string_view number : split_words(word, ",")) {
    if (mask && number.starts_with("0x")) number.remove_prefix(2);
    const std::size_t star = std::min(number.find('*'), number.size());
    std::int64_t times = 1;
    if (star < number.size()) {
      const LeadingNumber count = leading_number(number.substr(star + 1));
      if (!is_digit(number.back()) || !is_digit(number[star + 1]) || !count.rest.empty()) {
        return std::nullopt;
      }
      times = count.value;
    }
    number = number.substr(0, star);
    if (number.empty() || times < 1 || times > static_cast<std::int64_t>(kMaxMap) ||
        !std::all_of(number.begin(), number.end(), mask ? is_hex : is_digit)) {
      return std::nullopt;
    }
    for (; times > 0 && list.size() <= kMaxMap; --times) {
      list += (list.empty() ? "" : ",") + std::string(number);
    }
  }
  if (list.empty() || list.size() > kMaxMap) return std::nullopt;
  return list;
}

// Sets what one word of --mem-bind says; false if it is none.
bool bind_memory(std::string_view word, SbatchMemoryBinding& binding) {
  const auto is = [word](std::string_view a, std::string_view b) {
    return is_same_word(word, a) || is_same_word(word, b);
  };
  const auto flag = [](bool& where, bool value) {
    where = value;
    return true;
  };
  const auto kind = [&binding](std::string_view type, std::string map) {
    binding.type = type;
    binding.map = std::move(map);
    return true;
  };
  if (is("p", "prefer")) return flag(binding.prefer, true);
  if (is("sort", "sort")) return flag(binding.sort, true);
  if (is("nosort", "nosort")) return flag(binding.sort, false);
  if (is("v", "verbose")) return flag(binding.verbose, true);
  if (is("q", "quiet")) return flag(binding.verbose, false);
  if (is("no", "none")) return kind("NONE", {});
  if (is("rank", "rank")) return kind("RANK", {});
  if (is("local", "local")) return kind("LOCAL", {});
  const bool map = begins_with_word(word, "map_mem") || begins_with_word(word, "mapmem");
  const bool mask = begins_with_word(word, "mask_mem") || begins_with_word(word, "maskmem");
  if (!map && !mask) return false;
  auto list = written_out(word, mask);
  return list && kind(map ? "MAP" : "MASK", std::move(*list));
}

bool is_number_list(std::string_view text, bool hex) {
  for (std::string_view number : split_words(text, ",")) {
    if (hex && number.starts_with("0x")) number.remove_prefix(2);
    const std::size_t star = std::min(number.find('*'), number.size());
    const std::string_view times = number.substr(std::min(star + 1, number.size()));
    const std::string_view digits = number.substr(0, star);
    if (digits.empty() || !std::all_of(digits.begin(), digits.end(), hex ? is_hex : is_digit) ||
        !std::all_of(times.begin(), times.end(), is_digit)) {
      return false;
    }
  }
  return true;
}

bool is_count(std::string_view text) {
  const LeadingNumber number = leading_number(text);
  return number.value >= 0 && number.value < std::numeric_limits<std::int64_t>::max();
}

// What may stand behind `gres/gpu:`.
bool is_gres_binding(std::string_view text, bool shared) {
  if (begins_with_word(text, "verbose,")) text.remove_prefix(8);
  if (begins_with_word(text, "none")) return true;
  if (begins_with_word(text, "per_task:")) return is_count(text.substr(9));
  if (shared) return false;
  if (begins_with_word(text, "closest")) return true;
  if (begins_with_word(text, "single:")) return is_count(text.substr(7));
  const std::string_view list = text.substr(std::min(text.find(':') + 1, text.size()));
  if (begins_with_word(text, "map_gpu:") || begins_with_word(text, "map:")) {
    return is_number_list(list, false);
  }
  if (begins_with_word(text, "mask_gpu:") || begins_with_word(text, "mask:")) {
    return is_number_list(list, true);
  }
  return false;
}

}  // namespace

SbatchValue<SbatchDistribution> sbatch_distribution(std::string_view text) {
  if (begins_with_word(text, "plane")) return plane_distribution(text);
  const std::size_t comma = std::min(text.find(','), text.size());
  SbatchDistribution distribution;
  std::string first = lower_case(text.substr(0, comma));
  std::string flag = lower_case(text.substr(std::min(comma + 1, text.size())));
  const auto is_flag = [](const std::string& word) { return word == "pack" || word == "nopack"; };
  if (is_flag(first) && flag.empty()) {
    distribution.flag = first;
    return taken(std::move(distribution));
  }
  distribution.base = distribution_base(text.substr(0, comma));
  if (distribution.base.empty() || (!flag.empty() && !is_flag(flag))) {
    return refused<SbatchDistribution>(in_quotes(text) + " is not a distribution",
                                       std::string(kDistributionForms));
  }
  distribution.flag = flag;
  return taken(std::move(distribution));
}

std::string rest_distribution(const SbatchDistribution& distribution) {
  if (distribution.base == "plane") return "plane=" + std::to_string(distribution.plane_size);
  return environment_distribution(distribution);
}

std::string environment_distribution(const SbatchDistribution& distribution) {
  const bool both = !distribution.base.empty() && !distribution.flag.empty();
  return distribution.base + (both ? "," : "") + distribution.flag;
}

SbatchValue<SbatchMemoryBinding> sbatch_memory_binding(std::string_view text,
                                                       SbatchMemoryBinding before) {
  before.map.clear();
  for (const std::string_view word : memory_words(text)) {
    if (is_same_word(word, "help")) {
      return refused<SbatchMemoryBinding>("help lists the words and submits nothing", "remove it");
    }
    if (bind_memory(word, before)) continue;
    return refused<SbatchMemoryBinding>(in_quotes(word) + " is not known here",
                                        std::string(kMemoryForms));
  }
  return taken(std::move(before));
}

std::vector<std::string> rest_memory_binding_type(const SbatchMemoryBinding& binding) {
  std::vector<std::string> words;
  if (!binding.type.empty()) words.push_back(binding.type);
  if (binding.verbose) words.emplace_back("VERBOSE");
  if (binding.sort) words.emplace_back("SORT");
  if (binding.prefer) words.emplace_back("PREFER");
  return words;
}

std::string environment_memory_binding(const SbatchMemoryBinding& binding) {
  std::string text;
  const auto add = [&text](bool wanted, std::string_view word) {
    if (wanted) text.append(text.empty() ? "" : ",").append(word);
  };
  add(binding.verbose, "verbose");
  add(binding.prefer, "prefer");
  add(binding.sort, "sort");
  add(binding.type == "NONE", "none");
  add(binding.type == "RANK", "rank");
  add(binding.type == "LOCAL", "local");
  add(binding.type == "MAP", "map_mem");
  add(binding.type == "MASK", "mask_mem");
  if (!binding.map.empty()) text += ":" + binding.map;
  return text;
}

std::optional<std::string> wrong_tres_bind(std::string_view text) {
  for (const std::string_view part : split_words(text, "+")) {
    const std::size_t colon = std::min(part.find(':'), part.size());
    const std::string_view name = part.substr(0, colon);
    const bool shared = name == "gres/mps" || name == "gres/shard";
    if (!name.starts_with("gres/") || colon == part.size() ||
        !is_gres_binding(part.substr(colon + 1), shared)) {
      return in_quotes(part) + " binds nothing";
    }
  }
  return std::nullopt;
}

}  // namespace sconverge
