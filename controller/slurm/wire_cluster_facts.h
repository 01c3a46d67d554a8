#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "controller/core/cluster_facts.h"

namespace sconverge {

// Each reads one answer of slurmrestd v0.0.40 to v0.0.45; nothing if it is not such an answer.

/// The fields of a job description, from the OpenAPI document (/openapi/v3).
std::optional<std::map<std::string, FieldFacts>> job_fields_in(std::string_view openapi,
                                                               const std::string& api_version);

/// From /slurm/.../partitions/.
std::optional<std::map<std::string, PartitionFacts>> partitions_in(std::string_view answer);

/// The accounts that `user` may use, from /slurmdb/.../associations/. Nothing without a user.
std::optional<std::set<std::string>> accounts_in(std::string_view answer, const std::string& user);

/// From /slurmdb/.../qos/.
std::optional<std::set<std::string>> qos_in(std::string_view answer);

}  // namespace sconverge
