#pragma once

#include "controller/core/cluster_facts.h"
#include "controller/core/cluster_findings.h"
#include "controller/core/time.h"

namespace sconverge {

/// Nodes, features, generic resources, licences, array indexes and reservations that the cluster
/// does not have, or not as many. What it did not tell is not looked at.
void check_names(ClusterFindings& findings, const ClusterFacts& facts);

/// Whether the job can end before its deadline if it began at `now`, as Slurm asks at submission:
/// with `time_minimum` if there is one, else with `time_limit`.
void check_deadline(ClusterFindings& findings, TimePoint now);

}  // namespace sconverge
