#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "specs/job_spec.h"
#include "specs/problem.h"

namespace sconverge {

/// What a cluster's own OpenAPI document says of one field of a job description.
struct FieldFacts {
  std::string type{};             ///< "string", "integer", "boolean", "array", "object"
  std::set<std::string> words{};  ///< the only ones that may stand in it; empty: any
};

struct PartitionFacts {
  std::optional<std::int64_t> most_minutes{};  ///< nothing: no limit
  std::optional<std::int64_t> nodes{};         ///< it has in all
  std::set<std::string> allowed_accounts{};    ///< empty: all but the denied
  std::set<std::string> denied_accounts{};
  std::set<std::string> allowed_qos{};
  std::set<std::string> denied_qos{};
};

/// What a cluster tells that a spec can be held against. What it did not tell is absent, and never
/// taken for "none".
struct ClusterFacts {
  std::string api_version{};
  std::optional<std::map<std::string, FieldFacts>> fields{};  ///< of a job description
  std::optional<std::map<std::string, PartitionFacts>> partitions{};
  std::optional<std::set<std::string>> accounts{};  ///< that our user may use
  std::optional<std::set<std::string>> qos{};
  std::vector<std::string> not_told{};  ///< one sentence for each of these, with the reason
};

/// Everything in `spec` that the cluster would refuse, never start, or silently leave out, each
/// with the field; at the spec's file and line. Pure.
std::vector<Problem> problems_on_cluster(const JobSpec& spec, const ClusterFacts& facts);

}  // namespace sconverge
