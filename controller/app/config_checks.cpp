#include "controller/app/config_checks.h"

#include <algorithm>

namespace sconverge {
namespace {

class Checks {
 public:
  Checks(const Config& config, const ConfigInputs& inputs, const ConfigNeeds& needs,
         const Sayings& sayings)
      : config_(config), inputs_(inputs), needs_(needs), sayings_(sayings) {}

  std::vector<Problem> result() && {
    check_needs();
    return std::move(problems_);
  }

 private:
  void check_needs() {
    if (needs_.specs && config_.specs.empty()) {
      problems_.push_back(named_problem("specs", "the directory to watch is not given",
                                        "use --specs DIR, SCONVERGE_SPECS or specs: in the file"));
    }
    if (!needs_.clusters) return;
    if (config_.clusters.empty()) {
      problems_.push_back(named_problem(
          "clusters", "no Slurm cluster is given",
          "use --slurmrestd URL --user NAME --token-file FILE, or --project ID --region "
          "REGION --cluster ID, or clusters: in the file"));
    }
    check_tls();
    if (needs_.gateway) check_gateway();
    for (const auto& cluster : config_.clusters) check_cluster(cluster);
  }

  void check_tls() {
    const TlsFiles& tls = config_.web.tls;
    if (tls.certificate.empty() == tls.key.empty()) return;
    problems_.push_back(named_problem(tls.key.empty() ? "tlsKey" : "tlsCert",
                                      "a certificate and a key belong together, and this one is "
                                      "missing",
                                      "use both --tls-cert FILE and --tls-key FILE"));
  }

  void check_gateway() {
    const GatewayConfig& gateway = config_.gateway;
    if (config_.clusters.size() > 1) {
      problems_.push_back(named_problem("clusters",
                                        "a gateway serves one cluster, and several are given",
                                        "give the gateway a file of its own"));
    }
    if (gateway.tokens.empty()) {
      problems_.push_back(
          named_problem("gateway.tokens", "the file of the accepted bearer tokens is not given",
                        "use --tokens FILE, SCONVERGE_TOKENS or the key in the file"));
    }
  }

  void check_cluster(const ClusterConfig& cluster) {
    if (needs_.gateway || !says_job_api(cluster)) check_slurmrestd(cluster);
    if (needs_.gateway || says_job_api(cluster)) check_job_api(cluster);
  }

  void check_slurmrestd(const ClusterConfig& cluster) {
    const std::string url_remedy =
        needs_.gateway ? "use --slurmrestd URL, SCONVERGE_SLURMRESTD or the key in the file"
                       : "use --slurmrestd URL, or --project, --region and --cluster for the Slurm "
                         "Job API";
    require(cluster, cluster.slurmrestd.url, "slurmrestd.url",
            "the address of slurmrestd is not given", url_remedy);
    require(cluster, cluster.slurmrestd.user, "slurmrestd.user", "the Slurm user is not given",
            "use --user NAME, SCONVERGE_USER or the key in the file");
    if (has_jwt()) return;
    require(cluster, cluster.slurmrestd.token_file, "slurmrestd.tokenFile", "there is no token",
            "use --token-file FILE, SCONVERGE_TOKEN_FILE, the key in the file or SLURM_JWT");
  }

  void check_job_api(const ClusterConfig& cluster) {
    const SlurmJobApiConfig& api = cluster.job_api;
    require(cluster, api.project, "slurmJobApi.project", "the cluster's project is not given",
            "use --project ID, SCONVERGE_PROJECT or the key in the file");
    require(cluster, api.region, "slurmJobApi.region", "the cluster's region is not given",
            "use --region REGION, SCONVERGE_REGION or the key in the file");
    require(cluster, api.cluster, "slurmJobApi.cluster", "the cluster's id is not given",
            "use --cluster ID, SCONVERGE_CLUSTER or the key in the file");
    if (!api.credentials.empty() && !api.access_token_file.empty()) {
      refuse(place_of(cluster.name, "slurmJobApi.credentials", sayings_.places),
             "both a credential file and an access token file are given", "keep one of them");
    }
  }

  void require(const ClusterConfig& cluster, const std::string& value, const std::string& key,
               std::string what, std::string remedy) {
    if (!value.empty() || refused(key, cluster.name)) return;
    refuse(place_of(cluster.name, key, sayings_.places), std::move(what), std::move(remedy));
  }

  [[nodiscard]] bool has_jwt() const {
    const auto found = inputs_.variables.find("SLURM_JWT");
    return found != inputs_.variables.end() && !found->second.empty();
  }

  /// Whether somebody did give this setting, in a way that was refused.
  bool refused(std::string_view key, const std::string& cluster) const {
    return std::any_of(sayings_.given.begin(), sayings_.given.end(),
                       [&](const GivenSetting& given) {
                         return given.is_about(key, cluster, sayings_.default_cluster);
                       });
  }

  void refuse(Problem place, std::string what, std::string remedy) {
    place.what = std::move(what);
    place.remedy = std::move(remedy);
    problems_.push_back(std::move(place));
  }

  const Config& config_;
  const ConfigInputs& inputs_;
  const ConfigNeeds& needs_;
  const Sayings& sayings_;
  std::vector<Problem> problems_{};
};

}  // namespace

std::vector<Problem> missing_settings(const Config& config, const ConfigInputs& inputs,
                                      const ConfigNeeds& needs, const Sayings& sayings) {
  return Checks(config, inputs, needs, sayings).result();
}

bool says_job_api(const ClusterConfig& cluster) {
  const SlurmJobApiConfig& api = cluster.job_api;
  return cluster.uses_job_api() &&
         !(api.project.empty() && api.region.empty() && api.cluster.empty());
}

Problem place_of(const std::string& cluster, const std::string& key,
                 const std::map<std::string, Problem>& places) {
  const auto written = places.find(cluster);
  Problem place = written != places.end() ? written->second : Problem{};
  place.field = "clusters." + cluster + "." + key;
  return place;
}

Problem named_problem(std::string field, std::string what, std::string remedy, ProblemKind kind) {
  return {"", 0, 0, std::move(field), std::move(what), std::move(remedy), kind};
}

}  // namespace sconverge
