#include "controller/app/status_view.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "controller/app/render_get.h"
#include "controller/app/time_text.h"

namespace sconverge {
namespace {

/// What needs somebody comes first, what is over last.
int rank_of(Phase phase) {
  switch (style_of(phase)) {
    case Style::Red:
      return 0;
    case Style::Yellow:
      return 1;
    case Style::Cyan:
      return 2;
    case Style::Green:
    case Style::Dim:
    case Style::Plain:
    case Style::Bold:
      break;
  }
  return 3;
}

bool comes_before(const StatusView::Row& one, const StatusView::Row& other) {
  const auto key = [](const StatusView::Row& row) {
    return std::make_tuple(rank_of(row.status->verdict.phase), std::cref(row.status->name),
                           std::cref(*row.cluster));
  };
  return key(one) < key(other);
}

void add_findings(const ClusterView& cluster, milliseconds patience, StatusView& view) {
  const Published& published = cluster.tick->published;
  const std::string whose = "cluster " + published.cluster;
  if (published.at == TimePoint{}) {
    view.findings.push_back(whose + ": the first tick has not ended yet");
    return;
  }
  const milliseconds age = view.now - published.at;
  if (age > patience) {
    view.findings.push_back(whose + ": the last tick ended " + age_text(age) +
                            " ago; what follows is as old (/livez?verbose says what is stuck)");
  }
  // Above in better words for somebody who sees that the controller runs.
  for (auto& notice : notices(published, milliseconds::max(), view.now)) {
    view.findings.push_back(std::move(notice));
  }
}

}  // namespace

StatusView status_view(std::vector<ClusterView> clusters, const SpecFilter& filter,
                       std::size_t most_rows, milliseconds patience, TimePoint now) {
  StatusView view;
  view.now = now;
  view.filter = filter;
  view.clusters = std::move(clusters);
  const SpecFilter space{filter.name_space};
  std::set<std::string> problems;  // every cluster's thread reads the same files
  for (const auto& cluster : view.clusters) {
    add_findings(cluster, patience, view);
    for (const auto& problem : cluster.tick->problems) problems.insert(to_text(problem));
    for (const auto& status : cluster.tick->published.statuses) {
      ++view.spaces[status.name.name_space];
      if (!space.takes(status)) continue;
      ++view.phases[status.verdict.phase];
      ++view.in_space;
      if (filter.takes(status)) view.rows.push_back({&cluster.tick->published.cluster, &status});
    }
  }
  view.problems.assign(problems.begin(), problems.end());
  view.matching = view.rows.size();
  const auto kept = static_cast<std::ptrdiff_t>(std::min(most_rows, view.rows.size()));
  std::partial_sort(view.rows.begin(), view.rows.begin() + kept, view.rows.end(), comes_before);
  view.rows.resize(static_cast<std::size_t>(kept));
  return view;
}

}  // namespace sconverge
