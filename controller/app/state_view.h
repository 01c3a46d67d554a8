#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "controller/core/result.h"
#include "controller/ports/store.h"

namespace sconverge {

/// One cluster's memory, for reading verbs.
struct ClusterState {
  std::string name;
  std::unique_ptr<Store> store;
  std::optional<Published> published{};  ///< nothing before the first tick
};

/// Every cluster that a controller knows in a state directory. Works with the controller running or
/// not. An Error if there is no state, or if it cannot be read.
Result<std::vector<ClusterState>> read_state(const std::string& directory);

struct FoundSpec {
  ClusterState* cluster{nullptr};
  const SpecStatus* status{nullptr};
};

/// The spec that `text` names: "namespace/name", or "name" if no other namespace has one. What is
/// being removed counts only if nothing else has the name. An Error
/// (Rejected) otherwise, with near misses. The pointers live as long as `clusters`.
Result<FoundSpec> find_spec(std::vector<ClusterState>& clusters, const std::string& text);

}  // namespace sconverge
