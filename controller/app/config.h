#pragma once

#include <map>
#include <string>
#include <vector>

#include "controller/core/policy.h"
#include "controller/core/time.h"
#include "controller/google/credentials.h"
#include "controller/http/tls_identity.h"
#include "metrics/metrics.h"
#include "specs/problem.h"

namespace sconverge {

enum class LogFormat { Auto, Logfmt, Json };  ///< Auto: logfmt on a terminal, else JSON

/// A slurmrestd, and who we are to it. Tokens are never held here.
struct SlurmrestdConfig {
  std::string url{};         ///< "http://host:6820", without a trailing slash
  std::string user{};        ///< X-SLURM-USER-NAME
  std::string token_file{};  ///< empty: the token is the variable SLURM_JWT

  friend bool operator==(const SlurmrestdConfig&, const SlurmrestdConfig&) = default;
};

/// A training cluster behind Google's Slurm Job API, or behind a gateway that speaks it.
struct SlurmJobApiConfig {
  std::string project{};
  std::string region{};
  std::string cluster{};
  std::string endpoint{};  ///< without a trailing slash; empty: Google's of the region
  std::string google_api_version{"v1beta1"};
  std::string credentials{};        ///< file; empty: Application Default Credentials
  std::string access_token_file{};  ///< a bearer token of its own instead of `credentials`
  ServiceAccountFlow service_account_flow{ServiceAccountFlow::SelfSigned};
  std::string quota_project{};
  std::string user{};  ///< our Linux account on the cluster; empty: not known
  std::map<std::string, std::string> variables{};  ///< the environment's: credentials, proxy

  friend bool operator==(const SlurmJobApiConfig&, const SlurmJobApiConfig&) = default;
};

/// A cluster is reached in one of two ways; a gateway has both, one at each end.
struct ClusterConfig {
  std::string name{};
  SlurmrestdConfig slurmrestd{};
  SlurmJobApiConfig job_api{};
  std::string api_version{};    ///< a pinned "v0.0.42"; empty: the newest that both sides know
  std::string ca_file{};        ///< PEM; empty: the system's certificates
  milliseconds timeout{30000};  ///< of one request
  std::string working_directory{"/tmp"};  ///< for jobs that set none
  /// Variables of jobs that set no environment, beside the minimum (see `policy_for`).
  std::map<std::string, std::string> environment{};
  int concurrency{4};  ///< submits or cancels in flight at once

  /// How the controller reaches it.
  [[nodiscard]] bool uses_job_api() const { return slurmrestd.url.empty(); }
  /// Whose jobs they are; empty: not known.
  [[nodiscard]] const std::string& user() const {
    return uses_job_api() ? job_api.user : slurmrestd.user;
  }

  friend bool operator==(const ClusterConfig&, const ClusterConfig&) = default;
};

/// What `sconverge gateway` needs beside a cluster's two ends.
struct GatewayConfig {
  std::string tokens{};  ///< file of the bearer tokens it accepts

  friend bool operator==(const GatewayConfig&, const GatewayConfig&) = default;
};

/// What is served over HTTP, and how that is guarded. Addresses as in read_listen_address.
struct WebConfig {
  std::string listen{};         ///< empty: the verb's own default
  std::string health_listen{};  ///< for the probes alone, without TLS; empty: none
  TlsFiles tls{};               ///< empty: plain HTTP
  std::string token_file{};     ///< bearer tokens that pages need; empty: they need none
  bool insecure{false};         ///< others guard it: beyond the loopback even without TLS or tokens

  friend bool operator==(const WebConfig&, const WebConfig&) = default;
};

struct Config {
  std::string
      controller_id{};  ///< empty: chosen at the first start and kept in the state directory
  std::string specs{};
  std::string state{};
  WebConfig web{};
  SpecLimits spec_metrics{};  ///< which specs have metrics of their own
  milliseconds interval{10000};
  milliseconds prune_grace{30000};
  LogLevel log_level{LogLevel::Info};
  LogFormat log_format{LogFormat::Auto};
  std::string default_cluster{};  ///< where specs run that name none; set if there is any cluster
  std::vector<ClusterConfig> clusters{};  ///< sorted by name
  GatewayConfig gateway{};

  friend bool operator==(const Config&, const Config&) = default;
};

/// Everything a configuration is made from. A flag beats a variable, which beats the file.
struct ConfigInputs {
  std::map<std::string, std::vector<std::string>> flags{};  ///< by name, without the dashes
  std::map<std::string, std::string> variables{};           ///< the process's environment
  bool root{false};  ///< decides where state is kept by default
};

/// What a verb cannot do without.
struct ConfigNeeds {
  bool specs{false};
  bool clusters{false};
  bool gateway{false};  ///< both ends of one cluster
  bool state{true};     ///< somewhere to keep the controller's memory
};

struct ConfigReading {
  Config config{};
  std::vector<Problem> problems{};  ///< with any of these, `config` must not be used
  std::vector<Problem> warnings{};  ///< variables that look like ours and are none
};

/// Puts a configuration together from the file named by `--config` or SCONVERGE_CONFIG, SCONVERGE_*
/// variables and flags. Total: reports everything that is wrong, with the place (a file's line and
/// column, or a flag's or variable's name in `Problem::field`), and never a token.
///
/// Flags and variables about a cluster speak of the default cluster; without any cluster in the
/// file they make one that is named "default". Paths in the file are relative to the file. Where a
/// flag says how to reach a cluster, and a variable or the file says the other way, the flag holds.
ConfigReading read_config(const ConfigInputs& inputs, const ConfigNeeds& needs);

/// The policy of one cluster. Its jobs' environment is what is configured over this minimum, which
/// is what a login would give: PATH=/usr/local/bin:/usr/bin:/bin, SHELL=/bin/sh and, where the user
/// is known, USER, LOGNAME and HOME=/home/<user> (a guess; set `environment` where it is wrong);
/// and SLURM_SUBMIT_DIR, which sbatch sets and the REST API does not: the working directory.
Policy policy_for(const Config& config, const ClusterConfig& cluster);

/// Null if there is no such cluster.
const ClusterConfig* find_cluster(const Config& config, const std::string& name);

}  // namespace sconverge
