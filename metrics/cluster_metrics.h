#pragma once

#include <optional>
#include <string>

#include "controller/core/report.h"
#include "metrics/bounded_words.h"
#include "metrics/cluster_activity.h"
#include "metrics/series.h"

namespace sconverge {

/// The series of one cluster. One thread at a time.
class ClusterMetrics {
 public:
  explicit ClusterMetrics(const std::string& cluster);

  void record(const TickReport& report);
  void set_slurm_info(const std::string& slurm_version, const std::string& api_version);
  void set_token_expiry(std::optional<TimePoint> expiry);

  /// What goes on now, if anybody tells.
  void set_activity(std::optional<ClusterActivity> activity);

  [[nodiscard]] const SeriesSet& series() const { return series_; }

 private:
  void create_known_series();
  void record_tick(const TickReport& report);
  void record_requests(const std::vector<SlurmRequest>& requests);
  void record_job_times(const TickReport& report);
  void record_specs(const std::vector<SpecStatus>& statuses);
  void record_store(const TickReport& report);
  void record_jobs(const std::map<std::string, int>& jobs);
  void record_guards(const std::vector<GuardHit>& guards);
  void record_sent(const SlurmRequest& request);

  SeriesSet series_;
  BoundedWords endpoints_{64};
  BoundedWords codes_{32, {"transport_error"}};
};

/// Seconds since 1970.
double unix_seconds(TimePoint time);

}  // namespace sconverge
