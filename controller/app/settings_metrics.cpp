#include "controller/app/settings_metrics.h"

#include "controller/app/setting_values.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

using Values = std::vector<std::string>;

constexpr int kMostSpecs = 100'000;

Refused set_per_spec(Config& config, ClusterConfig&, const Values& values) {
  return set_bool(config.spec_metrics.per_spec, values[0]);
}

Refused set_max_specs(Config& config, ClusterConfig&, const Values& values) {
  const auto value = parse_int(values[0]);
  if (!value || *value < 1 || *value > kMostSpecs) {
    return Refusal{in_quotes(values[0]) + " is not a number of specs",
                   "write 1 to 100000, or turn metrics.perSpec off"};
  }
  config.spec_metrics.most = static_cast<std::size_t>(*value);
  return {};
}

using enum SettingScope;
using enum SettingShape;

constexpr Setting kMetricsSettings[] = {
    {"metrics.perSpec", "metrics-per-spec", "SCONVERGE_METRICS_PER_SPEC", "true|false",
     "whether single specs have metrics of their own (default true)", Process, Text, set_per_spec},
    {"metrics.maxSpecs", "metrics-max-specs", "SCONVERGE_METRICS_MAX_SPECS", "N",
     "how many of them at most, by name (default 1000)", Process, Text, set_max_specs},
};

}  // namespace

std::span<const Setting> metrics_settings() { return kMetricsSettings; }

}  // namespace sconverge
