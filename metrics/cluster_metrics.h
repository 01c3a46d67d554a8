#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "controller/core/report.h"
#include "metrics/cluster_activity.h"
#include "metrics/series.h"

namespace sconverge {

/// The series of one cluster. One thread at a time.
class ClusterMetrics {
 public:
  /// `activity`: null if nobody tells what goes on now.
  ClusterMetrics(const std::string& cluster, std::shared_ptr<const ClusterActivity> activity);

  void record(const TickReport& report);
  void set_slurm_info(const std::string& slurm_version, const std::string& api_version);
  void set_token_expiry(std::optional<TimePoint> expiry);

  void set_activity(std::shared_ptr<const ClusterActivity> activity);

  /// With what goes on at this moment.
  const SeriesSet& series_now();

 private:
  void create_known_series();
  void record_tick(const TickReport& report);
  void record_requests(const std::vector<SlurmRequest>& requests);
  void record_job_times(const TickReport& report);
  void record_specs(const std::vector<SpecStatus>& statuses);
  void record_store(const TickReport& report);
  void record_jobs(const std::map<std::string, int>& jobs);
  void record_guards(const std::vector<GuardHit>& guards);
  std::string endpoint_label(const std::string& endpoint);

  SeriesSet series_;
  std::shared_ptr<const ClusterActivity> activity_{};
  std::set<std::string> endpoints_{};
};

/// Seconds since 1970.
double unix_seconds(TimePoint time);

}  // namespace sconverge
