#pragma once

#include <memory>
#include <string>

#include "controller/app/config.h"
#include "controller/app/heartbeat.h"
#include "controller/core/result.h"
#include "controller/ports/clock.h"
#include "controller/ports/slurm_client.h"
#include "controller/ports/transport.h"

namespace sconverge {

// Both reach for nothing yet, and start the process's HTTP threads at the first call. `clock` must
// outlive what they return.

/// The way to a cluster that its configuration says. The API version is not its matter.
Result<std::unique_ptr<Transport>> make_transport(const ClusterConfig& cluster, const Clock& clock);

/// `heartbeat`, if there is one, beats at each request and must outlive the client.
Result<std::unique_ptr<SlurmClient>> make_client(const ClusterConfig& cluster, const Clock& clock,
                                                 Heartbeat* heartbeat = nullptr);

/// Where the cluster is, for people: "http://host:6820", or the Job API's address and names.
std::string address_text(const ClusterConfig& cluster);

}  // namespace sconverge
