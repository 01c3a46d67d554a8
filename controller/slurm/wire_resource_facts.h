#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "controller/core/cluster_facts.h"
#include "controller/ports/transport.h"

namespace sconverge {

// Each reads one answer of slurmrestd v0.0.40 to v0.0.45 while it arrives, and keeps names and
// numbers only; nothing if it is not such an answer, or tells an error.
// REQUIRES: it is UTF-8.

struct NodesTold {
  std::set<std::string, std::less<>> names{};
  std::map<std::string, std::int64_t, std::less<>> features{};  ///< to the number of nodes with it
  GresByName gres{};
};

/// From /slurm/.../nodes/.
std::optional<NodesTold> nodes_in(ByteSource& answer);

struct LicensesTold {
  LicenseTotals totals{};
  std::string slurm_release{};  ///< "24.11.5"; empty: not told
};

/// From /slurm/.../licenses/.
std::optional<LicensesTold> licenses_in(ByteSource& answer);

/// From /slurm/.../reservations/.
std::optional<std::set<std::string, std::less<>>> reservations_in(ByteSource& answer);

/// MaxArraySize, from /slurm/.../conf (v0.0.45 and later).
std::optional<std::int64_t> array_size_in(ByteSource& answer);

}  // namespace sconverge
