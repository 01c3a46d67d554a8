#include "metrics/spec_series.h"

#include <algorithm>
#include <utility>

#include "controller/core/agreement.h"
#include "metrics/series.h"
#include "specs/label.h"

namespace sconverge {
namespace {

constexpr const char* kReady = "sconverge_spec_ready";
constexpr const char* kLastSuccess = "sconverge_spec_last_success_timestamp_seconds";

/// Nothing in it needs to be escaped.
bool is_name(const SpecName& name) {
  return is_dns_label(name.name_space) && is_dns_label(name.name);
}

/// Seconds since 1970, to the millisecond.
std::string seconds_text(TimePoint time) {
  const auto count = time.time_since_epoch().count();
  std::string text = std::to_string(count / 1000);
  if (const auto rest = count % 1000; rest > 0) {
    text.append(".").append(std::to_string(1000 + rest).substr(1));
  }
  return text;
}

}  // namespace

void SpecSeries::limit(SpecLimits limits) {
  limits_ = limits;
  write();
}

void SpecSeries::record(const std::string& cluster, const std::vector<SpecStatus>& statuses) {
  std::vector<Row> rows;
  rows.reserve(statuses.size());
  for (const SpecStatus& status : statuses) {
    if (status.removed || !is_name(status.name)) continue;
    rows.push_back({status.name, is_ready(status), status.succeeded_at});
  }
  const auto earlier = [](const Row& a, const Row& b) { return a.name < b.name; };
  if (!std::is_sorted(rows.begin(), rows.end(), earlier)) {
    std::sort(rows.begin(), rows.end(), earlier);
  }
  Cluster& known = clusters_[cluster];
  if (known.rows == rows) return;
  known = {escaped_label(cluster), std::move(rows)};
  write();
}

void SpecSeries::remove_cluster(const std::string& cluster) {
  if (clusters_.erase(cluster) > 0) write();
}

std::vector<SpecSeries::Place> SpecSeries::by_name() const {
  std::vector<Place> places;
  for (const auto& [name, cluster] : clusters_) {
    for (const Row& row : cluster.rows) places.emplace_back(&row, &cluster);
  }
  const auto earlier = [](const Place& a, const Place& b) {
    return std::tie(a.first->name, a.second->label) < std::tie(b.first->name, b.second->label);
  };
  if (clusters_.size() > 1) std::sort(places.begin(), places.end(), earlier);
  return places;
}

void SpecSeries::write() {
  lines_.clear();
  if (!limits_.per_spec) {
    left_out_.clear();
    return;
  }
  std::string ready;
  std::string successes;
  std::vector<Series> left_out;
  std::size_t count = 0;
  for (const auto& [row, cluster] : by_name()) {
    if (++count > limits_.most) {
      left_out.emplace_back(row->name, cluster->label, false);
      if (row->succeeded_at) left_out.emplace_back(row->name, cluster->label, true);
      continue;
    }
    std::string labels = "{cluster=\"" + cluster->label + "\",spec=\"" + row->name.name;
    labels.append("\",spec_namespace=\"").append(row->name.name_space).append("\"} ");
    ready.append(kReady).append(labels).append(row->ready ? "1\n" : "0\n");
    if (!row->succeeded_at) continue;
    successes.append(kLastSuccess).append(labels).append(seconds_text(*row->succeeded_at));
    successes.append("\n");
  }
  count_left_out(std::move(left_out));
  if (!ready.empty()) lines_[kReady] = std::make_shared<const std::string>(std::move(ready));
  if (!successes.empty()) {
    lines_[kLastSuccess] = std::make_shared<const std::string>(std::move(successes));
  }
}

/// They come in the order of Series.
void SpecSeries::count_left_out(std::vector<Series> left_out) {
  auto known = left_out_.begin();
  for (const Series& series : left_out) {
    while (known != left_out_.end() && *known < series) ++known;
    if (known == left_out_.end() || series < *known) ++dropped_;
  }
  left_out_ = std::move(left_out);
}

}  // namespace sconverge
