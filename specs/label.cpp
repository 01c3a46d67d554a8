#include "specs/label.h"

#include <algorithm>

namespace sconverge {
namespace {

bool is_lower_alnum(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool is_alnum(char c) { return is_lower_alnum(c) || (c >= 'A' && c <= 'Z'); }

bool is_dns_name(std::string_view text) {
  if (text.size() > 253) return false;
  for (std::size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.')) {
    if (!is_dns_label(text.substr(0, dot))) return false;
    text.remove_prefix(dot + 1);
  }
  return is_dns_label(text);
}

}  // namespace

bool is_dns_label(std::string_view text) {
  return !text.empty() && text.size() <= 63 && is_lower_alnum(text.front()) &&
         is_lower_alnum(text.back()) && std::all_of(text.begin(), text.end(), [](char c) {
           return is_lower_alnum(c) || c == '-';
         });
}

bool is_label_key(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    if (!is_dns_name(text.substr(0, slash))) return false;
    text.remove_prefix(slash + 1);
  }
  return !text.empty() && is_label_value(text);
}

bool is_label_value(std::string_view text) {
  return text.empty() || (text.size() <= 63 && is_alnum(text.front()) && is_alnum(text.back()) &&
                          std::all_of(text.begin(), text.end(), [](char c) {
                            return is_alnum(c) || c == '-' || c == '_' || c == '.';
                          }));
}

}  // namespace sconverge
