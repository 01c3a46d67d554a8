#include "controller/slurm/cluster_facts_reader.h"

#include <utility>

#include "controller/slurm/rest_session.h"
#include "controller/slurm/wire_cluster_facts.h"
#include "controller/slurm/wire_resource_facts.h"
#include "specs/sbatch_hosts.h"

namespace sconverge {
namespace {

constexpr const char* kNothing = ": the answer tells nothing of use";

/// Asks for one thing and reads it, or says why it is not told.
template <typename Facts>
void learn(RestSession& session, ClusterFacts& facts, const std::string& what,
           const std::string& path, std::optional<Facts>& known,
           const std::function<std::optional<Facts>(std::string_view)>& read) {
  const auto text = session.text_of(path);
  if (text) known = read(*text);
  if (known) return;
  facts.not_told.push_back(what + (text ? kNothing : ": " + text.error().message));
}

/// The same for what may be too large to keep whole.
template <typename Facts>
std::optional<Facts> learn_streamed(RestSession& session, ClusterFacts& facts,
                                    const std::string& what, const std::string& path,
                                    std::optional<Facts> (*read)(ByteSource&)) {
  std::optional<Facts> known;
  const auto error = session.read_from(path, [&](ByteSource& bytes) { known = read(bytes); });
  if (!error && known) return known;
  facts.not_told.push_back(what + (error ? ": " + error->message : kNothing));
  return std::nullopt;
}

/// A node of some partition that is not among those `shown`; nothing if there is none. Slurm does
/// not show nodes of the cloud that are powered down (unless PrivateData says so), yet takes jobs
/// for them.
std::optional<std::string> hidden_node(const std::map<std::string, PartitionFacts>& partitions,
                                       std::set<std::string, std::less<>>& shown) {
  std::optional<std::string> hidden;
  for (const auto& [name, partition] : partitions) {
    const auto hosts = host_names(partition.hosts);
    if (!hosts) return partition.hosts;
    for (const std::string& host : *hosts) {
      if (shown.insert(host).second) hidden = host;
    }
  }
  return hidden;
}

/// Nodes, and what they have. Of a cluster that does not show all of them, only the names are told.
void learn_nodes(RestSession& session, ClusterFacts& facts, const std::string& path) {
  auto told = learn_streamed(session, facts, "its nodes", path, nodes_in);
  if (!told) return;
  if (!facts.partitions || told->names.empty()) {
    facts.not_told.push_back("its nodes: there may be some that are not shown");
    return;
  }
  auto names = std::move(told->names);
  const auto hidden = hidden_node(*facts.partitions, names);
  if (hidden) {
    facts.not_told.push_back("the features and generic resources of all nodes: " + *hidden +
                             " is not shown");
  } else {
    facts.features = std::move(told->features);
    facts.gres = std::move(told->gres);
  }
  facts.nodes = std::move(names);
}

void learn_licenses(RestSession& session, ClusterFacts& facts, const std::string& path) {
  auto told = learn_streamed(session, facts, "its licences", path, licenses_in);
  if (!told) return;
  facts.licenses = std::move(told->totals);
  facts.slurm_release = std::move(told->slurm_release);
}

}  // namespace

Result<ClusterFacts> read_cluster_facts(std::unique_ptr<Transport> transport,
                                        const std::string& pinned) {
  RestSession session(std::move(transport), pinned);
  const auto version = session.version();
  if (!version) return version.error();
  ClusterFacts facts{.api_version = *version};
  const std::string& user = session.transport().user();
  using Fields = std::map<std::string, FieldFacts>;
  using Names = std::set<std::string>;
  learn<Fields>(session, facts, "the fields of its API", "/openapi/v3", facts.fields,
                [&](std::string_view text) { return job_fields_in(text, *version); });
  learn<std::map<std::string, PartitionFacts>>(session, facts, "its partitions",
                                               "/slurm/" + *version + "/partitions/",
                                               facts.partitions, partitions_in);
  learn<Names>(session, facts, "the user's accounts", "/slurmdb/" + *version + "/associations/",
               facts.accounts, [&](std::string_view text) { return accounts_in(text, user); });
  learn<Names>(session, facts, "its QOS", "/slurmdb/" + *version + "/qos/", facts.qos, qos_in);
  const std::string slurm = "/slurm/" + *version;
  learn_nodes(session, facts, slurm + "/nodes/");
  learn_licenses(session, facts, slurm + "/licenses/");
  facts.reservations =
      learn_streamed(session, facts, "its reservations", slurm + "/reservations/", reservations_in);
  // No older version has it, which is no news to the user each time.
  if (*version >= "v0.0.45") {
    facts.array_indexes =
        learn_streamed(session, facts, "MaxArraySize", slurm + "/conf", array_size_in);
  }
  return facts;
}

}  // namespace sconverge
