#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "controller/core/report.h"
#include "controller/core/time.h"
#include "metrics/cluster_activity.h"
#include "metrics/series.h"
#include "metrics/spec_limits.h"

namespace sconverge {

struct BuildInfo {
  std::string version{};
  std::string revision{};
  std::string compiler{};
};

enum class LogLevel { Debug, Info, Warning, Error, Critical };

/// The content type of `Metrics::exposition`.
inline constexpr const char* kExpositionType = "text/plain; version=0.0.4; charset=utf-8";

/// What people watch, kept up to date from each tick's report; the families are those of
/// metrics/README.md. Label sets that are known beforehand exist from the start, at 0; what is not
/// known yet (a time, a version) is absent, never 0. All functions may be called from any thread,
/// and a scrape sees each report as a whole. Nothing here calls Slurm.
class Metrics {
 public:
  explicit Metrics(const BuildInfo& build);
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  /// Makes the cluster's series. To be called before its first report; a second time changes
  /// nothing.
  void add_cluster(const std::string& cluster);
  /// Drops all the cluster's series. A report that still comes (its last tick may end later) is
  /// dropped, too.
  void remove_cluster(const std::string& cluster);

  /// A failed tick leaves what it could not look at (jobs, guards) as last known.
  void record(const TickReport& report);

  /// The configuration was read again: the new one is in force, or the old one stays (`ok` false).
  /// The one that the process was started with counts as taken at its start.
  void record_reload(bool ok, TimePoint at);

  /// Which specs have series of their own, from now on.
  void limit_specs(SpecLimits limits);

  void set_slurm_info(const std::string& cluster, const std::string& slurm_version,
                      const std::string& api_version);
  void set_token_expiry(const std::string& cluster, std::optional<TimePoint> expiry);

  /// `handler` is a route, never a path as a client wrote it.
  void count_http_answer(const std::string& handler, int status);
  void count_log_message(LogLevel level);

  /// All metrics as they are now, with what goes on (of clusters that are not in `now` that is
  /// absent). Writing them out as text keeps nobody waiting.
  [[nodiscard]] Collected collect(const ClusterActivities& now) const;

  /// All metrics in Prometheus' text format 0.0.4.
  [[nodiscard]] std::string exposition(const ClusterActivities& now = {}) const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace sconverge
