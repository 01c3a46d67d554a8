#include "controller/app/connection.h"

#include <mutex>
#include <sstream>

#include "controller/google/credentials.h"
#include "controller/http/http_client.h"
#include "controller/slurm/rest_client.h"
#include "controller/slurm/slurm_job_api_transport.h"
#include "controller/slurm/slurmrestd_transport.h"

namespace sconverge {
namespace {

constexpr int kHttpThreads = 8;

std::unique_ptr<AccessTokens> tokens_of(const SlurmJobApiConfig& api,
                                        const std::shared_ptr<HttpClient>& http,
                                        const Clock& clock) {
  if (!api.access_token_file.empty()) return make_token_file(api.access_token_file);
  CredentialOptions options;
  options.file = api.credentials;
  options.quota_project = api.quota_project;
  options.variables = api.variables;
  options.service_account_flow = api.service_account_flow;
  return make_google_credentials(std::move(options), http, clock);
}

std::string variable(const SlurmJobApiConfig& api, const std::string& name) {
  const auto found = api.variables.find(name);
  return found == api.variables.end() ? "" : found->second;
}

/// A proxy stands between us and Google, as for Google's own libraries, not before a slurmrestd.
HttpClientOptions http_options_of(const ClusterConfig& cluster) {
  HttpClientOptions options{.ca_file = cluster.ca_file};
  if (!cluster.uses_job_api()) return options;
  const SlurmJobApiConfig& api = cluster.job_api;
  for (const char* name : {"https_proxy", "HTTPS_PROXY"}) {
    if (options.https_proxy.empty()) options.https_proxy = variable(api, name);
  }
  std::string around = variable(api, "no_proxy");
  if (around.empty()) around = variable(api, "NO_PROXY");
  std::istringstream entries(around);
  for (std::string entry; std::getline(entries, entry, ',');) {
    std::erase(entry, ' ');
    options.no_proxy.push_back(entry);
  }
  return options;
}

}  // namespace

Result<std::unique_ptr<Transport>> make_transport(const ClusterConfig& cluster,
                                                  const Clock& clock) {
  static std::once_flag threads_set;
  std::call_once(threads_set, [] { set_http_threads(kHttpThreads); });
  auto http = make_http_client(http_options_of(cluster));
  if (!http) return http.error();
  const auto timeout = std::chrono::ceil<seconds>(cluster.timeout);
  if (!cluster.uses_job_api()) {
    const SlurmrestdConfig& slurmrestd = cluster.slurmrestd;
    return make_slurmrestd_transport(
        {slurmrestd.url, slurmrestd.user, slurmrestd.token_file, timeout}, std::move(*http));
  }
  const SlurmJobApiConfig& api = cluster.job_api;
  SlurmJobApiOptions options;
  options.project = api.project;
  options.region = api.region;
  options.cluster = api.cluster;
  options.endpoint = api.endpoint;
  options.google_api_version = api.google_api_version;
  options.user = api.user;
  options.timeout = timeout;
  options.now = [&clock] { return clock.now(); };
  auto tokens = tokens_of(api, *http, clock);
  return make_slurm_job_api_transport(std::move(options), std::move(*http), std::move(tokens));
}

Result<std::unique_ptr<SlurmClient>> make_client(const ClusterConfig& cluster, const Clock& clock,
                                                 Heartbeat* heartbeat) {
  auto transport = make_transport(cluster, clock);
  if (!transport) return transport.error();
  if (heartbeat != nullptr) {
    *transport = with_heartbeat(std::move(*transport), *heartbeat, clock);
  }
  RestClientOptions options;
  options.api_version = cluster.api_version;
  options.now = [&clock] { return clock.now(); };
  return make_rest_client(std::move(*transport), std::move(options));
}

std::string address_text(const ClusterConfig& cluster) {
  if (!cluster.uses_job_api()) return cluster.slurmrestd.url;
  const SlurmJobApiConfig& api = cluster.job_api;
  const std::string server =
      api.endpoint.empty() ? "https://" + api.region + "-aiplatform.googleapis.com" : api.endpoint;
  return server + " " + api.project + "/" + api.region + "/" + api.cluster;
}

}  // namespace sconverge
