#include "controller/app/settings_job_api.h"

#include "controller/app/setting_values.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

using Values = std::vector<std::string>;

/// Of "HOST[:PORT][/PATH]".
bool is_loopback_host(std::string_view rest) {
  const auto host = rest.substr(0, rest.find_first_of(":/"));
  const bool numbers = host.find_first_not_of("0123456789.") == std::string_view::npos;
  return host == "localhost" || (host.starts_with("127.") && numbers);
}

Refused set_project(Config&, ClusterConfig& cluster, const Values& values) {
  return set_url_name(cluster.job_api.project, values[0], "a project id", "my-project");
}
Refused set_region(Config&, ClusterConfig& cluster, const Values& values) {
  return set_url_name(cluster.job_api.region, values[0], "a region", "us-central1");
}
Refused set_cluster(Config&, ClusterConfig& cluster, const Values& values) {
  return set_url_name(cluster.job_api.cluster, values[0], "a cluster id", "cluster1");
}
Refused set_google_api_version(Config&, ClusterConfig& cluster, const Values& values) {
  return set_url_name(cluster.job_api.google_api_version, values[0], "an API version", "v1beta1");
}
Refused set_quota_project(Config&, ClusterConfig& cluster, const Values& values) {
  return set_url_name(cluster.job_api.quota_project, values[0], "a project id", "my-project");
}

Refused set_endpoint(Config&, ClusterConfig& cluster, const Values& values) {
  std::string url = values[0];
  if (auto refusal = url_refusal(url)) {
    refusal->remedy = "write e.g. https://us-central1-aiplatform.googleapis.com";
    return refusal;
  }
  while (url.ends_with('/')) url.pop_back();
  const bool loopback = is_loopback_host(std::string_view(url).substr(url.find("://") + 3));
  if (url.starts_with("http://") && !loopback) {
    return Refusal{"access tokens would travel unprotected to " + in_quotes(url),
                   "write https:// (http:// is for loopback alone)"};
  }
  cluster.job_api.endpoint = url;
  return {};
}

Refused set_credentials(Config&, ClusterConfig& cluster, const Values& values) {
  cluster.job_api.credentials = values[0];
  return {};
}
Refused set_access_token_file(Config&, ClusterConfig& cluster, const Values& values) {
  cluster.job_api.access_token_file = values[0];
  return {};
}

Refused set_service_account_flow(Config&, ClusterConfig& cluster, const Values& values) {
  if (values[0] == "selfSigned") {
    cluster.job_api.service_account_flow = ServiceAccountFlow::SelfSigned;
  } else if (values[0] == "jwtBearer") {
    cluster.job_api.service_account_flow = ServiceAccountFlow::JwtBearer;
  } else {
    return Refusal{in_quotes(values[0]) + " is not a way to use a service account's key",
                   "write selfSigned or jwtBearer"};
  }
  return {};
}

Refused set_slurm_user(Config&, ClusterConfig& cluster, const Values& values) {
  return set_user_name(cluster.job_api.user, values[0]);
}

Refused set_tokens(Config& config, ClusterConfig&, const Values& values) {
  config.gateway.tokens = values[0];
  return {};
}

using enum SettingScope;
using enum SettingShape;

constexpr Setting kJobApiSettings[] = {
    {"slurmJobApi.project", "project", "SCONVERGE_PROJECT", "ID",
     "Google Cloud project of a training cluster that is reached through the Slurm Job API",
     Cluster, Text, set_project},
    {"slurmJobApi.region", "region", "SCONVERGE_REGION", "REGION", "region of that cluster",
     Cluster, Text, set_region},
    {"slurmJobApi.cluster", "cluster", "SCONVERGE_CLUSTER", "ID", "id of that cluster", Cluster,
     Text, set_cluster},
    {"slurmJobApi.endpoint", "endpoint", "SCONVERGE_ENDPOINT", "URL",
     "server of the Slurm Job API, e.g. a gateway (default: "
     "https://REGION-aiplatform.googleapis.com)",
     Cluster, Text, set_endpoint},
    {"slurmJobApi.credentials", "credentials", "SCONVERGE_CREDENTIALS", "FILE",
     "Google credential file (default: Application Default Credentials)", Cluster, Path,
     set_credentials},
    {"slurmJobApi.accessTokenFile", "access-token-file", "SCONVERGE_ACCESS_TOKEN_FILE", "FILE",
     "file with a bearer token instead of Google credentials, read again when it changes", Cluster,
     Path, set_access_token_file},
    {"slurmJobApi.serviceAccountFlow", "service-account-flow", "SCONVERGE_SERVICE_ACCOUNT_FLOW",
     "FLOW", "how a service account's key is used: selfSigned (default) or jwtBearer", Cluster,
     Text, set_service_account_flow, "selfSigned|jwtBearer"},
    {"slurmJobApi.quotaProject", "quota-project", "SCONVERGE_QUOTA_PROJECT", "ID",
     "project whose quota the requests use (default: what the credentials say)", Cluster, Text,
     set_quota_project},
    {"slurmJobApi.googleApiVersion", "google-api-version", "SCONVERGE_GOOGLE_API_VERSION",
     "VERSION", "version in the Job API's URL (default v1beta1)", Cluster, Text,
     set_google_api_version},
    {"slurmJobApi.user", "slurm-user", "SCONVERGE_SLURM_USER", "NAME",
     "Linux account on that cluster, for the jobs' HOME and USER and for accounting", Cluster, Text,
     set_slurm_user},
};

constexpr Setting kGatewaySettings[] = {
    {"gateway.tokens", "tokens", "SCONVERGE_TOKENS", "FILE",
     "bearer tokens that the gateway accepts, read again when the file changes", Process, Path,
     set_tokens},
};

}  // namespace

std::span<const Setting> job_api_settings() { return kJobApiSettings; }

std::span<const Setting> gateway_settings() { return kGatewaySettings; }

}  // namespace sconverge
