#pragma once

#include <map>
#include <string>
#include <vector>

#include "controller/app/config.h"
#include "controller/app/config_file.h"

namespace sconverge {

/// Who said what; `places` has the clusters of the file.
struct Sayings {
  const std::vector<GivenSetting>& given;
  const std::string& default_cluster;
  const std::map<std::string, Problem>& places;
};

/// What `needs` asks for and nobody gave, or what does not go together. A setting that was given
/// and refused is not missing, too.
std::vector<Problem> missing_settings(const Config& config, const ConfigInputs& inputs,
                                      const ConfigNeeds& needs, const Sayings& sayings);

/// Whether the cluster is (or is meant to be) reached through the Slurm Job API.
bool says_job_api(const ClusterConfig& cluster);

/// A problem with the key of a cluster, at the cluster's place in the file, if it stands in one.
Problem place_of(const std::string& cluster, const std::string& key,
                 const std::map<std::string, Problem>& places);

Problem named_problem(std::string field, std::string what, std::string remedy,
                      ProblemKind kind = ProblemKind::Schema);

}  // namespace sconverge
