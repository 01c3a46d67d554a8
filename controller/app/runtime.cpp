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

ReconcilerOptions options_of(const Config& config, const ClusterConfig& cluster) {
  ReconcilerOptions options;
  options.cluster = cluster.name;
  options.default_cluster = cluster.name == config.default_cluster;
  for (const auto& other : config.clusters) {
    // The others do not care, and so need not begin anew when a cluster comes or goes.
    if (options.default_cluster && other.name != cluster.name) {
      options.other_clusters.insert(other.name);
    }
  }
  options.policy = policy_for(config, cluster);
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
Result<Done> wire(ClusterRuntime& runtime, const ClusterSetup& setup, DirectoryOptions directory,
                  const Clock& clock) {
  Heartbeat& heartbeat = *runtime.heartbeat;
  auto client = make_client(setup.cluster, clock, &heartbeat);
  if (!client) return client.error();
  runtime.setup = setup;
  heartbeat.beat(clock.now());
  runtime.slurm = std::move(*client);
  runtime.source = with_heartbeat(watch_directory(std::move(directory)), heartbeat, clock);
  runtime.reconciler = std::make_unique<Reconciler>(setup.options, *runtime.source, *runtime.slurm,
                                                    *runtime.store, clock);
  return Done{};
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

std::vector<ClusterSetup> setups_of(const Config& config) {
  std::vector<ClusterSetup> setups;
  for (const auto& cluster : config.clusters) {
    setups.push_back({cluster, options_of(config, cluster), config.specs});
  }
  return setups;
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
  for (const auto& setup : setups_of(known)) {
    auto part = build_cluster(setup, *runtime.lock, std::make_shared<Heartbeat>(), clock, say);
    if (!part) return part.error();
    const auto loaded = (*part)->reconciler->load();
    if (!loaded) return loaded.error();
    (*part)->loaded = true;
    runtime.clusters.push_back(std::move(*part));
  }
  return runtime;
}

Result<std::unique_ptr<ClusterRuntime>> build_cluster(const ClusterSetup& setup,
                                                      const StateLock& lock,
                                                      std::shared_ptr<Heartbeat> heartbeat,
                                                      const Clock& clock, const Say& say) {
  auto part = std::make_unique<ClusterRuntime>();
  auto store = open_controller_store(lock, setup.cluster.name);
  if (!store) return store.error();
  part->store = std::move(*store);
  part->heartbeat = std::move(heartbeat);
  DirectoryOptions directory{setup.specs};
  directory.say = say;
  const auto wired = wire(*part, setup, std::move(directory), clock);
  if (!wired) return wired.error();
  return part;
}

Result<Runtime> build_preview(const Config& config, const Clock& clock) {
  Runtime runtime;
  std::error_code error;
  auto id = id_for_looking(config, std::filesystem::exists(config.state + "/state.db", error));
  if (!id) return id.error();
  runtime.controller_id = *id;
  Config known = config;
  known.controller_id = *id;
  for (auto& setup : setups_of(known)) {
    auto part = std::make_unique<ClusterRuntime>();
    auto store = store_for_looking(config.state, setup.cluster.name);
    if (!store) return store.error();
    part->store = std::move(*store);
    setup.options.policy.prune_grace = seconds{0};
    DirectoryOptions directory{config.specs};
    directory.inotify = false;
    const auto wired = wire(*part, setup, std::move(directory), clock);
    if (!wired) return wired.error();
    const auto loaded = part->reconciler->load();
    if (!loaded) return loaded.error();
    runtime.clusters.push_back(std::move(part));
  }
  return runtime;
}

}  // namespace sconverge
