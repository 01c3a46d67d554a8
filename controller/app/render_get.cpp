#include "controller/app/render_get.h"

#include <algorithm>
#include <set>

#include "controller/app/time_text.h"

namespace sconverge {
namespace {

/// The columns that are there only when they tell something.
struct Columns {
  bool namespaces{false};
  bool clusters{false};
  bool tasks{false};  ///< of job arrays: how many of how many succeeded
};

std::vector<std::string> header_of(const Columns& columns, bool wide) {
  std::vector<std::string> header;
  if (columns.namespaces) header.emplace_back("NAMESPACE");
  header.emplace_back("NAME");
  if (columns.clusters) header.emplace_back("CLUSTER");
  for (const char* title : {"PHASE", "REASON", "JOB", "ATTEMPT", "AGE"}) header.emplace_back(title);
  if (wide) {
    if (columns.tasks) header.emplace_back("TASKS");
    for (const char* title : {"EXIT", "GENERATION", "FILE", "MESSAGE"}) header.emplace_back(title);
  }
  return header;
}

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }

std::vector<Cell> row_of(const SpecStatus& status, const std::string& cluster,
                         const Columns& columns, const GetView& view) {
  std::vector<Cell> row;
  if (columns.namespaces) row.push_back({status.name.name_space});
  row.push_back({status.name.name});
  if (columns.clusters) row.push_back({cluster});
  row.push_back({std::string(to_text(status.verdict.phase)), style_of(status.verdict.phase)});
  row.push_back({std::string(to_text(status.verdict.reason))});
  row.push_back({status.job ? to_text(*status.job) : "-"});
  row.push_back({attempt_text(status.run, status.attempt)});
  row.push_back({age_text(view.now - status.accepted_at)});
  if (view.wide) {
    if (columns.tasks) {
      row.push_back({status.tasks ? std::to_string(status.tasks->succeeded) + "/" +
                                        std::to_string(status.tasks->total)
                                  : "-"});
    }
    row.push_back({status.exit_code ? std::to_string(*status.exit_code) : "-"});
    row.push_back({or_dash(status.generation)});
    row.push_back({or_dash(status.file)});
    row.push_back({status.verdict.message});
  }
  return row;
}

}  // namespace

std::string get_table(const std::vector<Published>& clusters, const GetView& view) {
  Columns columns;
  std::set<std::string> spaces;
  std::size_t with_specs = 0;
  for (const auto& cluster : clusters) {
    with_specs += cluster.statuses.empty() ? 0 : 1;
    for (const auto& status : cluster.statuses) {
      spaces.insert(status.name.name_space);
      columns.tasks = columns.tasks || status.tasks.has_value();
    }
  }
  columns.namespaces = view.namespaces || spaces.size() > 1;
  columns.clusters = view.wide || with_specs > 1;
  std::vector<std::vector<Cell>> rows;
  for (const auto& cluster : clusters) {
    for (const auto& status : cluster.statuses) {
      rows.push_back(row_of(status, cluster.cluster, columns, view));
    }
  }
  if (rows.empty()) return "";
  return table_text(header_of(columns, view.wide), rows, view.paint);
}

std::vector<std::string> notices(const Published& cluster, milliseconds patience, TimePoint now) {
  const std::string whose = cluster.cluster.empty() ? "" : " of cluster " + cluster.cluster;
  if (cluster.at == TimePoint{}) {
    return {"the controller" + whose + " has not ticked yet; start it with: sconverge run"};
  }
  std::vector<std::string> out;
  if (now - cluster.at > patience) {
    out.push_back("the controller" + whose + " has not ticked for " + age_text(now - cluster.at) +
                  "; what follows is as old (start it with: sconverge run)");
  }
  if (!cluster.error.empty()) {
    out.push_back("the last tick" + whose + " failed: " + cluster.error);
  }
  if (!cluster.source_complete) {
    out.push_back("the watched directory cannot be read whole, so nothing is cancelled: " +
                  cluster.source_reason);
  }
  for (const auto& hit : cluster.guards) {
    out.push_back("guard " + std::string(to_text(hit.guard)) + ": " + hit.message);
  }
  return out;
}

milliseconds patience_of(const Config& config) {
  return std::max<milliseconds>(3 * config.interval, seconds{60});
}

Style style_of(Phase phase) {
  switch (phase) {
    case Phase::Succeeded:
      return Style::Green;
    case Phase::Running:
    case Phase::Completing:
      return Style::Cyan;
    case Phase::Waiting:
    case Phase::Submitting:
    case Phase::Pending:
    case Phase::Retrying:
    case Phase::Suspended:
      return Style::Yellow;
    case Phase::Invalid:
    case Phase::Failed:
    case Phase::Lost:
    case Phase::Blocked:
      return Style::Red;
    case Phase::Cancelled:
      return Style::Dim;
  }
  return Style::Plain;
}

std::string attempt_text(int run, int attempt) {
  return attempt > 0 ? std::to_string(run) + "." + std::to_string(attempt) : "-";
}

}  // namespace sconverge
