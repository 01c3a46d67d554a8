#include "controller/google/plain_line.h"

#include <algorithm>

namespace sconverge {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

bool is_visible(char c) { return c > ' ' && c < 0x7F; }

}  // namespace

std::string plain_line(std::string_view text, std::size_t most) {
  std::string line;
  for (const char c : text) {
    if (is_visible(c)) {
      line.push_back(c);
    } else if (!line.empty() && line.back() != ' ') {
      line.push_back(' ');
    }
    if (line.size() > most) break;
  }
  if (line.size() > most) line = line.substr(0, most) + "...";
  return std::string(trimmed_at_end(line));
}

std::string without(const std::vector<std::string>& secrets, std::string text) {
  for (const std::string& secret : secrets) {
    if (secret.empty()) continue;
    for (auto at = text.find(secret); at != text.npos; at = text.find(secret, at + 3)) {
      text.replace(at, secret.size(), "...");
    }
  }
  return text;
}

bool fits_a_header(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_visible);
}

std::string_view trimmed_at_end(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  return first == text.npos ? std::string_view{} : trimmed_at_end(text.substr(first));
}

}  // namespace sconverge
