#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "specs/sbatch_binding.h"
#include "specs/sbatch_environment.h"
#include "specs/sbatch_nodes.h"

namespace sconverge {

/// What the options of a script say where sbatch does not simply hand it on: sizes, generic
/// resources and what depends on several options. Filled option by option (sbatch_table.h), then
/// held against sbatch's rules (sbatch_rules.h), then turned into fields (sbatch_shape.h).
struct SbatchSettings {
  using Number = std::optional<std::int64_t>;

  Number tasks{};
  Number tasks_per_node{};
  Number tasks_per_socket{};
  Number tasks_per_core{};
  Number tasks_per_tres{};
  Number tasks_per_gpu{};
  Number cpus_per_task{};
  Number cpus_per_gpu{};
  Number cpus_per_node{};  ///< --mincpus
  Number sockets{};
  Number cores{};
  Number threads{};
  std::optional<SbatchNodes> nodes{};
  bool overcommit{false};
  std::vector<std::string> hints{};
  std::string hint_text{};

  Number memory_per_node{};  ///< MiB, as the next two
  Number memory_per_cpu{};
  Number memory_per_gpu{};

  std::string gpus{};
  std::string gpus_per_node{};
  std::string gpus_per_socket{};
  std::string gpus_per_task{};
  std::string gres{};
  std::string tres_per_task{};
  std::string tres_bind{};
  std::string gpu_freq{};

  std::vector<std::string> hosts{};
  std::int64_t host_count{0};   ///< of different ones
  std::int64_t host_places{0};  ///< repetitions counted
  SbatchDistribution distribution{};
  SbatchMemoryBinding memory_binding{};
  Number begin{};     ///< UNIX seconds
  Number deadline{};  ///< UNIX seconds

  std::set<std::string> signal_flags{};
  std::vector<std::string> mail_types{};
  std::vector<std::string> gres_flags{};
  std::vector<std::string> job_flags{};
  SbatchExport exported{};
  bool login_environment{false};                                  ///< --get-user-env
  std::map<std::string, std::string, std::less<>> environment{};  ///< of sbatch's own
};

}  // namespace sconverge
