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

/// One cluster's parts, wired up. Not movable: its parts refer to each other.
struct ClusterRuntime {
  std::string name{};
  Heartbeat heartbeat{};
  std::unique_ptr<SpecSource> source{};
  std::unique_ptr<SlurmClient> slurm{};
  std::unique_ptr<Store> store{};
  std::unique_ptr<Reconciler> reconciler{};
};

/// Everything that acts, but for threads.
struct Runtime {
  std::optional<StateLock> lock{};  ///< destroyed last: the stores need it
  std::string controller_id{};
  std::vector<std::unique_ptr<ClusterRuntime>> clusters{};
};

/// Says what a part wants people to know.
using Say = std::function<void(const std::string& message)>;

/// Takes the state directory and reads its memory. An Error if another controller has it, if its
/// memory cannot be trusted, or if it belongs to another controller id (whose jobs this one would
/// not know). Slurm need not be there. `clock` must outlive it.
Result<Runtime> build_runtime(const Config& config, const Clock& clock, const Say& say);

/// The same for looking only: takes no lock and writes nothing, beside a controller or without one.
/// Removed specs are shown without their grace.
Result<Runtime> build_preview(const Config& config, const Clock& clock);

}  // namespace sconverge
