#include "controller/slurm/cluster_facts_reader.h"

#include <utility>

#include "controller/slurm/rest_session.h"
#include "controller/slurm/wire_cluster_facts.h"

namespace sconverge {
namespace {

/// Asks for one thing and reads it, or says why it is not told.
template <typename Facts>
void learn(RestSession& session, ClusterFacts& facts, const std::string& what,
           const std::string& path, std::optional<Facts>& known,
           const std::function<std::optional<Facts>(std::string_view)>& read) {
  const auto text = session.text_of(path);
  if (text) known = read(*text);
  if (known) return;
  facts.not_told.push_back(
      what + (text ? ": the answer tells nothing of use" : ": " + text.error().message));
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
  return facts;
}

}  // namespace sconverge
