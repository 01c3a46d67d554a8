#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "controller/core/time.h"
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
  std::string hosts{};  ///< its nodes, as a host list: "n[1-4]"
};

/// How much of a generic resource, or of one type of it, the nodes have.
struct GresAmount {
  std::int64_t on_a_node{0};  ///< on the node that has most of it
  std::int64_t in_all{0};
};

/// A generic resource.
struct GresFacts {
  GresAmount whole{};  ///< whatever the type
  std::map<std::string, GresAmount, std::less<>> types{};
  bool has_untyped{false};  ///< some node does not say of which types it has it
};

using GresByName = std::map<std::string, GresFacts, std::less<>>;

/// A licence's name to how many there are; nothing where another cluster may take a part of them.
using LicenseTotals = std::map<std::string, std::optional<std::int64_t>, std::less<>>;

/// What a cluster tells that a spec can be held against. What it did not tell is absent, and never
/// taken for "none".
struct ClusterFacts {
  std::string api_version{};
  std::optional<std::map<std::string, FieldFacts>> fields{};  ///< of a job description
  std::optional<std::map<std::string, PartitionFacts>> partitions{};
  std::optional<std::set<std::string>> accounts{};  ///< that our user may use
  std::optional<std::set<std::string>> qos{};
  std::optional<std::set<std::string, std::less<>>> nodes{};
  std::optional<std::map<std::string, std::int64_t, std::less<>>> features{};  ///< to nodes with it
  std::optional<GresByName> gres{};
  std::optional<LicenseTotals> licenses{};
  std::optional<std::set<std::string, std::less<>>> reservations{};
  std::optional<std::int64_t> array_indexes{};  ///< MaxArraySize: each index of an array is below
  std::string slurm_release{};                  ///< "24.11.5"; empty: not told
  std::vector<std::string> not_told{};          ///< one sentence for each of these, with the reason
};

/// Everything in `spec` that the cluster would refuse at the time `now`, never start, or silently
/// leave out, each with the field; at the spec's file and line, or in an sbatch script at the line
/// of the directive that set the field. Pure, and total whatever the texts.
///
/// Facts: Slurm 24.11 and 26.05, tried with sbatch. What no answer of the REST API tells is left to
/// Slurm, among it MaxArraySize before API v0.0.45.
std::vector<Problem> problems_on_cluster(const JobSpec& spec, const ClusterFacts& facts,
                                         TimePoint now);

}  // namespace sconverge
