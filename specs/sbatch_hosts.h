#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "specs/sbatch_text.h"

namespace sconverge {

/// Names of nodes, as Slurm's host lists write them: `n1,n[2-4,7],gpu[01-08]-ib`.
struct SbatchHosts {
  std::vector<std::string> names{};  ///< the parts of the list, their brackets kept
  std::int64_t count{0};   ///< of different hosts; 0: only the cluster can tell (a `{` in the list)
  std::int64_t places{0};  ///< repetitions counted; 0 likewise
};

/// Facts: Slurm 24.11, hostlist.c. Refused besides bad brackets: more than 65536 hosts (as Slurm
/// does for one range), a name of more than 255 bytes, and what sbatch takes for the name of a
/// file: any text with a slash. Total; time and memory are bounded by 65536 names.
SbatchValue<SbatchHosts> sbatch_hosts(std::string_view text);

/// The same nodes in the same order, neighbours that differ in a number alone as one name: `n1`,
/// `n2`, `n4` as `n[1-2,4]`, as sbatch writes them again for an arbitrary distribution.
std::vector<std::string> ranged_hosts(const std::vector<std::string>& names);

/// The names of all hosts of such a list, also of an empty one; nothing if it is refused, or only
/// the cluster can tell.
std::optional<std::set<std::string, std::less<>>> host_names(std::string_view text);

}  // namespace sconverge
