#include "controller/app/runtime.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "controller/app/connection.h"
#include "controller/app/no_memory.h"
#include "controller/files/spec_directory.h"
#include "controller/store/sqlite_store.h"

namespace sconverge {
namespace {

std::string hostname() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

ReconcilerOptions options_of(const Config& config, const ClusterConfig& cluster, Policy policy) {
  ReconcilerOptions options;
  options.cluster = cluster.name;
  options.default_cluster = cluster.name == config.default_cluster;
  for (const auto& other : config.clusters) {
    if (other.name != cluster.name) options.other_clusters.insert(other.name);
  }
  options.policy = std::move(policy);
  options.concurrency = cluster.concurrency;
  return options;
}

Result<std::string> claim_id(const Config& config, const StateLock& lock) {
  const std::string wanted = config.controller_id.empty()
                                 ? derived_controller_id(hostname(), config.specs)
                                 : config.controller_id;
  auto kept = claim_controller_id(lock, wanted);
  if (!kept || config.controller_id.empty() || *kept == config.controller_id) return kept;
  return Error{ErrorKind::Rejected,
               "the state in " + config.state + " belongs to controller " + *kept + ", not " +
                   config.controller_id + ": jobs marked " + *kept +
                   " would be unknown to it and run a second time; give that id, or another "
                   "directory with --state"};
}

/// REQUIRES: `runtime.store` is set.
Result<Done> wire(ClusterRuntime& runtime, const Config& config, const ClusterConfig& cluster,
                  Policy policy, DirectoryOptions directory, const Clock& clock) {
  auto client = make_client(cluster, clock);
  if (!client) return client.error();
  runtime.name = cluster.name;
  runtime.heartbeat.beat(clock.now());
  runtime.slurm = with_heartbeat(std::move(*client), runtime.heartbeat, clock);
  runtime.source = with_heartbeat(watch_directory(std::move(directory)), runtime.heartbeat, clock);
  runtime.reconciler =
      std::make_unique<Reconciler>(options_of(config, cluster, std::move(policy)), *runtime.source,
                                   *runtime.slurm, *runtime.store, clock);
  return runtime.reconciler->load();
}

/// The memory of a cluster for looking only; none if no controller has known it.
Result<std::unique_ptr<Store>> store_for_looking(const std::string& state,
                                                 const std::string& cluster) {
  std::error_code error;
  if (!std::filesystem::exists(state + "/state.db", error) && !error) return make_no_memory();
  const auto known = clusters_in(state);
  if (!known) return known.error();
  if (std::find(known->begin(), known->end(), cluster) == known->end()) return make_no_memory();
  return open_verb_store(state, cluster);
}

Result<std::string> id_for_looking(const Config& config, bool has_state) {
  if (!config.controller_id.empty()) return config.controller_id;
  if (!has_state) return derived_controller_id(hostname(), config.specs);
  auto kept = controller_id_in(config.state);
  if (kept && kept->empty()) return derived_controller_id(hostname(), config.specs);
  return kept;
}

}  // namespace

std::string derived_controller_id(std::string_view host, const std::string& specs) {
  static constexpr std::size_t longest_host = 63 - 9;
  std::string label;
  for (const char c : host.substr(0, host.find('.'))) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const bool fits = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
    if (!fits && label.empty()) continue;  // a label begins with a letter or digit
    label += fits ? lower : '-';
  }
  label = label.substr(0, longest_host);
  if (label.empty()) label = "sconverge";
  return label + "-" + sha256_hex(specs).substr(0, 8);
}

Result<Runtime> build_runtime(const Config& config, const Clock& clock, const Say& say) {
  Runtime runtime;
  auto lock = lock_state(config.state);
  if (!lock) return lock.error();
  runtime.lock = std::move(*lock);
  auto id = claim_id(config, *runtime.lock);
  if (!id) return id.error();
  runtime.controller_id = *id;

  Config known = config;
  known.controller_id = *id;
  for (const auto& cluster : config.clusters) {
    auto part = std::make_unique<ClusterRuntime>();
    auto store = open_controller_store(*runtime.lock, cluster.name);
    if (!store) return store.error();
    part->store = std::move(*store);
    DirectoryOptions directory{config.specs};
    directory.say = say;
    const auto wired =
        wire(*part, config, cluster, policy_for(known, cluster), std::move(directory), clock);
    if (!wired) return wired.error();
    runtime.clusters.push_back(std::move(part));
  }
  return runtime;
}

Result<Runtime> build_preview(const Config& config, const Clock& clock) {
  Runtime runtime;
  for (const auto& cluster : config.clusters) {
    auto part = std::make_unique<ClusterRuntime>();
    auto store = store_for_looking(config.state, cluster.name);
    if (!store) return store.error();
    part->store = std::move(*store);
    std::error_code error;
    auto id = id_for_looking(config, std::filesystem::exists(config.state + "/state.db", error));
    if (!id) return id.error();
    runtime.controller_id = *id;
    Config known = config;
    known.controller_id = *id;
    Policy policy = policy_for(known, cluster);
    policy.prune_grace = seconds{0};
    DirectoryOptions directory{config.specs};
    directory.inotify = false;
    const auto wired = wire(*part, config, cluster, std::move(policy), std::move(directory), clock);
    if (!wired) return wired.error();
    runtime.clusters.push_back(std::move(part));
  }
  return runtime;
}

}  // namespace sconverge
