#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "controller/ports/transport.h"
#include "controller/slurm/json_value.h"

namespace sconverge {

/// What to keep of a JSON object that may be far too large to keep whole.
struct JsonFilter {
  std::vector<std::string_view> members;      ///< of the object itself
  std::string_view rows;                      ///< its member that is a list of objects
  std::vector<std::string_view> row_members;  ///< of each of these
};

/// Reads one JSON object while it arrives. Each item of the list `rows` goes to `on_row` and is
/// forgotten (an item that is no object: as null); the other members asked for are returned, and
/// `rows` itself as an empty list if it is one.
/// nullopt: it is no JSON object, well formed to its last byte, or nested absurdly deep.
/// REQUIRES: `json` is UTF-8; a byte that is none makes it not well formed.
std::optional<JsonValue> read_filtered(ByteSource& json, const JsonFilter& filter,
                                       const std::function<void(const JsonValue&)>& on_row);

}  // namespace sconverge
