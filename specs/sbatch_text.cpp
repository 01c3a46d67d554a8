#include "specs/sbatch_text.h"

#include <algorithm>
#include <limits>

namespace sconverge {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

LeadingNumber leading_number(std::string_view text) {
  std::string_view rest = text;
  while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
  const bool negative = !rest.empty() && rest.front() == '-';
  if (!rest.empty() && (negative || rest.front() == '+')) rest.remove_prefix(1);
  if (rest.empty() || !is_digit(rest.front())) return {.rest = text};
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::int64_t value = 0;
  bool fits = true;
  for (; !rest.empty() && is_digit(rest.front()); rest.remove_prefix(1)) {
    const int digit = rest.front() - '0';
    fits = fits && value <= (most - digit) / 10;
    if (fits) value = value * 10 + digit;
  }
  if (!fits) return {true, negative ? std::numeric_limits<std::int64_t>::min() : most, rest};
  return {true, negative ? -value : value, rest};
}

std::vector<std::string_view> split_words(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t start = text.find_first_not_of(separators);
    if (start == std::string_view::npos) return words;
    const std::size_t end = std::min(text.find_first_of(separators, start), text.size());
    words.push_back(text.substr(start, end - start));
    text.remove_prefix(end);
  }
}

bool is_same_word(std::string_view a, std::string_view b) {
  return a.size() == b.size() && begins_with_word(a, b);
}

bool begins_with_word(std::string_view text, std::string_view beginning) {
  return text.size() >= beginning.size() &&
         std::equal(beginning.begin(), beginning.end(), text.begin(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

bool is_blank(std::string_view text) { return std::all_of(text.begin(), text.end(), is_space); }

}  // namespace sconverge
