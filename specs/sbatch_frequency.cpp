#include "specs/sbatch_frequency.h"

#include <algorithm>
#include <array>

#include "specs/sbatch_text.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

bool is_frequency(std::string_view text) {
  for (const std::string_view word : {"lo", "hi", "med"}) {
    if (begins_with_word(text, word)) return true;
  }
  const LeadingNumber number = leading_number(text);
  return number.found && number.value != 0 && number.rest.empty();
}

bool is_governor(std::string_view text) {
  for (const std::string_view word : {"co", "perf", "pow", "user", "onde", "sche"}) {
    if (begins_with_word(text, word)) return true;
  }
  return false;
}

bool is_gpu_clock(std::string_view text) {
  const LeadingNumber number = leading_number(text);
  if (number.found && text.front() >= '0' && text.front() <= '9') return number.rest.empty();
  return text == "low" || text == "medium" || text == "high" || text == "highm1";
}

}  // namespace

std::optional<std::string> wrong_acctg_freq(std::string_view text) {
  const auto is_interval = [](std::string_view number_text) {
    const LeadingNumber number = leading_number(number_text);
    return number.found && number.value >= 0;
  };
  for (const std::string_view word : split_words(text, ",")) {
    bool good = is_interval(word);
    for (const std::string_view kind : {"energy=", "task=", "filesystem=", "network="}) {
      if (begins_with_word(word, kind)) good = is_interval(word.substr(kind.size()));
    }
    if (!good) return in_quotes(word) + " is no interval";
  }
  return std::nullopt;
}

std::optional<std::string> wrong_cpu_freq(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view range = text.substr(0, colon);
  const std::string_view governor = colon < text.size() ? text.substr(colon + 1) : "";
  const std::size_t dash = std::min(range.find('-'), range.size());
  const std::string_view first = range.substr(0, dash);
  const bool has_range = dash < range.size();
  if (is_governor(first) && !has_range) {
    if (colon == text.size()) return std::nullopt;
    return in_quotes(text) + " names two governors";
  }
  if (!is_frequency(first) || (has_range && !is_frequency(range.substr(dash + 1)))) {
    return in_quotes(text) + " is no frequency";
  }
  if (has_range && governor.empty()) return in_quotes(text) + " is a range without a governor";
  if (governor.empty() && colon == text.size()) return std::nullopt;
  if (!is_governor(governor)) return in_quotes(governor) + " is no governor";
  const bool user = begins_with_word(governor, "user");
  if (user && has_range) return "the governor UserSpace takes no range";
  if (!user && !has_range) return "the governor " + in_quotes(governor) + " needs a range";
  return std::nullopt;
}

std::optional<std::string> wrong_propagate(std::string_view text) {
  constexpr std::array<std::string_view, 10> limits = {"CPU", "FSIZE", "DATA",   "STACK",   "CORE",
                                                       "RSS", "NPROC", "NOFILE", "MEMLOCK", "AS"};
  if (text == "ALL" || text == "NONE") return std::nullopt;
  for (std::string_view word : split_words(text, ", \t\n")) {
    if (word.starts_with("RLIMIT_")) word.remove_prefix(7);
    if (std::find(limits.begin(), limits.end(), word) == limits.end()) {
      return in_quotes(word) + " is no resource limit";
    }
  }
  return std::nullopt;
}

std::optional<std::string> wrong_gpu_freq(std::string_view text) {
  bool any = false;
  for (const std::string_view word : split_words(text, ",")) {
    any = true;
    constexpr std::string_view memory = "memory=";
    const bool good = word.find('=') == std::string_view::npos
                          ? word == "verbose" || is_gpu_clock(word)
                          : word.starts_with(memory) && is_gpu_clock(word.substr(memory.size()));
    if (!good) return in_quotes(word) + " is no frequency of a gpu";
  }
  if (!any) return "names no frequency of a gpu";
  return std::nullopt;
}

}  // namespace sconverge
