#include "specs/sbatch_gres.h"

#include <algorithm>
#include <utility>

#include "specs/sbatch_tres.h"

namespace sconverge {
namespace {

constexpr std::size_t kMaxResources = 64;

// The numbers are at most 2^52; products of them are cut here.
constexpr std::int64_t kMost = std::int64_t{1} << 40;

std::int64_t times(std::int64_t a, std::int64_t b) {
  if (a == 0 || b == 0) return 0;
  return a > kMost / b ? kMost : a * b;
}

// What is asked for of one resource.
struct Asked {
  std::string name;
  std::string type;
  std::int64_t per_job{0};
  std::int64_t per_node{0};
  std::int64_t per_socket{0};
  std::int64_t per_task{0};
  std::int64_t cpus{0};
  std::int64_t total{0};
};

class GresCheck {
 public:
  GresCheck(const SbatchGresTexts& texts, SbatchSizes& sizes) : texts_(texts), sizes_(sizes) {}

  std::vector<std::string> run() {
    if (nothing_asked()) return {};
    imply_tasks();
    read_all();
    if (problems_.empty()) count_tasks_of_gpus();
    if (problems_.empty() && !asked_.empty()) check_all();
    return std::move(problems_);
  }

 private:
  void refuse(std::string what) { problems_.push_back(std::move(what)); }

  [[nodiscard]] bool nothing_asked() const {
    return texts_.cpus_per_tres.empty() && texts_.memory_per_tres.empty() &&
           texts_.tres_per_job.empty() && texts_.tres_per_node.empty() &&
           texts_.tres_per_socket.empty() && texts_.tres_per_task.empty() && !sizes_.tasks_per_tres;
  }

  // A fixed number of nodes gives the number of tasks.
  void imply_tasks() {
    const bool fixed = sizes_.least_nodes && sizes_.least_nodes == sizes_.most_nodes;
    if ((texts_.tres_per_task.empty() && !sizes_.tasks_per_tres) || sizes_.tasks || !fixed) return;
    if (sizes_.tasks_per_tres) {
      sizes_.tasks = times(*sizes_.least_nodes, *sizes_.tasks_per_tres);
    } else if (sizes_.tasks_per_node) {
      sizes_.tasks = times(*sizes_.least_nodes, *sizes_.tasks_per_node);
    } else if (!sizes_.cpus_per_task) {
      sizes_.tasks = sizes_.least_nodes;
    }
  }

  template <typename Use>
  void read(const std::string& text, Use use) {
    const auto resources = generic_resources(text);
    if (!resources.value) return refuse(resources.what);
    for (const SbatchGres& gres : *resources.value) {
      auto at = std::find_if(asked_.begin(), asked_.end(), [&](const Asked& asked) {
        return asked.name == gres.name && asked.type == gres.type;
      });
      if (at == asked_.end()) {
        if (asked_.size() == kMaxResources) return refuse("names too many generic resources");
        at = asked_.insert(asked_.end(), Asked{.name = gres.name, .type = gres.type});
      }
      use(*at, gres.count);
    }
  }

  void read_all() {
    read(texts_.cpus_per_tres, [](Asked& gres, std::int64_t count) { gres.cpus = count; });
    read(texts_.tres_per_job, [this](Asked& gres, std::int64_t count) {
      gres.per_job = count;
      add_total(gres, count);
    });
    read(texts_.tres_per_node, [this](Asked& gres, std::int64_t count) {
      gres.per_node = count;
      add_total(gres, times(count, sizes_.least_nodes.value_or(1)));
    });
    read(texts_.tres_per_socket, [this](Asked& gres, std::int64_t count) {
      gres.per_socket = count;
      add_total(gres, times(count, sockets()));
    });
    read(texts_.tres_per_task, [this](Asked& gres, std::int64_t count) {
      gres.per_task = count;
      add_total(gres, times(count, sizes_.tasks.value_or(1)));
    });
    read(texts_.memory_per_tres, [](Asked&, std::int64_t) {});
  }

  void add_total(Asked& gres, std::int64_t count) {
    gpu_asked_ = gpu_asked_ || gres.name == "gpu";
    gres.total = std::max(gres.total, count);
  }

  [[nodiscard]] std::int64_t sockets() const {
    if (sizes_.sockets_per_node) {
      return times(*sizes_.sockets_per_node, sizes_.least_nodes.value_or(1));
    }
    if (!sizes_.tasks || !sizes_.tasks_per_socket) return 1;
    return (*sizes_.tasks + *sizes_.tasks_per_socket - 1) / *sizes_.tasks_per_socket;
  }

  // --ntasks-per-gpu: tasks from GPUs, or GPUs from tasks.
  void count_tasks_of_gpus() {
    if (!sizes_.tasks_per_tres) return;
    if (gpu_asked_ && !asked_.empty()) {
      std::int64_t gpus = 0;
      for (const Asked& gres : asked_) {
        if (gres.name == "gpu") gpus = std::min(gpus + gres.total, kMost);
      }
      sizes_.tasks = times(gpus, *sizes_.tasks_per_tres);
    } else if (sizes_.tasks) {
      const std::int64_t gpus = *sizes_.tasks / *sizes_.tasks_per_tres;
      read("gres/gpu:" + std::to_string(gpus), [this](Asked& gres, std::int64_t count) {
        gres.per_job = count;
        add_total(gres, count);
      });
    } else {
      refuse("--ntasks-per-gpu and --ntasks-per-tres need GPUs, or a number of tasks or nodes");
    }
  }

  void check_all() {
    if (!gpu_asked_ && !texts_.memory_per_tres.empty()) {
      refuse("--mem-per-gpu needs GPUs to be asked for");
    }
    if (!gpu_asked_ && !texts_.cpus_per_tres.empty()) {
      refuse("--cpus-per-gpu needs GPUs to be asked for");
    }
    std::int64_t cpus = 0;
    std::int64_t cpus_per_gpu = 0;
    for (const Asked& gres : asked_) cpus_per_gpu = std::max(cpus_per_gpu, gres.cpus);
    for (Asked& gres : asked_) {
      check_counts(gres);
      check_nodes(gres);
      check_sockets(gres);
      check_tasks(gres);
      check_tasks_per(gres, gres.per_node, sizes_.tasks_per_node, "node");
      check_tasks_per(gres, gres.per_socket, sizes_.tasks_per_socket, "socket");
      check_cpus(gres);
      check_job(gres);
      if (gres.name == "gpu") cpus = std::min(cpus + times(cpus_per_gpu, gres.total), kMost);
    }
    sizes_.minimum_cpus = std::max(sizes_.minimum_cpus, cpus);
    check_kinds();
  }

  // More of a resource for a part than for the whole.
  void check_counts(const Asked& gres) {
    const std::int64_t parts = std::max({gres.per_node, gres.per_socket, gres.per_task});
    if (gres.per_job > 0 && parts > gres.per_job) {
      refuse("more of " + gres.name + " are asked for on a node, socket or task than in all");
    } else if (gres.per_node > 0 && std::max(gres.per_task, gres.per_socket) > gres.per_node) {
      refuse("more of " + gres.name + " are asked for on a socket or task than on its node");
    }
    if (gres.per_socket > 0 && !sizes_.sockets_per_node) {
      refuse("--" + gres.name + "s-per-socket needs --sockets-per-node");
    }
    if (gres.cpus > 0 && sizes_.cpus_per_task) {
      refuse("--cpus-per-" + gres.name + " and --cpus-per-task exclude each other");
    }
  }

  void check_nodes(const Asked& gres) {
    if (gres.per_job == 0 || gres.per_node == 0 || gres.per_node > gres.per_job) return;
    if (gres.per_job % gres.per_node != 0) {
      return refuse("the number of " + gres.name + " in all is not a multiple of that on a node");
    }
    const std::int64_t nodes = gres.per_job / gres.per_node;
    if ((sizes_.least_nodes && nodes < *sizes_.least_nodes) ||
        (sizes_.most_nodes && nodes > *sizes_.most_nodes)) {
      return refuse("the numbers of " + gres.name + " in all and on a node make " +
                    std::to_string(nodes) + " nodes, which --nodes does not allow");
    }
    sizes_.least_nodes = nodes;
    sizes_.most_nodes = nodes;
  }

  void check_sockets(const Asked& gres) {
    if (gres.per_node == 0 || gres.per_socket == 0 || gres.per_socket > gres.per_node) return;
    if (gres.per_node % gres.per_socket != 0) {
      return refuse("the number of " + gres.name +
                    " on a node is not a multiple of that on a socket");
    }
    const std::int64_t sockets = gres.per_node / gres.per_socket;
    if (sizes_.sockets_per_node && *sizes_.sockets_per_node != sockets) {
      refuse("the numbers of " + gres.name + " on a node and on a socket make " +
             std::to_string(sockets) + " sockets, and --sockets-per-node says otherwise");
    }
  }

  void check_tasks(Asked& gres) {
    if (sizes_.tasks_per_tres && sizes_.tasks && *sizes_.tasks % *sizes_.tasks_per_tres != 0) {
      refuse("--ntasks is not a multiple of --ntasks-per-" + gres.name);
    }
    if (gres.per_task == 0) return;
    if (gres.per_job > 0) {
      if (gres.per_task > gres.per_job) return;
      if (gres.per_job % gres.per_task != 0) {
        return refuse("the number of " + gres.name + " in all is not a multiple of that of a task");
      }
      const std::int64_t tasks = gres.per_job / gres.per_task;
      if (!sizes_.tasks) sizes_.tasks = tasks;
      if (*sizes_.tasks != tasks) {
        refuse("the numbers of " + gres.name + " in all and of a task make " +
               std::to_string(tasks) + " tasks, and --ntasks says otherwise");
      }
    } else if (sizes_.tasks) {
      gres.per_job = times(*sizes_.tasks, gres.per_task);
    } else {
      refuse(gres.name + " for each task needs --ntasks" +
             (gres.name == "gpu" ? std::string(" or --gpus") : std::string()));
    }
  }

  // So many tasks as the resources of a node or socket are enough for.
  void check_tasks_per(const Asked& gres, std::int64_t whole, SbatchSizes::Number& tasks,
                       std::string_view part) {
    if (whole == 0 || gres.per_task == 0 || gres.per_task > whole) return;
    if (whole % gres.per_task != 0) {
      return refuse("the number of " + gres.name + " on a " + std::string(part) +
                    " is not a multiple of that of a task");
    }
    const std::int64_t fit = whole / gres.per_task;
    if (!tasks) tasks = fit;
    if (*tasks != fit) {
      refuse("the numbers of " + gres.name + " on a " + std::string(part) + " and of a task make " +
             std::to_string(fit) + " tasks, and --ntasks-per-" + std::string(part) +
             " says otherwise");
    }
  }

  void check_cpus(const Asked& gres) {
    if (gres.cpus == 0 || gres.per_task == 0 || sizes_.cpus_per_task) return;
    sizes_.cpus_per_task = times(gres.cpus, gres.per_task);
  }

  void check_job(const Asked& gres) {
    if (gres.per_job == 0) return;
    if (sizes_.least_nodes && gres.per_job < *sizes_.least_nodes) {
      return refuse("fewer of " + gres.name + " are asked for than nodes");
    }
    if (sizes_.most_nodes && gres.per_job < *sizes_.most_nodes) sizes_.most_nodes = gres.per_job;
  }

  // One resource with a type and without, and a GPU in whole and in shares.
  void check_kinds() {
    bool whole = false;
    bool shares = false;
    for (const Asked& gres : asked_) {
      whole = whole || gres.name == "gpu";
      shares = shares || gres.name == "shard" || gres.name == "mps";
      const bool counts = gres.per_job + gres.per_node + gres.per_socket + gres.per_task > 0;
      if (!gres.type.empty() || !counts) continue;
      const bool typed = std::any_of(asked_.begin(), asked_.end(), [&](const Asked& other) {
        return other.name == gres.name && !other.type.empty();
      });
      if (typed) refuse(gres.name + " is asked for both with a type and without");
    }
    if (whole && shares) refuse("gpu excludes shard and mps");
    if (shares && texts_.tres_freq.find("gpu") != std::string::npos) {
      refuse("--gpu-freq excludes shard and mps");
    }
  }

  const SbatchGresTexts& texts_;
  SbatchSizes& sizes_;
  std::vector<Asked> asked_{};
  bool gpu_asked_{false};
  std::vector<std::string> problems_{};
};

}  // namespace

std::vector<std::string> complete_from_gres(const SbatchGresTexts& texts, SbatchSizes& sizes) {
  return GresCheck(texts, sizes).run();
}

}  // namespace sconverge
