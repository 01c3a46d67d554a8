#include "specs/sbatch_shape.h"

#include <algorithm>
#include <utility>

#include "specs/sbatch_gres.h"
#include "specs/sbatch_hosts.h"
#include "specs/sbatch_tres.h"

namespace sconverge {
namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 40;

std::int64_t times(std::int64_t a, std::int64_t b) {
  if (a <= 0 || b <= 0) return 0;
  return a > kMost / b ? kMost : a * b;
}

class Shape {
 public:
  Shape(SbatchReading& reading, const SbatchCounts& counts)
      : reading_(reading), settings_(reading.settings), counts_(counts) {}

  void derive() {
    check_cores();
    size_for_slurm();
    complete_from_resources();
    write_sizes();
    write_cpus();
    write_resources();
    write_memory();
    write_hosts();
  }

 private:
  using Names = std::initializer_list<std::string_view>;

  void set(std::string_view field, FieldValue value, Names from) {
    reading_.set(field, std::move(value), reading_.last_given(from));
  }

  void set_if(std::string_view field, const SbatchSettings::Number& value, Names from) {
    if (value) set(field, *value, from);
  }

  void set_text(std::string_view field, const std::string& value, Names from) {
    if (!value.empty()) set(field, value, from);
  }

  void check_cores() {
    if (settings_.cores) {
      reading_.refuse_together(
          {"cores-per-socket", "extra-node-info", "hint"},
          "cores of a socket cannot be asked for in all versions of the REST API",
          "use --cpus-per-task, --constraint, or --hint=nomultithread");
    }
    if (settings_.tasks_per_core && settings_.threads &&
        *settings_.threads < *settings_.tasks_per_core) {
      reading_.refuse_together({"ntasks-per-core", "threads-per-core", "extra-node-info"},
                               "--ntasks-per-core is more than the threads of a core",
                               "lower it, or raise --threads-per-core");
    }
  }

  // What sbatch sends, before it looks at generic resources.
  void size_for_slurm() {
    if (counts_.tasks_set) sizes_.tasks = counts_.tasks;
    if (counts_.nodes_set) {
      sizes_.least_nodes = counts_.nodes.least;
      if (counts_.nodes.most > 0) sizes_.most_nodes = counts_.nodes.most;
    } else if (counts_.tasks_set && settings_.tasks_per_node) {
      const std::int64_t per = *settings_.tasks_per_node;
      sizes_.least_nodes = counts_.tasks / per + (counts_.tasks % per > 0 ? 1 : 0);
    }
    sizes_.cpus_per_task = settings_.cpus_per_task;
    sizes_.tasks_per_node = settings_.tasks_per_node;
    sizes_.tasks_per_socket = settings_.tasks_per_socket;
    sizes_.tasks_per_tres =
        settings_.tasks_per_tres ? settings_.tasks_per_tres : settings_.tasks_per_gpu;
    sizes_.sockets_per_node = settings_.sockets;
    sizes_.minimum_cpus = estimated_cpus();
  }

  [[nodiscard]] std::int64_t estimated_cpus() const {
    if (settings_.overcommit) return std::max<std::int64_t>(counts_.nodes.least, 1);
    std::int64_t tasks = counts_.tasks;
    if (settings_.tasks_per_node && !counts_.tasks_set && counts_.is_fixed()) {
      tasks = times(counts_.nodes.least, *settings_.tasks_per_node);
    }
    return times(tasks, settings_.cpus_per_task.value_or(1));
  }

  void complete_from_resources() {
    texts_.tres_per_job = gpus_as_tres(settings_.gpus);
    texts_.tres_per_node = gpus_as_tres(settings_.gpus_per_node);
    const bool asks = reading_.given("gres") != nullptr;
    if (const std::string gres = asks ? gres_as_tres(settings_.gres) : ""; !gres.empty()) {
      texts_.tres_per_node += (texts_.tres_per_node.empty() ? "" : ",") + gres;
    }
    texts_.tres_per_socket = gpus_as_tres(settings_.gpus_per_socket);
    texts_.tres_per_task = settings_.tres_per_task;
    if (!settings_.gpu_freq.empty()) texts_.tres_freq = "gpu:" + settings_.gpu_freq;
    if (settings_.cpus_per_gpu) {
      texts_.cpus_per_tres = "gres/gpu:" + std::to_string(*settings_.cpus_per_gpu);
    }
    if (settings_.memory_per_gpu) {
      texts_.memory_per_tres = "gres/gpu:" + std::to_string(*settings_.memory_per_gpu);
    }
    for (std::string& what : complete_from_gres(texts_, sizes_)) {
      reading_.refuse_together({"gpus", "gpus-per-node", "gpus-per-socket", "gpus-per-task", "gres",
                                "tres-per-task", "ntasks-per-gpu", "ntasks-per-tres",
                                "cpus-per-gpu", "mem-per-gpu", "gpu-freq", "nodes", "ntasks"},
                               std::move(what), "make the numbers agree");
    }
  }

  // For an arbitrary distribution sbatch makes the list anew (Slurm 24.11).
  void write_hosts() {
    if (settings_.distribution.base != "arbitrary" || settings_.hosts.empty()) return;
    set("required_nodes", ranged_hosts(settings_.hosts), {"nodelist"});
  }

  void write_sizes() {
    const Names from_tasks = {"ntasks",         "nodes",         "extra-node-info", "hint",
                              "nodelist",       "gpus",          "gpus-per-node",   "gpus-per-task",
                              "ntasks-per-gpu", "tres-per-task", "ntasks-per-tres"};
    set_if("tasks", sizes_.tasks, from_tasks);
    set_if("tasks_per_node", sizes_.tasks_per_node, {"ntasks-per-node", "gpus-per-task"});
    set_if("tasks_per_socket", sizes_.tasks_per_socket, {"ntasks-per-socket", "gpus-per-task"});
    set_if("tasks_per_core", settings_.tasks_per_core, {"ntasks-per-core", "hint"});
    set_if("ntasks_per_tres", sizes_.tasks_per_tres, {"ntasks-per-gpu", "ntasks-per-tres"});
    set_if("sockets_per_node", sizes_.sockets_per_node, {"sockets-per-node", "extra-node-info"});
    set_if("threads_per_core", settings_.threads, {"threads-per-core", "extra-node-info", "hint"});
    const Names from_nodes = {"nodes", "nodelist",      "ntasks", "ntasks-per-node",
                              "gpus",  "gpus-per-node", "gres"};
    if (sizes_.most_nodes) {
      set("nodes", nodes_text(), from_nodes);
    } else {
      set_if("minimum_nodes", sizes_.least_nodes, from_nodes);
    }
  }

  [[nodiscard]] std::string nodes_text() const {
    const std::int64_t most = *sizes_.most_nodes;
    const std::int64_t least = sizes_.least_nodes.value_or(1);
    if (!counts_.nodes.list.empty() && least == counts_.nodes.least && most == counts_.nodes.most)
      return counts_.nodes.list;
    if (least == most) return std::to_string(least);
    return std::to_string(least) + "-" + std::to_string(most);
  }

  // The number of CPUs that the controller would find for itself, were it not told.
  [[nodiscard]] std::int64_t cpus_by_controller(SbatchSettings::Number told) const {
    const std::int64_t nodes = sizes_.least_nodes.value_or(1);
    SbatchSettings::Number tasks = sizes_.tasks;
    if (!tasks && sizes_.tasks_per_tres) {
      tasks = times(nodes, *sizes_.tasks_per_tres);
    } else if (!tasks && sizes_.tasks_per_node) {
      tasks = times(nodes, *sizes_.tasks_per_node);
    }
    const std::int64_t cpus = sizes_.cpus_per_task.value_or(1);
    if (settings_.overcommit) return told.value_or(nodes);
    if (told && (!tasks || *tasks <= *told)) return *told;
    return times(tasks.value_or(nodes), cpus);
  }

  void write_cpus() {
    const Names from = {"cpus-per-task", "tres-per-task", "mincpus",       "cpus-per-gpu",
                        "gpus",          "gpus-per-node", "gpus-per-task", "nodes",
                        "ntasks",        "overcommit",    "gres"};
    set_if("cpus_per_task", sizes_.cpus_per_task,
           {"cpus-per-task", "tres-per-task", "cpus-per-gpu"});
    set_if("minimum_cpus_per_node", settings_.cpus_per_node,
           {"mincpus", "cpus-per-task", "tres-per-task"});
    if (settings_.cpus_per_task) settings_.job_flags.emplace_back("EXACT_CPU_COUNT_REQUESTED");
    const std::int64_t told = cpus_by_controller(sizes_.minimum_cpus);
    const std::int64_t untold = std::max(cpus_by_controller(std::nullopt),
                                         settings_.cpus_per_gpu ? sizes_.minimum_cpus : 0);
    if (told != untold) set("minimum_cpus", sizes_.minimum_cpus, from);
    if (settings_.overcommit) set("overcommit", true, {"overcommit"});
  }

  void write_resources() {
    set_text("cpus_per_tres", texts_.cpus_per_tres, {"cpus-per-gpu"});
    set_text("memory_per_tres", texts_.memory_per_tres, {"mem-per-gpu"});
    set_text("tres_freq", texts_.tres_freq, {"gpu-freq"});
    set_text("tres_per_job", texts_.tres_per_job, {"gpus"});
    set_text("tres_per_node", texts_.tres_per_node, {"gpus-per-node", "gres"});
    set_text("tres_per_socket", texts_.tres_per_socket, {"gpus-per-socket"});
    set_text("tres_per_task", texts_.tres_per_task,
             {"tres-per-task", "gpus-per-task", "cpus-per-task"});
    set_text("tres_bind", settings_.tres_bind,
             {"tres-bind", "gpu-bind", "tres-per-task", "gpus-per-task"});
  }

  void write_memory() {
    set_if("memory_per_node", settings_.memory_per_node, {"mem"});
    if (!settings_.memory_per_node) {
      set_if("memory_per_cpu", settings_.memory_per_cpu, {"mem-per-cpu"});
    }
  }

  SbatchReading& reading_;
  SbatchSettings& settings_;
  const SbatchCounts& counts_;
  SbatchSizes sizes_{};
  SbatchGresTexts texts_{};
};

}  // namespace

void derive_shape(SbatchReading& reading, const SbatchCounts& counts) {
  Shape(reading, counts).derive();
}

}  // namespace sconverge
