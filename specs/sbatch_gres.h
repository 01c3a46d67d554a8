#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sconverge {

/// The sizes of a job as far as its generic resources bear on them. None: not asked for.
struct SbatchSizes {
  using Number = std::optional<std::int64_t>;
  Number tasks{};
  Number least_nodes{};
  Number most_nodes{};
  Number cpus_per_task{};
  Number tasks_per_node{};
  Number tasks_per_socket{};
  Number tasks_per_tres{};
  Number sockets_per_node{};
  std::int64_t minimum_cpus{1};
};

/// Texts of generic resources, as sbatch sends them; empty: none.
struct SbatchGresTexts {
  std::string cpus_per_tres{};
  std::string memory_per_tres{};
  std::string tres_freq{};
  std::string tres_per_job{};
  std::string tres_per_node{};
  std::string tres_per_socket{};
  std::string tres_per_task{};
};

/// What sbatch's own check of generic resources makes of a request: it completes `sizes` with what
/// follows from the resources (tasks from GPUs, nodes from GPUs per job and per node, ...), and
/// says what does not fit together. Slurm's controller repeats the check, but by then it has taken
/// other defaults for what was left out.
///
/// Whether the cluster has a resource of a name is left to the cluster. Facts: Slurm 24.11,
/// gres_job_state_validate in gres.c. Total; linear but for the number of different resources,
/// of which more than 64 are refused.
std::vector<std::string> complete_from_gres(const SbatchGresTexts& texts, SbatchSizes& sizes);

}  // namespace sconverge
