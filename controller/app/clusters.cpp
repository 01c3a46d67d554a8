#include "controller/app/clusters.h"

#include <algorithm>

#include "controller/app/connection.h"

namespace sconverge {
namespace {

/// A request that brings word of refused credentials is sent once more with new ones.
constexpr int kSends = 2;

}  // namespace

Clusters::Clusters(Runtime runtime, Options options)
    : lock_(std::move(*runtime.lock)),
      options_(std::move(options)),
      at_first_(std::move(runtime.clusters)) {}

void Clusters::begin() {
  const std::lock_guard lock(mutex_);
  for (auto& parts : at_first_) put_to_work(std::move(parts));
  at_first_.clear();
}

/// The heart of the cluster's thread, if there is one already.
std::shared_ptr<Heartbeat> Clusters::heartbeat_of(const std::string& cluster) const {
  for (const auto* workers : {&workers_, &leaving_}) {
    const auto found = workers->find(cluster);
    if (found != workers->end()) return found->second->heartbeat();
  }
  return std::make_shared<Heartbeat>();
}

Result<Clusters::Parts> Clusters::build(const std::vector<ClusterSetup>& setups) const {
  Parts built;
  for (const auto& setup : setups) {
    const std::string& name = setup.cluster.name;
    const auto worker = workers_.find(name);
    const bool same = worker != workers_.end() && worker->second->setup() == setup;
    std::optional<Error> failed;
    if (same) {
      // The files that it names may have changed, though it has not.
      if (const auto client = make_client(setup.cluster, options_.clock); !client) {
        failed = client.error();
      }
    } else {
      auto parts = build_cluster(setup, lock_, heartbeat_of(name), options_.clock, options_.say);
      if (parts) {
        built.push_back(std::move(*parts));
      } else {
        failed = parts.error();
      }
    }
    if (failed) return Error{failed->kind, "cluster " + name + ": " + failed->message};
  }
  return built;
}

void Clusters::put_to_work(std::unique_ptr<ClusterRuntime> parts) {
  const std::string name = parts->name();
  if (const auto worker = workers_.find(name); worker != workers_.end()) {
    worker->second->change(parts);
    return;
  }
  if (auto leaving = leaving_.extract(name)) {
    if (leaving.mapped()->change(parts)) {
      workers_.insert(std::move(leaving));
      return;
    }
  }
  parts->heartbeat->tell_first_scan(options_.on_change);
  workers_.emplace(name,
                   std::make_unique<ClusterWorker>(
                       std::move(parts), options_.clock,
                       ClusterWorker::Events{options_.listener_of(name), options_.on_change}));
}

Result<ClusterChanges> Clusters::change(const Config& config) {
  const auto setups = setups_of(config);
  auto built = build(setups);
  if (!built) return built.error();

  const std::lock_guard lock(mutex_);
  ClusterChanges changes;
  for (auto& parts : *built) {
    const bool known = workers_.contains(parts->name());
    (known ? changes.changed : changes.added).push_back(parts->name());
    put_to_work(std::move(parts));
  }
  for (auto worker = workers_.begin(); worker != workers_.end();) {
    const auto here = worker++;
    if (find_cluster(config, here->first) != nullptr) continue;
    changes.removed.push_back(here->first);
    here->second->stop();
    leaving_.insert(workers_.extract(here));
  }
  std::erase_if(leaving_, [](const auto& entry) { return entry.second->ended(); });
  return changes;
}

void Clusters::look_now() {
  for (const auto& [name, worker] : workers_) worker->look_now();
}

void Clusters::stop() {
  for (const auto& [name, worker] : workers_) worker->stop();
}

bool Clusters::ended() const {
  return std::all_of(workers_.begin(), workers_.end(),
                     [](const auto& entry) { return entry.second->ended(); }) &&
         std::all_of(leaving_.begin(), leaving_.end(),
                     [](const auto& entry) { return entry.second->ended(); });
}

ClusterActivities Clusters::activities() const {
  const std::lock_guard lock(mutex_);
  ClusterActivities activities;
  for (const auto& [name, worker] : workers_) {
    activities.emplace(name, worker->heartbeat()->activity());
  }
  return activities;
}

HealthState Clusters::health() const {
  const std::lock_guard lock(mutex_);
  HealthState state;
  state.config_valid = true;  // it does not get here otherwise
  state.store_open = true;
  state.source_scanned = !workers_.empty();
  for (const auto& [name, worker] : workers_) {
    state.heartbeats[name] = {worker->heartbeat()->last(),
                              kSends * worker->setup().cluster.timeout};
    state.source_scanned = state.source_scanned && worker->heartbeat()->has_scanned();
  }
  scanned_ = scanned_ || state.source_scanned;
  state.source_scanned = scanned_;
  return state;
}

}  // namespace sconverge
