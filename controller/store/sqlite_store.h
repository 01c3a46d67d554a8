#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "controller/core/result.h"
#include "controller/core/time.h"
#include "controller/ports/store.h"
#include "controller/store/state_lock.h"

namespace sconverge {

// One SQLite file, DIR/state.db, holds the memory of one controller about all its clusters. Each
// Store is a connection of its own to that file and is used by one thread; several threads and
// processes may use one each at the same time. Every Error names the file, what is wrong and how to
// mend it; nothing is ever deleted or overwritten to get past one.

struct StoreLimits {
  milliseconds busy_timeout{10000};  ///< how long to wait for another's write to end
  std::int64_t max_pages{0};         ///< of 4 KiB; the file grows no further; 0: no limit
};

/// The controller's store of one cluster. `load` returns one shared JobSpec for equal contents.
/// REQUIRES: `lock` outlives it.
Result<std::unique_ptr<Store>> open_controller_store(const StateLock& lock,
                                                     const std::string& cluster,
                                                     const StoreLimits& limits = {});

/// A store for command-line verbs, with the controller running or not: everything can be read, and
/// `add_request` works; `save`, `answered` and `publish` are Rejected. An Error if no controller
/// has ever used `directory`, or none has known `cluster`.
Result<std::unique_ptr<Store>> open_verb_store(const std::string& directory,
                                               const std::string& cluster,
                                               const StoreLimits& limits = {});

/// Every cluster that a controller has ever known here, sorted.
Result<std::vector<std::string>> clusters_in(const std::string& directory);

/// The id of the controller whose memory this is, which marks its jobs. Written once: returns
/// `wanted` if there was none, else the one that is there, and the caller compares.
Result<std::string> claim_controller_id(const StateLock& lock, const std::string& wanted);

/// Empty if none has been claimed yet.
Result<std::string> controller_id_in(const std::string& directory);

}  // namespace sconverge
