#include "specs/sbatch_counts.h"

#include <algorithm>

namespace sconverge {
namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 40;

// 65535, which means "no limit" to Slurm.
constexpr std::int64_t kUnlimitedPerCore = 0xFFFF;

std::int64_t times(std::int64_t a, std::int64_t b) {
  if (a <= 0 || b <= 0) return 0;
  return a > kMost / b ? kMost : a * b;
}

// --hint gives way to the options that it would set, without a word from sbatch.
void apply_hints(SbatchReading& reading) {
  SbatchSettings& settings = reading.settings;
  const SbatchOption* option = reading.given("hint");
  if (option == nullptr || settings.hints.empty()) return;
  const SbatchOption* other =
      reading.last_given({"ntasks-per-core", "threads-per-core", "extra-node-info"});
  if (other != nullptr) {
    reading.note(*option, "sbatch leaves it out beside --" + std::string(other->name),
                 "keep one of them");
    return;
  }
  for (const std::string& hint : settings.hints) {
    if (hint == "compute_bound") {
      settings.sockets.reset();
      settings.cores.reset();
    }
    if (hint == "memory_bound") settings.cores = 1;
    if (hint == "multithread") {
      settings.tasks_per_core = kUnlimitedPerCore;
      settings.threads.reset();
    } else {
      settings.threads = 1;
    }
  }
  settings.environment["SLURM_HINT"] = settings.hint_text;
}

void count_nodes(SbatchReading& reading, SbatchCounts& counts) {
  SbatchSettings& settings = reading.settings;
  counts.nodes_set = settings.nodes.has_value() || settings.host_count > 0;
  if (settings.nodes) {
    counts.nodes = *settings.nodes;
  } else if (settings.host_count > 0) {
    counts.nodes.least = settings.host_count;
  }
  if (!settings.cpus_per_task) return;
  settings.cpus_per_node = std::max(settings.cpus_per_node.value_or(0), *settings.cpus_per_task);
}

// Planes so large that a node would stay without a task.
void check_plane(SbatchReading& reading, const SbatchCounts& counts) {
  const std::int64_t size = reading.settings.distribution.plane_size;
  if (size == 0 || counts.tasks / size >= counts.nodes.least) return;
  if (times(counts.nodes.least - 1, size) < counts.tasks) return;
  reading.refuse_together({"distribution", "nodes", "ntasks"},
                          "the planes leave nodes without tasks",
                          "ask for more tasks, fewer nodes or smaller planes");
}

// Slurm takes those sizes of a list that there are tasks for.
void shorten_list(SbatchNodes& nodes) {
  const std::string sizes = sbatch_sizes_up_to(nodes.list, nodes.most);
  const auto kept = sbatch_nodes(sizes);
  nodes = kept.value ? *kept.value : SbatchNodes{.least = nodes.least, .most = nodes.most};
}

// sbatch does not ask for more nodes than tasks.
void shrink_nodes(SbatchReading& reading, SbatchCounts& counts) {
  SbatchNodes& nodes = counts.nodes;
  const std::string tasks = std::to_string(counts.tasks);
  if (counts.tasks >= nodes.least && counts.tasks >= nodes.most) return;
  if (counts.tasks < nodes.least) {
    reading.note_together({"nodes", "nodelist", "ntasks"},
                          std::to_string(nodes.least) + " nodes are more than the " + tasks +
                              " tasks; as with sbatch, " + tasks + " are asked for",
                          "lower --nodes, or raise --ntasks");
    nodes = SbatchNodes{.least = counts.tasks, .most = counts.tasks};
    return;
  }
  reading.note_together({"nodes", "ntasks"},
                        "as with sbatch, no more nodes than the " + tasks + " tasks are asked for",
                        "lower --nodes, or raise --ntasks");
  nodes.most = counts.tasks;
  if (!nodes.list.empty()) shorten_list(nodes);
}

// One task for each part of a node that is asked for.
void count_tasks(SbatchReading& reading, SbatchCounts& counts) {
  const SbatchSettings& settings = reading.settings;
  const bool layout = reading.given("extra-node-info") != nullptr;
  if ((counts.nodes_set || layout) && counts.is_fixed() && !settings.tasks_per_node &&
      !counts.tasks_set) {
    counts.tasks = counts.nodes.least;
    for (const auto& number : {settings.sockets, settings.cores, settings.threads}) {
      if (!number) continue;
      counts.tasks = times(counts.tasks, *number);
      counts.tasks_set = true;
    }
  } else if (counts.nodes_set && counts.tasks_set) {
    shrink_nodes(reading, counts);
  }
  // One task for each place in the list of nodes.
  if (settings.distribution.base == "arbitrary" && !counts.tasks_set && settings.host_places > 0) {
    counts.tasks = settings.host_places;
    counts.tasks_set = true;
  }
}

}  // namespace

SbatchCounts count_nodes_and_tasks(SbatchReading& reading) {
  apply_hints(reading);
  SbatchCounts counts{.tasks = reading.settings.tasks.value_or(1),
                      .tasks_set = reading.settings.tasks.has_value()};
  count_nodes(reading, counts);
  check_plane(reading, counts);
  count_tasks(reading, counts);
  return counts;
}

}  // namespace sconverge
