#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "controller/app/config.h"
#include "controller/app/heartbeat.h"
#include "controller/app/reconciler.h"
#include "controller/core/result.h"
#include "controller/ports/clock.h"
#include "controller/store/state_lock.h"

namespace sconverge {

/// The id a controller takes if nobody gives it one: `<hostname>-<8 hexadecimal digits>`, the
/// digits from the path of the watched directory, so that two controllers on one machine differ. A
/// valid label whatever the host's name. Pure.
std::string derived_controller_id(std::string_view hostname, const std::string& specs);

/// Everything that one cluster's parts are made from: equal ones make the same parts.
struct ClusterSetup {
  ClusterConfig cluster{};
  ReconcilerOptions options{};
  std::string specs{};

  friend bool operator==(const ClusterSetup&, const ClusterSetup&) = default;
};

/// One for each cluster. REQUIRES: `config.controller_id` is set.
std::vector<ClusterSetup> setups_of(const Config& config);

/// One cluster's parts, wired up. Not movable: its parts refer to each other.
struct ClusterRuntime {
  ClusterSetup setup{};
  /// Of the thread that they run on, which may outlive them.
  std::shared_ptr<Heartbeat> heartbeat{std::make_shared<Heartbeat>()};
  std::unique_ptr<SpecSource> source{};
  std::unique_ptr<SlurmClient> slurm{};
  std::unique_ptr<Store> store{};
  std::unique_ptr<Reconciler> reconciler{};
  bool loaded{false};      ///< the reconciler has read its memory
  TimePoint next_check{};  ///< when Slurm is asked again for what no tick needs

  [[nodiscard]] const std::string& name() const { return setup.cluster.name; }
};

/// Everything that acts, but for threads.
struct Runtime {
  std::optional<StateLock> lock{};  ///< destroyed last: the stores need it
  std::string controller_id{};
  std::vector<std::unique_ptr<ClusterRuntime>> clusters{};
};

/// Says what a part wants people to know.
using Say = std::function<void(const std::string& message)>;

/// One cluster's parts, that have not read their memory yet: whatever else writes it may go on
/// until then. `lock` and `clock` must outlive them. Reaches for nothing outside of this machine.
Result<std::unique_ptr<ClusterRuntime>> build_cluster(const ClusterSetup& setup,
                                                      const StateLock& lock,
                                                      std::shared_ptr<Heartbeat> heartbeat,
                                                      const Clock& clock, const Say& say);

/// Takes the state directory and reads its memory. An Error if another controller has it, if its
/// memory cannot be trusted, or if it belongs to another controller id (whose jobs this one would
/// not know). Slurm need not be there. `clock` must outlive it.
Result<Runtime> build_runtime(const Config& config, const Clock& clock, const Say& say);

/// The same for looking only: takes no lock and writes nothing, beside a controller or without one.
/// Removed specs are shown without their grace.
Result<Runtime> build_preview(const Config& config, const Clock& clock);

}  // namespace sconverge
