#include "metrics/metrics.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "metrics/cluster_metrics.h"
#include "metrics/process_metrics.h"
#include "metrics/series.h"

namespace sconverge {
namespace {

constexpr std::array kProblemKinds{
    ProblemKind::Syntax,     ProblemKind::Schema, ProblemKind::Duplicate, ProblemKind::TooLarge,
    ProblemKind::Permission, ProblemKind::Io,     ProblemKind::Policy};

/// A problem's identity: lines move when a file is edited above it.
using ProblemKey = std::array<std::string, 4>;
ProblemKey key_of(const Problem& problem) {
  return {problem.file, problem.field, problem.what, std::string(to_text(problem.kind))};
}

/// What one cluster's last tick saw of the watched directory, which all of them share.
struct SourceView {
  bool scanned{false};
  bool complete{false};
  std::set<ProblemKey> problems{};
};

}  // namespace

class Metrics::State {
 public:
  explicit State(const BuildInfo& build) : process_(build) {
    for (const auto kind : kProblemKinds) {
      general_.create("sconverge_spec_errors_total", {{"reason", std::string(to_text(kind))}});
    }
    for (const char* state : {"valid", "invalid", "ignored"}) {
      general_.create("sconverge_source_files", {{"state", state}});
    }
    for (const char* result : {"success", "error"}) {
      general_.create("sconverge_source_scans_total", {{"result", result}});
    }
    general_.create("sconverge_source_complete", {});
  }

  void add_cluster(const std::string& cluster) {
    const std::lock_guard lock(mutex_);
    clusters_.try_emplace(cluster, cluster);
  }

  void remove_cluster(const std::string& cluster) {
    const std::lock_guard lock(mutex_);
    clusters_.erase(cluster);
    views_.erase(cluster);
    set_source_complete();
  }

  void record(const TickReport& report) {
    const std::lock_guard lock(mutex_);
    const auto cluster = clusters_.find(report.cluster);
    if (cluster == clusters_.end()) return;
    cluster->second.record(report);
    // An unfinished scan says why; without a reason there was none.
    if (report.source_complete || !report.source_reason.empty()) record_source(report);
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

  std::string exposition() const {
    const SeriesSet now = process_.sample();
    const std::lock_guard lock(mutex_);
    std::vector<const SeriesSet*> all{&now, &process_.series(), &general_};
    for (const auto& [name, cluster] : clusters_) all.push_back(&cluster.series());
    return text_of(all);
  }

 private:
  void record_source(const TickReport& report) {
    general_.add("sconverge_source_scans_total",
                 {{"result", report.source_complete ? "success" : "error"}});
    general_.set("sconverge_source_files", {{"state", "valid"}}, report.valid_files);
    general_.set("sconverge_source_files", {{"state", "invalid"}}, report.invalid_files);
    general_.set("sconverge_source_files", {{"state", "ignored"}}, report.ignored_files);
    if (report.source_complete) {
      general_.set("sconverge_source_last_success_timestamp_seconds", {},
                   unix_seconds(report.began));
    }
    count_new_problems(report);
    views_[report.cluster].scanned = true;
    views_[report.cluster].complete = report.source_complete;
    set_source_complete();
  }

  /// All clusters read the same directory, so a problem is new only to the first that sees it. An
  /// incomplete scan may just have missed a problem, so it makes none forgotten.
  void count_new_problems(const TickReport& report) {
    SourceView& view = views_[report.cluster];
    std::set<ProblemKey> seen;
    for (const Problem& problem : report.problems) {
      const ProblemKey key = key_of(problem);
      const bool known = std::any_of(views_.begin(), views_.end(), [&](const auto& item) {
        return item.second.problems.contains(key);
      });
      if (seen.insert(key).second && !known) {
        general_.add("sconverge_spec_errors_total",
                     {{"reason", std::string(to_text(problem.kind))}});
      }
    }
    if (!report.source_complete) seen.merge(view.problems);
    view.problems = std::move(seen);
  }

  void set_source_complete() {
    bool any = false;
    bool all = true;
    for (const auto& [cluster, view] : views_) {
      any = any || view.scanned;
      all = all && view.complete;
    }
    general_.set("sconverge_source_complete", {}, any && all ? 1 : 0);
  }

  mutable std::mutex mutex_;
  ProcessMetrics process_;
  SeriesSet general_;
  std::map<std::string, ClusterMetrics> clusters_;
  std::map<std::string, SourceView> views_;
};

Metrics::Metrics(const BuildInfo& build) : state_(std::make_unique<State>(build)) {}
Metrics::~Metrics() = default;

void Metrics::add_cluster(const std::string& cluster) { state_->add_cluster(cluster); }
void Metrics::remove_cluster(const std::string& cluster) { state_->remove_cluster(cluster); }
void Metrics::record(const TickReport& report) { state_->record(report); }

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
std::string Metrics::exposition() const { return state_->exposition(); }

}  // namespace sconverge
