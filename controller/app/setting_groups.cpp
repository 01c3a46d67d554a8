#include "controller/app/setting_groups.h"

#include <string_view>

namespace sconverge {

bool is_about_clusters(const Setting& setting) {
  return setting.scope == SettingScope::Cluster || setting.key == "defaultCluster";
}

bool is_about_gateways(const Setting& setting) {
  for (const std::string_view prefix : {"gateway.", "log.", "slurmrestd."}) {
    if (setting.key.starts_with(prefix)) return true;
  }
  for (const std::string_view key :
       {"listen", "tlsCert", "tlsKey", "slurmJobApi.project", "slurmJobApi.region",
        "slurmJobApi.cluster", "slurmJobApi.googleApiVersion", "caFile", "requestTimeout"}) {
    if (setting.key == key) return true;
  }
  return false;
}

bool is_about_controllers(const Setting& setting) { return !setting.key.starts_with("gateway."); }

}  // namespace sconverge
