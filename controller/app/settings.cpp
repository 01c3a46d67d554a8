#include "controller/app/settings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "controller/app/setting_values.h"
#include "controller/app/settings_job_api.h"
#include "controller/app/settings_metrics.h"
#include "controller/app/settings_web.h"
#include "specs/label.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

using Values = std::vector<std::string>;

Refused set_url(Config&, ClusterConfig& cluster, const Values& values) {
  std::string url = values[0];
  if (auto refusal = url_refusal(url)) return refusal;
  while (url.ends_with('/')) url.pop_back();
  cluster.slurmrestd.url = url;
  return {};
}

Refused set_user(Config&, ClusterConfig& cluster, const Values& values) {
  return set_user_name(cluster.slurmrestd.user, values[0]);
}

Refused set_api_version(Config&, ClusterConfig& cluster, const Values& values) {
  static constexpr std::string_view prefix = "v0.0.";
  const std::string& text = values[0];
  const auto minor =
      text.starts_with(prefix) ? parse_int(text.substr(prefix.size())) : std::nullopt;
  if (!minor || *minor < 40 || *minor > 45) {
    return Refusal{
        in_quotes(text) + " is not a version of the Slurm REST API that sconverge speaks",
        "write v0.0.40 to v0.0.45, or leave it out to take the newest"};
  }
  cluster.api_version = text;
  return {};
}

Refused set_duration(milliseconds& member, const std::string& text, milliseconds lowest,
                     milliseconds highest, const std::string& range) {
  const auto value = parse_interval(text);
  if (!value) {
    return Refusal{in_quotes(text) + " is not a duration",
                   "write a number and ms, s, m or h, e.g. 10s or 1m30s"};
  }
  if (*value < lowest || *value > highest) {
    return Refusal{in_quotes(text) + " is out of range", "write " + range};
  }
  member = *value;
  return {};
}

Refused set_interval(Config& config, ClusterConfig&, const Values& values) {
  return set_duration(config.interval, values[0], milliseconds{100}, std::chrono::hours{1},
                      "100ms to 1h");
}

Refused set_prune_grace(Config& config, ClusterConfig&, const Values& values) {
  return set_duration(config.prune_grace, values[0], milliseconds{0}, std::chrono::hours{24 * 7},
                      "0s to 168h");
}

Refused set_timeout(Config&, ClusterConfig& cluster, const Values& values) {
  return set_duration(cluster.timeout, values[0], seconds{1}, seconds{600}, "1s to 10m");
}

Refused set_concurrency(Config&, ClusterConfig& cluster, const Values& values) {
  const auto value = parse_int(values[0]);
  if (!value || *value < 1 || *value > 64) {
    return Refusal{in_quotes(values[0]) + " is not a number of requests at once", "write 1 to 64"};
  }
  cluster.concurrency = *value;
  return {};
}

Refused set_label(std::string& member, const std::string& text, const std::string& noun) {
  if (!is_dns_label(text)) {
    return Refusal{
        in_quotes(text) + " is not " + noun,
        "write at most 63 of a-z, 0-9 and -, beginning and ending with a letter or digit"};
  }
  member = text;
  return {};
}

Refused set_controller_id(Config& config, ClusterConfig&, const Values& values) {
  return set_label(config.controller_id, values[0], "a controller id");
}

Refused set_default_cluster(Config& config, ClusterConfig&, const Values& values) {
  return set_label(config.default_cluster, values[0], "a cluster name");
}

Refused set_log_level(Config& config, ClusterConfig&, const Values& values) {
  static constexpr std::array<std::pair<std::string_view, LogLevel>, 4> levels{
      {{"debug", LogLevel::Debug},
       {"info", LogLevel::Info},
       {"warn", LogLevel::Warning},
       {"error", LogLevel::Error}}};
  for (const auto& [word, level] : levels) {
    if (values[0] != word) continue;
    config.log_level = level;
    return {};
  }
  return Refusal{in_quotes(values[0]) + " is not a log level", "write debug, info, warn or error"};
}

Refused set_log_format(Config& config, ClusterConfig&, const Values& values) {
  static constexpr std::array<std::pair<std::string_view, LogFormat>, 3> formats{
      {{"auto", LogFormat::Auto}, {"logfmt", LogFormat::Logfmt}, {"json", LogFormat::Json}}};
  for (const auto& [word, format] : formats) {
    if (values[0] != word) continue;
    config.log_format = format;
    return {};
  }
  return Refusal{in_quotes(values[0]) + " is not a log format", "write auto, logfmt or json"};
}

Refused set_working_directory(Config&, ClusterConfig& cluster, const Values& values) {
  if (!values[0].starts_with('/')) {
    return Refusal{in_quotes(values[0]) + " is not an absolute path",
                   "write a directory that exists on the cluster's nodes, e.g. /home/alice"};
  }
  cluster.working_directory = values[0];
  return {};
}

Refused set_environment(Config&, ClusterConfig& cluster, const Values& values) {
  std::map<std::string, std::string> environment;
  for (const std::string& entry : values) {
    const auto equals = entry.find('=');
    if (equals == 0 || equals == std::string::npos) {
      // What stands there may be a secret; it is not repeated.
      return Refusal{"an entry is not KEY=value", "write e.g. HOME=/home/alice"};
    }
    environment[entry.substr(0, equals)] = entry.substr(equals + 1);
  }
  cluster.environment = std::move(environment);
  return {};
}

Refused set_specs(Config& config, ClusterConfig&, const Values& values) {
  config.specs = values[0];
  return {};
}
Refused set_state(Config& config, ClusterConfig&, const Values& values) {
  config.state = values[0];
  return {};
}
Refused set_token_file(Config&, ClusterConfig& cluster, const Values& values) {
  cluster.slurmrestd.token_file = values[0];
  return {};
}
Refused set_ca_file(Config&, ClusterConfig& cluster, const Values& values) {
  cluster.ca_file = values[0];
  return {};
}

using enum SettingScope;
using enum SettingShape;

constexpr Setting kSettings[] = {
    {"specs", "specs", "SCONVERGE_SPECS", "DIR", "directory with the declared jobs", Process, Path,
     set_specs},
    {"state", "state", "SCONVERGE_STATE", "DIR",
     "directory of the controller's memory (default: $XDG_STATE_HOME/sconverge; root: "
     "/var/lib/sconverge)",
     Process, Path, set_state},
    {"controllerId", "controller-id", "SCONVERGE_CONTROLLER_ID", "ID",
     "name that marks this controller's jobs (default: chosen at the first start and kept)",
     Process, Text, set_controller_id},
    {"interval", "interval", "SCONVERGE_INTERVAL", "DURATION",
     "time between two looks at Slurm (default 10s)", Process, Text, set_interval},
    {"pruneGrace", "prune-grace", "SCONVERGE_PRUNE_GRACE", "DURATION",
     "how long a spec must be gone before its job is cancelled (default 30s)", Process, Text,
     set_prune_grace},
    {"log.level", "log-level", "SCONVERGE_LOG_LEVEL", "LEVEL",
     "debug, info, warn or error (default info)", Process, Text, set_log_level,
     "debug|info|warn|error"},
    {"log.format", "log-format", "SCONVERGE_LOG_FORMAT", "FORMAT",
     "auto (logfmt on a terminal, else json), logfmt or json", Process, Text, set_log_format,
     "auto|logfmt|json"},
    {"defaultCluster", "default-cluster", "SCONVERGE_DEFAULT_CLUSTER", "NAME",
     "cluster of specs that name none (default: the only one)", Process, Text, set_default_cluster},
    {"slurmrestd.url", "slurmrestd", "SCONVERGE_SLURMRESTD", "URL",
     "slurmrestd of the default cluster, e.g. http://127.0.0.1:6820", Cluster, Text, set_url},
    {"slurmrestd.user", "user", "SCONVERGE_USER", "NAME", "Slurm user to act as", Cluster, Text,
     set_user},
    {"slurmrestd.tokenFile", "token-file", "SCONVERGE_TOKEN_FILE", "FILE",
     "file with the user's token, read again when it changes (default: the variable SLURM_JWT)",
     Cluster, Path, set_token_file},
    {"apiVersion", "api-version", "SCONVERGE_API_VERSION", "VERSION",
     "pin the REST API's version, v0.0.40 to v0.0.45 (default: the newest)", Cluster, Text,
     set_api_version, "v0.0.40|v0.0.41|v0.0.42|v0.0.43|v0.0.44|v0.0.45"},
    {"caFile", "ca-file", "SCONVERGE_CA_FILE", "FILE",
     "PEM file with the authorities to trust (default: the system's)", Cluster, Path, set_ca_file},
    {"requestTimeout", "request-timeout", "SCONVERGE_REQUEST_TIMEOUT", "DURATION",
     "longest time for one request (default 30s)", Cluster, Text, set_timeout},
    {"workingDirectory", "working-directory", "SCONVERGE_WORKING_DIRECTORY", "DIR",
     "working directory of jobs that set none (default /tmp)", Cluster, Text,
     set_working_directory},
    {"environment", "environment", "SCONVERGE_ENVIRONMENT", "KEY=VALUE",
     "environment variable of jobs that set no environment; repeatable (a variable separates them "
     "by commas)",
     Cluster, Map, set_environment},
    {"concurrency", "concurrency", "SCONVERGE_CONCURRENCY", "N",
     "submits or cancels in flight at once (default 4)", Cluster, Text, set_concurrency},
};

}  // namespace

std::span<const Setting> settings() {
  static const std::vector<Setting> all = [] {
    std::vector<Setting> rows(std::begin(kSettings), std::end(kSettings));
    for (const auto& more :
         {web_settings(), metrics_settings(), job_api_settings(), gateway_settings()}) {
      rows.insert(rows.end(), more.begin(), more.end());
    }
    return rows;
  }();
  return all;
}

std::optional<milliseconds> parse_interval(std::string_view text) {
  static constexpr std::pair<std::string_view, std::int64_t> units[] = {
      {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}};
  if (text.empty()) return {};
  std::int64_t total = 0;
  while (!text.empty()) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) return {};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const auto word = text.substr(0, text.find_first_of("0123456789"));
    const auto* unit = std::find_if(std::begin(units), std::end(units),
                                    [&](const auto& known) { return known.first == word; });
    if (unit == std::end(units)) return {};
    total += std::int64_t{number} * unit->second;
    text.remove_prefix(word.size());
  }
  return milliseconds{total};
}

}  // namespace sconverge
