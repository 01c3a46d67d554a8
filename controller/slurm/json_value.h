#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sconverge {

/// A piece of an answer. Every question has an answer: what is missing or of another type reads as
/// null, empty text or an empty list, because Slurm's API changed its types over the years.
struct JsonValue {
  using List = std::vector<JsonValue>;
  using Members = std::vector<std::pair<std::string, JsonValue>>;
  std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Members> held{};

  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::monostate>(held); }
  [[nodiscard]] bool is_list() const { return std::holds_alternative<List>(held); }
  [[nodiscard]] bool is_object() const { return std::holds_alternative<Members>(held); }

  /// The member of that name (of several the last one).
  [[nodiscard]] const JsonValue& operator[](std::string_view name) const;
  [[nodiscard]] const std::string& text() const;
  /// A list's items; anything else but null counts as a list of itself.
  [[nodiscard]] std::vector<const JsonValue*> items() const;

  /// A whole number, plain, as text, or as {set, infinite, number} (Slurm 23.02 and later, less
  /// with slurmrestd's `-d +complex`). None if it is unset, infinite or none at all.
  [[nodiscard]] std::optional<std::int64_t> number() const;
};

}  // namespace sconverge
