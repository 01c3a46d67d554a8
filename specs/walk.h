#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "specs/document.h"

namespace sconverge {

/// Where a value stands in its document; costs no memory until somebody asks for the text.
struct Place {
  const Place* parent{nullptr};
  std::string_view key{};

  /// E.g. `spec.job.time_limit`; empty for the document itself.
  [[nodiscard]] std::string text() const;
};

/// Reports a problem with the value `node` at `place`.
void report(ProblemSink& problems, const DocumentNode& node, const Place& place, std::string what,
            std::string remedy, ProblemKind kind = ProblemKind::Schema);

/// Calls `visit` for each key of a map once, in the order of the text. What is no map, a key that
/// is no text, a key given twice and a merge key are reported and not visited.
void visit_map(const DocumentNode& node, const Place& place, ProblemSink& problems,
               const std::function<void(const DocumentNode& key, const DocumentNode& value,
                                        const Place&)>& visit);

/// Reports `key` as unknown, with the nearest of the `known` names.
void report_unknown(ProblemSink& problems, const DocumentNode& key, const Place& place,
                    std::span<const std::string_view> known);

/// The text of a scalar, which may be empty. A null, a list, a map, and a number or flag without
/// quotes are reported.
std::optional<std::string> text_of(const DocumentNode& node, const Place& place,
                                   ProblemSink& problems);

/// `true` or `false`; anything else is reported.
std::optional<bool> flag_of(const DocumentNode& node, const Place& place, ProblemSink& problems);

/// What a scalar without quotes is in YAML's core schema.
enum class PlainType { Text, Flag, Number };
PlainType plain_type(std::string_view text);

/// "a list", "a map", "a number", ...
std::string_view describe(const DocumentNode& node);

}  // namespace sconverge
