#include "controller/google/find.h"

#include <sys/stat.h>

namespace sconverge {
namespace {

constexpr const char* kFileVariable = "GOOGLE_APPLICATION_CREDENTIALS";

/// Empty if there is no directory it could be in.
std::string gcloud_file(const Variables& variables) {
  constexpr const char* kName = "/application_default_credentials.json";
  if (const auto config = value_of(variables, "CLOUDSDK_CONFIG"); !config.empty()) {
    return config + kName;
  }
  const auto home = value_of(variables, "HOME");
  return home.empty() ? "" : home + "/.config/gcloud" + kName;
}

bool is_file(const std::string& path) {
  struct stat state {};
  return !path.empty() && stat(path.c_str(), &state) == 0 && S_ISREG(state.st_mode);
}

}  // namespace

std::string value_of(const Variables& variables, const std::string& name) {
  const auto found = variables.find(name);
  return found == variables.end() ? "" : found->second;
}

Place find_credentials(const std::string& file, const Variables& variables) {
  if (!file.empty()) return {file, "named in the configuration"};
  const auto named = value_of(variables, kFileVariable);
  if (!named.empty()) return {named, std::string("named by ") + kFileVariable};
  const auto gcloud = gcloud_file(variables);
  return is_file(gcloud) ? Place{gcloud, "gcloud's"} : Place{};
}

std::string nothing_found(const Variables& variables, const std::string& metadata) {
  const auto gcloud = gcloud_file(variables);
  return "no Google credentials: the configuration names no credential file, " +
         std::string(kFileVariable) + " is not set, " +
         (gcloud.empty() ? "neither CLOUDSDK_CONFIG nor HOME says where gcloud's file would be"
                         : "gcloud's file " + gcloud + " is not there") +
         ", and " + metadata + "; set " + kFileVariable +
         " to a credential file, run \"gcloud auth application-default login\", or run on Google "
         "Cloud with a service account attached";
}

}  // namespace sconverge
