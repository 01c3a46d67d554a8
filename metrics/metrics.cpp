#include "metrics/metrics.h"

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "metrics/cluster_metrics.h"
#include "metrics/process_metrics.h"
#include "metrics/source_metrics.h"
#include "metrics/spec_series.h"

namespace sconverge {

class Metrics::State {
 public:
  explicit State(const BuildInfo& build) : process_(build) {
    for (const char* result : {"success", "error"}) {
      general_.create("sconverge_config_reloads_total", {{"result", result}});
    }
    general_.create("sconverge_metric_series_dropped_total", {});
    general_.set("sconverge_config_last_reload_successful", {}, 1);
    if (const auto started = process_.started()) general_.set(kReloaded, {}, *started);
  }

  void add_cluster(const std::string& cluster) {
    const std::lock_guard lock(mutex_);
    clusters_.try_emplace(cluster, cluster);
  }

  void remove_cluster(const std::string& cluster) {
    const std::lock_guard lock(mutex_);
    clusters_.erase(cluster);
    source_.remove_cluster(cluster);
    change_specs([&] { specs_.remove_cluster(cluster); });
  }

  void record(const TickReport& report) {
    const std::lock_guard lock(mutex_);
    const auto cluster = clusters_.find(report.cluster);
    if (cluster == clusters_.end()) return;
    cluster->second.record(report);
    source_.record(report);
    if (report.failed && report.statuses.empty()) return;
    change_specs([&] { specs_.record(report.cluster, report.statuses); });
  }

  void record_reload(bool ok, TimePoint at) {
    const std::lock_guard lock(mutex_);
    general_.add("sconverge_config_reloads_total", {{"result", ok ? "success" : "error"}});
    general_.set("sconverge_config_last_reload_successful", {}, ok ? 1 : 0);
    if (ok) general_.set(kReloaded, {}, unix_seconds(at));
  }

  void limit_specs(SpecLimits limits) {
    const std::lock_guard lock(mutex_);
    change_specs([&] { specs_.limit(limits); });
  }

  template <typename Change>
  void change_cluster(const std::string& name, const Change& change) {
    const std::lock_guard lock(mutex_);
    if (const auto cluster = clusters_.find(name); cluster != clusters_.end()) {
      change(cluster->second);
    }
  }

  void count_http_answer(const std::string& handler, int status) {
    const std::lock_guard lock(mutex_);
    process_.count_http_answer(handler, status);
  }

  void count_log_message(LogLevel level) {
    const std::lock_guard lock(mutex_);
    process_.count_log_message(level);
  }

  Collected collect(const ClusterActivities& now) {
    Collected all;
    all.add(process_.sample());
    const std::lock_guard lock(mutex_);
    all.add(process_.series());
    all.add(general_);
    all.add(source_.series());
    for (auto& [name, cluster] : clusters_) {
      const auto activity = now.find(name);
      cluster.set_activity(activity == now.end() ? std::nullopt : std::optional(activity->second));
      all.add(cluster.series());
    }
    for (const auto& [family, lines] : specs_.lines()) all.add(family, lines);
    return all;
  }

 private:
  static constexpr auto kReloaded = "sconverge_config_last_reload_success_timestamp_seconds";

  /// Writes the lines of single specs anew, which counts as a collector of its own.
  template <typename Change>
  void change_specs(const Change& change) {
    const auto began = std::chrono::steady_clock::now();
    const auto dropped = specs_.dropped();
    change();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    general_.add("sconverge_metric_series_dropped_total", {},
                 static_cast<double>(specs_.dropped() - dropped));
    if (specs_.shown()) {
      set_collector(general_, "specs", took.count(), !specs_.drops_some());
    } else {
      general_.forget("sconverge_collector_duration_seconds");
      general_.forget("sconverge_collector_success");
    }
  }

  std::mutex mutex_;
  ProcessMetrics process_;
  SeriesSet general_;
  SourceMetrics source_;
  SpecSeries specs_;
  std::map<std::string, ClusterMetrics> clusters_;
};

Metrics::Metrics(const BuildInfo& build) : state_(std::make_unique<State>(build)) {}
Metrics::~Metrics() = default;

void Metrics::add_cluster(const std::string& cluster) { state_->add_cluster(cluster); }
void Metrics::remove_cluster(const std::string& cluster) { state_->remove_cluster(cluster); }
void Metrics::record(const TickReport& report) { state_->record(report); }
void Metrics::record_reload(bool ok, TimePoint at) { state_->record_reload(ok, at); }
void Metrics::limit_specs(SpecLimits limits) { state_->limit_specs(limits); }

void Metrics::set_slurm_info(const std::string& cluster, const std::string& slurm_version,
                             const std::string& api_version) {
  state_->change_cluster(cluster, [&](ClusterMetrics& metrics) {
    metrics.set_slurm_info(slurm_version, api_version);
  });
}

void Metrics::set_token_expiry(const std::string& cluster, std::optional<TimePoint> expiry) {
  state_->change_cluster(cluster,
                         [&](ClusterMetrics& metrics) { metrics.set_token_expiry(expiry); });
}

void Metrics::count_http_answer(const std::string& handler, int status) {
  state_->count_http_answer(handler, status);
}
void Metrics::count_log_message(LogLevel level) { state_->count_log_message(level); }
Collected Metrics::collect(const ClusterActivities& now) const { return state_->collect(now); }
std::string Metrics::exposition(const ClusterActivities& now) const { return collect(now).text(); }

}  // namespace sconverge
