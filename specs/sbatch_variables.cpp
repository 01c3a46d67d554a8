#include "specs/sbatch_variables.h"

#include <array>
#include <utility>

#include "specs/sbatch_hosts.h"

namespace sconverge {
namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

// So that an mpirun that starts its daemons with srun takes the whole of the allocation.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kLaunchers = {{
    {"OMPI_MCA_plm_slurm_args", "--external-launcher"},
    {"PRTE_MCA_plm_slurm_args", "--external-launcher"},
    {"HYDRA_BOOTSTRAP", "slurm"},
    {"HYDRA_LAUNCHER_EXTRA_ARGS", "--external-launcher"},
    {"I_MPI_HYDRA_BOOTSTRAP", "slurm"},
    {"I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS", "--external-launcher"},
}};

void put(Variables& variables, std::string_view name, const SbatchSettings::Number& value) {
  if (value) variables[std::string(name)] = std::to_string(*value);
}

void put(Variables& variables, std::string_view name, const std::string& value) {
  if (!value.empty()) variables[std::string(name)] = value;
}

void put_tasks(const SbatchSettings& settings, const SbatchCounts& counts, Variables& variables) {
  if (counts.tasks_set) {
    variables["SLURM_NTASKS"] = std::to_string(counts.tasks);
    variables["SLURM_NPROCS"] = std::to_string(counts.tasks);
  }
  put(variables, "SLURM_NTASKS_PER_NODE", settings.tasks_per_node);
  put(variables, "SLURM_NTASKS_PER_SOCKET", settings.tasks_per_socket);
  put(variables, "SLURM_NTASKS_PER_CORE", settings.tasks_per_core);
  put(variables, "SLURM_NTASKS_PER_TRES", settings.tasks_per_tres);
  if (!settings.tasks_per_tres) put(variables, "SLURM_NTASKS_PER_GPU", settings.tasks_per_gpu);
  put(variables, "SLURM_CPUS_PER_TASK", settings.cpus_per_task);
  put(variables, "SLURM_THREADS_PER_CORE", settings.threads);
}

void put_bindings(const SbatchSettings& settings, Variables& variables) {
  put(variables, "SLURM_DISTRIBUTION", environment_distribution(settings.distribution));
  if (settings.distribution.plane_size > 0) {
    variables["SLURM_DIST_PLANESIZE"] = std::to_string(settings.distribution.plane_size);
  }
  if (settings.distribution.base == "arbitrary") {
    std::string nodes;
    for (const std::string& name : ranged_hosts(settings.hosts))
      nodes += (nodes.empty() ? "" : ",") + name;
    put(variables, "SLURM_ARBITRARY_NODELIST", nodes);
  }
  const SbatchMemoryBinding& memory = settings.memory_binding;
  const std::string text = environment_memory_binding(memory);
  if (text.empty()) return;
  variables["SLURM_MEM_BIND"] = text;
  variables["SLURM_MEM_BIND_VERBOSE"] = memory.verbose ? "verbose" : "quiet";
  if (memory.sort) variables["SLURM_MEM_BIND_SORT"] = "sort";
}

void put_resources(const SbatchSettings& settings, Variables& variables) {
  put(variables, "SLURM_CPUS_PER_GPU", settings.cpus_per_gpu);
  put(variables, "SLURM_GPUS", settings.gpus);
  put(variables, "SLURM_GPU_FREQ", settings.gpu_freq);
  put(variables, "SLURM_GPUS_PER_NODE", settings.gpus_per_node);
  put(variables, "SLURM_GPUS_PER_SOCKET", settings.gpus_per_socket);
  put(variables, "SLURM_MEM_PER_GPU", settings.memory_per_gpu);
  put(variables, "SLURM_TRES_PER_TASK", settings.tres_per_task);
  put(variables, "SLURM_TRES_BIND", settings.tres_bind);
}

}  // namespace

void write_environment(SbatchReading& reading, const SbatchCounts& counts) {
  SbatchSettings& settings = reading.settings;
  SbatchRequest& request = reading.request;
  Variables variables = settings.exported.variables;
  for (const auto& [name, value] : settings.environment) variables[name] = value;
  if (settings.login_environment) variables["SLURM_GET_USER_ENV"] = "1";
  put_resources(settings, variables);
  for (const auto& [name, value] : kLaunchers) variables.emplace(name, value);
  put_tasks(settings, counts, variables);
  put_bindings(settings, variables);
  for (const auto& [name, value] : variables) {
    request.environment.push_back(std::string(name).append("=").append(value));
  }
  request.inherits_environment = settings.exported.inherits;
  request.inherited_names.assign(settings.exported.names.begin(), settings.exported.names.end());
  if (const SbatchOption* option = reading.last_given({"export", "get-user-env"})) {
    request.lines["environment"] = option->line;
  }
}

}  // namespace sconverge
