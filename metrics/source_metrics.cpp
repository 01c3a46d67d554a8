#include "metrics/source_metrics.h"

#include <algorithm>
#include <utility>

#include "metrics/cluster_metrics.h"

namespace sconverge {
namespace {

constexpr std::array kProblemKinds{
    ProblemKind::Syntax,     ProblemKind::Schema, ProblemKind::Duplicate, ProblemKind::TooLarge,
    ProblemKind::Permission, ProblemKind::Io,     ProblemKind::Policy};
constexpr std::array kTriggers{ScanTrigger::Startup, ScanTrigger::Event, ScanTrigger::Poll,
                               ScanTrigger::Signal};
constexpr std::array kEvents{WatchEvent::Create, WatchEvent::Modify, WatchEvent::Delete,
                             WatchEvent::Move, WatchEvent::Overflow};

MetricLabels labels_of(ScanTrigger trigger, const char* result) {
  return {{"trigger", std::string(to_text(trigger))}, {"result", result}};
}

}  // namespace

SourceMetrics::SourceMetrics() {
  for (const auto kind : kProblemKinds) {
    series_.create("sconverge_spec_errors_total", {{"reason", std::string(to_text(kind))}});
  }
  for (const char* state : {"valid", "invalid", "ignored"}) {
    series_.create("sconverge_source_files", {{"state", state}});
  }
  for (const auto trigger : kTriggers) {
    for (const char* result : {"success", "error"}) {
      series_.create("sconverge_source_scans_total", labels_of(trigger, result));
    }
  }
  for (const auto event : kEvents) {
    series_.create("sconverge_source_watch_events_total", {{"type", std::string(to_text(event))}});
  }
  series_.create("sconverge_source_scan_duration_seconds", {});
  series_.create("sconverge_source_complete", {});
}

void SourceMetrics::record(const TickReport& report) {
  // An unfinished scan says why; without a reason there was none.
  if (!report.source_complete && report.source_reason.empty()) return;
  record_scan(report.scan, report.source_complete);
  series_.set("sconverge_source_files", {{"state", "valid"}}, report.valid_files);
  series_.set("sconverge_source_files", {{"state", "invalid"}}, report.invalid_files);
  series_.set("sconverge_source_files", {{"state", "ignored"}}, report.ignored_files);
  if (report.source_complete) record_revision(report);
  count_new_problems(report);
  views_[report.cluster].scanned = true;
  views_[report.cluster].complete = report.source_complete;
  set_complete();
}

void SourceMetrics::remove_cluster(const std::string& cluster) {
  views_.erase(cluster);
  set_complete();
}

SourceMetrics::ProblemKey SourceMetrics::key_of(const Problem& problem) {
  return {problem.file, problem.field, problem.what, std::string(to_text(problem.kind))};
}

void SourceMetrics::record_scan(const SourceScan& scan, bool complete) {
  series_.add("sconverge_source_scans_total",
              labels_of(scan.trigger, complete ? "success" : "error"));
  series_.observe("sconverge_source_scan_duration_seconds", {}, scan.seconds);
  for (const auto& [event, count] : scan.events) {
    series_.add("sconverge_source_watch_events_total", {{"type", std::string(to_text(event))}},
                count);
  }
}

/// Reports of several clusters may come out of order: what was read last is in force.
void SourceMetrics::record_revision(const TickReport& report) {
  series_.set("sconverge_source_last_success_timestamp_seconds", {}, unix_seconds(report.began));
  if (report.began < revision_read_at_) return;
  const bool first = revision_read_at_ == TimePoint{};
  revision_read_at_ = report.began;
  if (!first && report.revision == revision_) return;
  revision_ = report.revision;
  series_.set("sconverge_source_revision_timestamp_seconds", {}, unix_seconds(report.began));
}

/// All clusters read the same directory, so a problem is new only to the first that sees it. An
/// incomplete scan may just have missed a problem, so it makes none forgotten.
void SourceMetrics::count_new_problems(const TickReport& report) {
  View& view = views_[report.cluster];
  std::set<ProblemKey> seen;
  for (const Problem& problem : report.problems) {
    const ProblemKey key = key_of(problem);
    const bool known = std::any_of(views_.begin(), views_.end(), [&](const auto& item) {
      return item.second.problems.contains(key);
    });
    if (seen.insert(key).second && !known) {
      series_.add("sconverge_spec_errors_total", {{"reason", std::string(to_text(problem.kind))}});
    }
  }
  if (!report.source_complete) seen.merge(view.problems);
  view.problems = std::move(seen);
}

void SourceMetrics::set_complete() {
  bool any = false;
  bool all = true;
  for (const auto& [cluster, view] : views_) {
    any = any || view.scanned;
    all = all && view.complete;
  }
  series_.set("sconverge_source_complete", {}, any && all ? 1 : 0);
}

}  // namespace sconverge
