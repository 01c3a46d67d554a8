#include "controller/app/status_line.h"

#include <vector>

namespace sconverge {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

void StatusLine::take(const TickReport& report) {
  View view;
  for (const auto& status : report.statuses) ++view.specs[status.verdict.phase];
  if (report.failed) view.failed_step = report.failed_step;
  const std::lock_guard lock(mutex_);
  if (shown_.contains(report.cluster)) views_[report.cluster] = std::move(view);
}

void StatusLine::show(std::set<std::string> clusters) {
  const std::lock_guard lock(mutex_);
  std::erase_if(views_, [&](const auto& entry) { return !clusters.contains(entry.first); });
  shown_ = std::move(clusters);
}

std::string StatusLine::text() const {
  const std::lock_guard lock(mutex_);
  std::map<Phase, int> specs;
  std::vector<std::string> unobserved;
  std::vector<std::string> unstored;
  int all = 0;
  for (const auto& [cluster, view] : views_) {
    for (const auto& [phase, count] : view.specs) {
      specs[phase] += count;
      all += count;
    }
    if (view.failed_step == "observe") unobserved.push_back(cluster);
    if (view.failed_step == "store") unstored.push_back(cluster);
  }
  std::vector<std::string> counts;
  counts.reserve(specs.size());
  for (const auto& [phase, count] : specs) {
    counts.push_back(std::to_string(count) + " " + std::string(to_text(phase)));
  }
  std::string text = std::to_string(all) + (all == 1 ? " spec" : " specs");
  if (!counts.empty()) text += ": " + joined(counts);
  if (!unobserved.empty()) text += "; cannot observe " + joined(unobserved);
  if (!unstored.empty()) text += "; cannot use the memory of " + joined(unstored);
  return text;
}

}  // namespace sconverge
