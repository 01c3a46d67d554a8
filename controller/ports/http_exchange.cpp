#include "controller/ports/http_exchange.h"

#include <algorithm>

namespace sconverge {
namespace {

std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return std::nullopt;
}

/// As forms write it: "+" is a blank, %XX a byte. What is no such thing stands for itself.
std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : std::nullopt;
    const auto low = high ? hex_digit(text[i + 2]) : std::nullopt;
    if (low) {
      out += static_cast<char>(*high * 16 + *low);
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

/// What stands for `parameter` in the query: "x" or "x=1"; none if it is not there.
std::optional<std::string_view> find(std::string_view query, std::string_view parameter) {
  while (!query.empty()) {
    const std::string_view one = query.substr(0, query.find('&'));
    if (one.substr(0, one.find('=')) == parameter) return one;
    query.remove_prefix(std::min(query.size(), one.size() + 1));
  }
  return std::nullopt;
}

}  // namespace

bool HttpRequest::has(std::string_view parameter) const {
  return find(query, parameter).has_value();
}

std::optional<std::string> HttpRequest::value_of(std::string_view parameter) const {
  const auto found = find(query, parameter);
  if (!found) return std::nullopt;
  return decoded(found->substr(std::min(found->size(), parameter.size() + 1)));
}

}  // namespace sconverge
