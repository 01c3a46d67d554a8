#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "controller/app/config.h"

namespace sconverge {

/// Why a value cannot be taken, and what could.
struct Refusal {
  std::string what;
  std::string remedy;
};

enum class SettingScope { Process, Cluster };
enum class SettingShape {
  Text,
  Path,  ///< relative to the configuration file, if written there
  Map,   ///< KEY=value several times: a repeatable flag, a map or list in a file
};

/// One thing that can be configured, and its three names. The file reader, the variables and the
/// command line all go by this one table, so that nothing can be set in one way only.
struct Setting {
  std::string_view key;       ///< in the file, dots for nesting; a cluster's are below its name
  std::string_view flag;      ///< without the dashes
  std::string_view variable;  ///< environment variable
  std::string_view value;     ///< placeholder in the help text
  std::string_view help;
  SettingScope scope;
  SettingShape shape;
  /// Stores the values (one, unless a Map) or says why not. Neither argument is touched beyond the
  /// one member.
  std::optional<Refusal> (*set)(Config&, ClusterConfig&, const std::vector<std::string>& values);
  std::string_view words{};  ///< of a closed set of values, "auto|logfmt|json"; empty: no such set
};

std::span<const Setting> settings();

/// "250ms", "10s", "1m30s", "2h"; nothing else, least of all a number without a unit.
std::optional<milliseconds> parse_interval(std::string_view text);

}  // namespace sconverge
