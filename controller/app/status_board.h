#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "controller/core/report.h"
#include "controller/ports/slurm_client.h"
#include "controller/ports/store.h"

namespace sconverge {

/// What a tick left behind, for pages.
struct TickView {
  Published published{};  ///< before the first tick: the cluster's name alone
  milliseconds took{0};
  int valid_files{0};
  int invalid_files{0};
  int ignored_files{0};
  std::vector<Problem> problems{};
};

/// What pages know of one cluster.
struct ClusterView {
  std::string address{};        ///< where its Slurm is
  std::string slurm_version{};  ///< empty: not connected yet
  std::string api_version{};
  std::string user{};
  std::shared_ptr<const TickView> tick{};  ///< never null
};

/// What `run` shows of itself, from memory: the last tick of each cluster, taken over from the
/// threads that tick. Thread-safe; readers hold up nobody.
class StatusBoard {
 public:
  /// Shows a cluster, without a tick unless it had one.
  void add(const std::string& cluster, const std::string& address);
  void remove(const std::string& cluster);

  /// Of a cluster that is not shown (any more) they are forgotten.
  void take(const TickReport& report, const std::string& controller_id);
  void connected(const std::string& cluster, const ClusterInfo& info);

  /// By name.
  [[nodiscard]] std::vector<ClusterView> clusters() const;

 private:
  mutable std::mutex mutex_{};
  std::map<std::string, ClusterView> views_{};
};

}  // namespace sconverge
