#include "controller/app/status_board.h"

#include <utility>

namespace sconverge {

void StatusBoard::add(const std::string& cluster, const std::string& address) {
  TickView none;
  none.published.cluster = cluster;
  const std::lock_guard lock(mutex_);
  ClusterView& view = views_[cluster];
  view.address = address;
  if (!view.tick) view.tick = std::make_shared<const TickView>(std::move(none));
}

void StatusBoard::remove(const std::string& cluster) {
  const std::lock_guard lock(mutex_);
  views_.erase(cluster);
}

void StatusBoard::take(const TickReport& report, const std::string& controller_id) {
  TickView view;
  view.published = published_from(report, controller_id);
  view.took = report.ended - report.began;
  view.valid_files = report.valid_files;
  view.invalid_files = report.invalid_files;
  view.ignored_files = report.ignored_files;
  view.problems = report.problems;
  auto tick = std::make_shared<const TickView>(std::move(view));
  const std::lock_guard lock(mutex_);
  const auto found = views_.find(report.cluster);
  // The old tick is let go of without the lock.
  if (found != views_.end()) std::swap(found->second.tick, tick);
}

void StatusBoard::connected(const std::string& cluster, const ClusterInfo& info) {
  const std::lock_guard lock(mutex_);
  const auto found = views_.find(cluster);
  if (found == views_.end()) return;
  found->second.slurm_version = info.slurm_version;
  found->second.api_version = info.api_version;
  found->second.user = info.user;
}

std::vector<ClusterView> StatusBoard::clusters() const {
  std::vector<ClusterView> all;
  const std::lock_guard lock(mutex_);
  for (const auto& [name, view] : views_) all.push_back(view);
  return all;
}

}  // namespace sconverge
