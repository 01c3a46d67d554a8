#include "controller/app/config.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>

#include "controller/app/config_checks.h"
#include "controller/app/config_file.h"
#include "controller/app/file_text.h"
#include "controller/app/settings.h"
#include "specs/label.h"
#include "specs/near_miss.h"

namespace sconverge {
namespace {

constexpr std::size_t kMaxConfigBytes = std::size_t{1024} * 1024;
constexpr std::string_view kDefaultCluster = "default";

std::string variable(const ConfigInputs& inputs, const std::string& name) {
  const auto found = inputs.variables.find(name);
  return found == inputs.variables.end() ? "" : found->second;
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

std::string absolute_path(const std::string& path) {
  std::error_code error;
  const auto absolute = std::filesystem::absolute(path, error);
  std::string text = (error ? std::filesystem::path(path) : absolute).lexically_normal().string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

class Assembly {
 public:
  Assembly(const ConfigInputs& inputs, const ConfigNeeds& needs) : inputs_(inputs), needs_(needs) {}

  ConfigReading result() && {
    read_file();
    read_variables();
    read_flags();
    choose_default_cluster();
    for (const auto& given : given_) apply(given);
    choose_ways();
    finish_paths();
    for (auto& [name, cluster] : clusters_) {
      if (says_job_api(cluster)) cluster.job_api.variables = job_api_variables();
      reading_.config.clusters.push_back(cluster);
    }
    for (auto& problem :
         missing_settings(reading_.config, inputs_, needs_, {given_, default_cluster_, places_})) {
      reading_.problems.push_back(std::move(problem));
    }
    return std::move(reading_);
  }

 private:
  void read_file() {
    const auto flag = inputs_.flags.find("config");
    const bool flagged = flag != inputs_.flags.end() && !flag->second.empty();
    const std::string file = flagged ? flag->second.back() : variable(inputs_, "SCONVERGE_CONFIG");
    if (file.empty() && !flagged) return;
    const FileText text = read_whole_file(file, kMaxConfigBytes);
    if (!text.error.empty()) {
      reading_.problems.push_back({file, 0, 0, "", text.error,
                                   "name a readable configuration file with --config",
                                   ProblemKind::Io});
      return;
    }
    ConfigFile parsed = parse_config_file(text.text, file);
    given_ = std::move(parsed.given);
    reading_.problems = std::move(parsed.problems);
    for (const auto& [name, place] : parsed.clusters) {
      clusters_[name].name = name;
      places_[name] = place;
    }
  }

  void read_variables() {
    std::vector<std::string_view> known{"SCONVERGE_CONFIG"};
    for (const Setting& setting : settings()) {
      known.push_back(setting.variable);
      const std::string text = variable(inputs_, std::string(setting.variable));
      if (text.empty()) continue;  // as in most programs, an empty variable is none
      given_.push_back({&setting,
                        {},
                        setting.shape == SettingShape::Map ? split_at_commas(text)
                                                           : std::vector<std::string>{text},
                        named_problem(std::string(setting.variable), "", "")});
    }
    for (const auto& [name, text] : inputs_.variables) {
      if (name == "SCONVERGE_TOKEN") {
        reading_.problems.push_back(
            named_problem(name, "a token is taken from SLURM_JWT or from a file",
                          "set SLURM_JWT or SCONVERGE_TOKEN_FILE instead", ProblemKind::Policy));
      } else if (is_stray_variable(name, known)) {
        const auto close = near_miss(name, known);
        reading_.warnings.push_back(
            named_problem(name, "unknown variable, ignored",
                          close.empty() ? "unset it" : "did you mean " + std::string(close) + "?"));
      }
    }
  }

  /// Kubernetes sets SCONVERGE_SERVICE_* and SCONVERGE_PORT* beside a Service of that name, and the
  /// test lab has variables of its own.
  static bool is_stray_variable(const std::string& name,
                                const std::vector<std::string_view>& known) {
    return name.starts_with("SCONVERGE_") && !name.starts_with("SCONVERGE_SERVICE_") &&
           !name.starts_with("SCONVERGE_PORT") && !name.starts_with("SCONVERGE_LAB") &&
           std::find(known.begin(), known.end(), name) == known.end();
  }

  void read_flags() {
    for (const Setting& setting : settings()) {
      const auto found = inputs_.flags.find(std::string(setting.flag));
      if (found == inputs_.flags.end() || found->second.empty()) continue;
      auto values = found->second;
      if (setting.shape != SettingShape::Map) values = {values.back()};
      given_.push_back(
          {&setting, {}, values, named_problem("--" + std::string(setting.flag), "", "")});
    }
  }

  /// Settles the default cluster first, because flags and variables about a cluster mean that one.
  void choose_default_cluster() {
    const bool about_cluster = std::any_of(given_.begin(), given_.end(), [](const auto& given) {
      return given.setting->scope == SettingScope::Cluster && given.cluster.empty();
    });
    if (clusters_.empty() && about_cluster) {
      clusters_[std::string(kDefaultCluster)].name = kDefaultCluster;
    }
    const GivenSetting* chosen = nullptr;
    for (const auto& given : given_) {
      if (given.setting->key == "defaultCluster") chosen = &given;
    }
    if (chosen != nullptr) {
      default_cluster_ = chosen->values[0];
      if (is_dns_label(default_cluster_) && !clusters_.contains(default_cluster_)) {
        refuse(chosen->place, "there is no cluster " + default_cluster_,
               "configured are: " + cluster_names());
      }
    } else if (clusters_.size() == 1) {
      default_cluster_ = clusters_.begin()->first;
    } else if (clusters_.contains(std::string(kDefaultCluster))) {
      default_cluster_ = kDefaultCluster;
    } else if (clusters_.size() > 1 && needs_.clusters) {
      reading_.problems.push_back(
          named_problem("defaultCluster", "there are several clusters and none is the default",
                        "set it to one of: " + cluster_names()));
    }
    reading_.config.default_cluster = default_cluster_;
  }

  void apply(const GivenSetting& given) {
    ClusterConfig nobody;
    ClusterConfig* cluster = &nobody;
    if (given.setting->scope == SettingScope::Cluster) {
      const auto found = clusters_.find(given.cluster.empty() ? default_cluster_ : given.cluster);
      if (found != clusters_.end()) cluster = &found->second;
    }
    if (given.setting->shape != SettingShape::Map && given.values[0].empty()) {
      refuse(given.place, "the value is empty", "write a value, or leave it out");
    } else if (const auto refusal = given.setting->set(reading_.config, *cluster, given.values)) {
      refuse(given.place, refusal->what, refusal->remedy);
    }
  }

  void finish_paths() {
    Config& config = reading_.config;
    if (config.state.empty()) {
      const std::string home = variable(inputs_, "HOME");
      const std::string xdg = variable(inputs_, "XDG_STATE_HOME");
      if (inputs_.root) {
        config.state = "/var/lib/sconverge";
      } else if (xdg.starts_with('/')) {
        config.state = xdg + "/sconverge";
      } else if (!home.empty()) {
        config.state = home + "/.local/state/sconverge";
      } else if (needs_.state) {
        reading_.problems.push_back(
            named_problem("state", "there is no HOME to keep state below",
                          "use --state DIR, SCONVERGE_STATE or state: in the file"));
        return;
      } else {
        return;
      }
    }
    config.state = absolute_path(config.state);
    if (config.specs.empty()) return;
    config.specs = absolute_path(config.specs);
    if (config.state == config.specs || config.state.starts_with(config.specs + "/")) {
      reading_.problems.push_back(
          named_problem("state", config.state + " lies in the watched directory " + config.specs,
                        "keep the state somewhere else"));
    }
  }

  [[nodiscard]] std::map<std::string, std::string> job_api_variables() const {
    std::map<std::string, std::string> found;
    for (const auto& [name, text] : inputs_.variables) {
      const bool google = name.starts_with("GOOGLE_") || name.starts_with("GCE_METADATA_");
      const bool proxy = name == "HTTPS_PROXY" || name == "https_proxy" || name == "NO_PROXY" ||
                         name == "no_proxy";
      if (google || proxy || name == "CLOUDSDK_CONFIG" || name == "NO_GCE_CHECK" ||
          name == "HOME") {
        found[name] = text;
      }
    }
    return found;
  }

  /// Of two ways to a cluster the one that was said more strongly holds.
  void choose_ways() {
    if (needs_.gateway) return;
    for (auto& [name, cluster] : clusters_) {
      const auto direct = strength("slurmrestd.url", name);
      const auto api =
          std::max({strength("slurmJobApi.project", name), strength("slurmJobApi.region", name),
                    strength("slurmJobApi.cluster", name)});
      if (direct == Strength::None || api == Strength::None) continue;
      if (direct == api) {
        refuse(place_of(cluster.name, "slurmJobApi", places_),
               "two ways to the cluster are given, slurmrestd and slurmJobApi", "keep one of them");
      } else if (direct < api) {
        cluster.slurmrestd = {};
      } else {
        cluster.job_api = {};
      }
    }
  }

  enum class Strength { None, File, Variable, Flag };

  [[nodiscard]] Strength strength(std::string_view key, const std::string& cluster) const {
    Strength strongest = Strength::None;
    for (const GivenSetting& given : given_) {
      if (!given.is_about(key, cluster, default_cluster_)) continue;
      const bool flag = given.place.field.starts_with("--");
      const Strength found = !given.place.file.empty() ? Strength::File
                             : flag                    ? Strength::Flag
                                                       : Strength::Variable;
      strongest = std::max(strongest, found);
    }
    return strongest;
  }

  std::string cluster_names() const {
    std::string names;
    for (const auto& [name, cluster] : clusters_) names += (names.empty() ? "" : ", ") + name;
    return names.empty() ? "none" : names;
  }

  void refuse(Problem place, std::string what, std::string remedy) {
    place.what = std::move(what);
    place.remedy = std::move(remedy);
    reading_.problems.push_back(std::move(place));
  }

  const ConfigInputs& inputs_;
  const ConfigNeeds& needs_;
  ConfigReading reading_{};
  std::vector<GivenSetting> given_{};  // weakest first
  std::map<std::string, ClusterConfig> clusters_{};
  std::map<std::string, Problem> places_{};
  std::string default_cluster_{};
};

}  // namespace

ConfigReading read_config(const ConfigInputs& inputs, const ConfigNeeds& needs) {
  return Assembly(inputs, needs).result();
}

Policy policy_for(const Config& config, const ClusterConfig& cluster) {
  const std::string& user = cluster.user();
  std::map<std::string, std::string> environment{{"PATH", "/usr/local/bin:/usr/bin:/bin"},
                                                 {"SHELL", "/bin/sh"},
                                                 {"SLURM_SUBMIT_DIR", cluster.working_directory}};
  if (!user.empty()) {
    environment["HOME"] = user == "root" ? "/root" : "/home/" + user;
    environment["LOGNAME"] = environment["USER"] = user;
  }
  for (const auto& [key, value] : cluster.environment) environment[key] = value;

  Policy policy{config.controller_id};
  policy.defaults.working_directory = cluster.working_directory;
  for (const auto& [key, value] : environment) {
    std::string variable = key;
    variable.append("=").append(value);
    policy.defaults.environment.push_back(std::move(variable));
  }
  policy.prune_grace = std::chrono::ceil<seconds>(config.prune_grace);
  // slurmrestd goes on with a request after its client has hung up, as long as its own calls to
  // slurmctld last (Slurm 24.11: up to 18 s while slurmctld is down).
  policy.request_timeout = std::chrono::ceil<seconds>(cluster.timeout) + seconds{30};
  policy.interval = config.interval;
  return policy;
}

const ClusterConfig* find_cluster(const Config& config, const std::string& name) {
  const auto found = std::find_if(config.clusters.begin(), config.clusters.end(),
                                  [&](const auto& cluster) { return cluster.name == name; });
  return found == config.clusters.end() ? nullptr : &*found;
}

}  // namespace sconverge
