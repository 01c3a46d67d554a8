#include "controller/ports/http_exchange.h"

#include <algorithm>
#include <optional>

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

/// The next "name=value" of a query, which is taken away from it.
std::string_view next_parameter(std::string_view& query) {
  const std::string_view one = query.substr(0, query.find('&'));
  query.remove_prefix(std::min(query.size(), one.size() + 1));
  return one;
}

}  // namespace

bool HttpRequest::has(std::string_view parameter) const {
  for (std::string_view rest = query; !rest.empty();) {
    const std::string_view one = next_parameter(rest);
    if (one.substr(0, one.find('=')) == parameter) return true;
  }
  return false;
}

std::vector<std::pair<std::string, std::string>> HttpRequest::parameters() const {
  std::vector<std::pair<std::string, std::string>> found;
  for (std::string_view rest = query; !rest.empty();) {
    const std::string_view one = next_parameter(rest);
    if (one.empty()) continue;
    const auto end = std::min(one.find('='), one.size());
    found.emplace_back(decoded(one.substr(0, end)),
                       decoded(one.substr(std::min(end + 1, one.size()))));
  }
  return found;
}

}  // namespace sconverge
