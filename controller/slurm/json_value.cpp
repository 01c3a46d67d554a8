#include "controller/slurm/json_value.h"

#include <charconv>
#include <cmath>

namespace sconverge {
namespace {

std::optional<std::int64_t> number_in(const std::string& text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

const JsonValue& JsonValue::operator[](std::string_view name) const {
  static const JsonValue null;
  const auto* members = std::get_if<Members>(&held);
  if (members == nullptr) return null;
  const JsonValue* found = &null;
  for (const auto& [key, value] : *members) {
    if (key == name) found = &value;
  }
  return *found;
}

const std::string& JsonValue::text() const {
  static const std::string empty;
  const auto* text = std::get_if<std::string>(&held);
  return text != nullptr ? *text : empty;
}

std::vector<const JsonValue*> JsonValue::items() const {
  std::vector<const JsonValue*> items;
  if (const auto* list = std::get_if<List>(&held)) {
    for (const JsonValue& item : *list) items.push_back(&item);
  } else if (!is_null()) {
    items.push_back(this);
  }
  return items;
}

std::optional<std::int64_t> JsonValue::number() const {
  if (const auto* integer = std::get_if<std::int64_t>(&held)) return *integer;
  if (const auto* real = std::get_if<double>(&held)) {
    constexpr double kExact = 9007199254740992.0;  // 2^53
    if (!std::isfinite(*real) || std::abs(*real) > kExact) return std::nullopt;
    return static_cast<std::int64_t>(*real);
  }
  if (const auto* text = std::get_if<std::string>(&held)) return number_in(*text);
  if (!is_object()) return std::nullopt;
  const auto is = [&](std::string_view flag, bool wanted) {
    const auto* value = std::get_if<bool>(&(*this)[flag].held);
    return value != nullptr && *value == wanted;
  };
  const JsonValue& inner = (*this)["number"];
  if (is("set", false) || is("infinite", true) || inner.is_object()) return std::nullopt;
  return inner.number();
}

}  // namespace sconverge
