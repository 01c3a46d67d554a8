#pragma once

#include <memory>
#include <string>

#include "controller/core/cluster_facts.h"
#include "controller/core/result.h"
#include "controller/ports/transport.h"

namespace sconverge {

/// Asks a cluster for everything that specs can be held against: its OpenAPI document (which only
/// slurmrestd itself has, not the Slurm Job API), partitions, the user's accounts, QOS, nodes,
/// licences and reservations. What cannot be had is told in ClusterFacts::not_told. `pinned`: the
/// API version to use; empty: the newest that both sides know. An Error if the cluster does not
/// answer at all, or refuses us.
Result<ClusterFacts> read_cluster_facts(std::unique_ptr<Transport> transport,
                                        const std::string& pinned);

}  // namespace sconverge
