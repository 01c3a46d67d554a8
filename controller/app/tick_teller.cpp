#include "controller/app/tick_teller.h"

namespace sconverge {
namespace {

constexpr seconds kBetweenChecks{300};

}  // namespace

void TickTeller::take(ClusterRuntime& cluster, const TickReport& report) {
  audience_.metrics.record(report);
  audience_.board.take(report, cluster.setup.options.policy.controller_id);
  audience_.line.take(report);
  for (const auto& line : report_log_.lines(report)) audience_.log.write(line);
  if (!report.failed && clock_.now() >= cluster.next_check) check(cluster);
}

/// Versions and the token's end change rarely.
void TickTeller::check(ClusterRuntime& cluster) {
  cluster.next_check = clock_.now() + kBetweenChecks;
  const auto info = cluster.slurm->check();
  if (!info) return;  // the next tick says so if it matters
  audience_.board.connected(cluster.name(), *info);
  audience_.metrics.set_slurm_info(cluster.name(), info->slurm_version, info->api_version);
  audience_.metrics.set_token_expiry(cluster.name(), info->token_expiry);
  LogLine line{LogLevel::Info,
               "reconciler",
               "connected to slurm",
               {{"cluster", cluster.name()},
                {"url", info->endpoint},
                {"user", info->user},
                {"slurm_version", info->slurm_version},
                {"api_version", info->api_version},
                {"accounting", info->accounting}}};
  if (line == connected_) return;
  audience_.log.write(line);
  connected_ = std::move(line);
}

}  // namespace sconverge
