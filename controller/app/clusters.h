#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "controller/app/cluster_worker.h"
#include "controller/http/health.h"

namespace sconverge {

/// Which clusters a change of the configuration touches, by name.
struct ClusterChanges {
  std::vector<std::string> added{};
  std::vector<std::string> removed{};
  std::vector<std::string> changed{};

  [[nodiscard]] bool none() const { return added.empty() && removed.empty() && changed.empty(); }
};

/// All clusters that are kept as declared. Which ones, and how, can be changed while they are. Any
/// thread may ask for health and activities; one thread calls everything else.
class Clusters {
 public:
  struct Options {
    const Clock& clock;
    Say say{};
    /// Makes the listener of a cluster, before that cluster's first tick.
    std::function<TickListener(const std::string& cluster)> listener_of{};
    /// Something that `health` or `ended` tells has changed. On any thread.
    std::function<void()> on_change{};
  };

  /// REQUIRES: the runtime holds its lock.
  Clusters(Runtime runtime, Options options);
  /// Begins the threads. To be called once, and before all but those two.
  void begin();
  /// Waits for the ticks under way.
  ~Clusters() = default;
  Clusters(const Clusters&) = delete;
  Clusters& operator=(const Clusters&) = delete;

  /// Keeps the clusters of `config` from now on. Those that are set up as before are not
  /// interrupted, and nobody waits for one whose tick is under way. All or nothing: with an Error,
  /// which names the cluster, everything goes on as it was.
  /// REQUIRES: `config.controller_id` is that of the runtime.
  Result<ClusterChanges> change(const Config& config);

  /// Every cluster ticks soon.
  void look_now();

  /// Asks all to end after the tick under way.
  void stop();
  [[nodiscard]] bool ended() const;

  /// Of the clusters that are configured now. Once the first scans are done, `source_scanned` stays
  /// true.
  [[nodiscard]] HealthState health() const;

  /// What they are doing now.
  [[nodiscard]] ClusterActivities activities() const;

 private:
  using Parts = std::vector<std::unique_ptr<ClusterRuntime>>;

  /// The parts of those that are not set up so already.
  Result<Parts> build(const std::vector<ClusterSetup>& setups) const;
  void put_to_work(std::unique_ptr<ClusterRuntime> parts);
  [[nodiscard]] std::shared_ptr<Heartbeat> heartbeat_of(const std::string& cluster) const;

  const StateLock lock_;
  const Options options_;
  Parts at_first_{};

  mutable std::mutex mutex_{};
  mutable bool scanned_{false};
  /// Those that are configured no more end in their own time.
  std::map<std::string, std::unique_ptr<ClusterWorker>> workers_{};
  std::map<std::string, std::unique_ptr<ClusterWorker>> leaving_{};
};

}  // namespace sconverge
