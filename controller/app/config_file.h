#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "controller/app/settings.h"
#include "specs/problem.h"

namespace sconverge {

/// One setting as somebody wrote it.
struct GivenSetting {
  const Setting* setting{nullptr};  ///< never null
  std::string cluster{};            ///< which cluster's; empty: the default one, or no cluster's
  std::vector<std::string> values{};
  Problem place{};  ///< where, for problems: file, line, column and field are set

  /// Whether it is the setting `key` of that cluster.
  [[nodiscard]] bool is_about(std::string_view key, const std::string& of_cluster,
                              const std::string& default_cluster) const {
    return setting->key == key && (cluster.empty() ? default_cluster : cluster) == of_cluster;
  }
};

struct ConfigFile {
  std::vector<GivenSetting> given{};
  std::vector<std::pair<std::string, Problem>> clusters{};  ///< each with its place
  std::vector<Problem> problems{};
};

/// Reads the text of a configuration file. Total: any bytes give settings or problems; a key that
/// is unknown, double, of the wrong type or empty is a problem. `file` is shown in problems, and
/// relative paths in the text are taken from its directory.
ConfigFile parse_config_file(std::string_view text, const std::string& file);

}  // namespace sconverge
