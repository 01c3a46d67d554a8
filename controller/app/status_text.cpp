#include "controller/app/status_text.h"

#include "controller/app/printable.h"
#include "controller/app/render_get.h"
#include "controller/app/time_text.h"

namespace sconverge {
namespace {

constexpr std::size_t kMostLines = 20;

std::string line(const std::string& text) { return printable(text) + "\n"; }

/// At most `kMostLines` of them, and how many are left.
std::string lines_of(const std::vector<std::string>& texts) {
  std::string out;
  for (std::size_t i = 0; i < texts.size() && i < kMostLines; ++i) out += line(texts[i]);
  if (texts.size() > kMostLines) {
    out += "... and " + std::to_string(texts.size() - kMostLines) + " more\n";
  }
  return out;
}

std::string cluster_text(const ClusterView& cluster, TimePoint now) {
  const Published& published = cluster.tick->published;
  std::string out = line("cluster " + published.cluster + ": " + connection_text(cluster));
  out += line("  last tick " + tick_text(*cluster.tick, now));
  if (published.at == TimePoint{}) return out;
  const std::string revision =
      published.revision.empty() ? "" : "revision " + published.revision + ", ";
  return out + line("  " + revision + files_text(*cluster.tick));
}

std::string counts_text(const StatusView& view) {
  std::string counts;
  for (const auto& [phase, count] : view.phases) {
    counts += (counts.empty() ? "" : ", ") + std::to_string(count) + " ";
    counts += to_text(phase);
  }
  const std::string where =
      view.filter.name_space.empty() ? "" : " in namespace " + view.filter.name_space;
  return line(std::to_string(view.in_space) + (view.in_space == 1 ? " spec" : " specs") + where +
              (counts.empty() ? "" : ": " + counts));
}

/// The rows as `get` shows them.
std::string table_of(const StatusView& view) {
  std::vector<Published> clusters;
  for (const auto& row : view.rows) {
    if (clusters.empty() || clusters.back().cluster != *row.cluster) {
      clusters.emplace_back();
      clusters.back().cluster = *row.cluster;
    }
    clusters.back().statuses.push_back(*row.status);
  }
  GetView get;
  get.now = view.now;
  return get_table(clusters, get);
}

}  // namespace

std::string status_text(const StatusView& view, const std::string& version) {
  std::string out = "sconverge " + version + ", " + time_text(view.now) + "\n\n";
  for (const auto& cluster : view.clusters) out += cluster_text(cluster, view.now);
  if (!view.findings.empty()) out += "\n" + lines_of(view.findings);
  if (!view.problems.empty()) out += "\n" + lines_of(view.problems);
  out += "\n" + counts_text(view);
  if (!view.rows.empty()) out += "\n" + table_of(view);
  if (view.matching > view.rows.size()) {
    out += "... and " + std::to_string(view.matching - view.rows.size()) +
           " more; ?phase=PHASE and ?namespace=NAME show some of them, /api/v1/specs all\n";
  }
  return out + "\npages: / /api/v1/specs /metrics /livez /readyz\n";
}

std::string connection_text(const ClusterView& cluster) {
  std::string text = cluster.address;
  if (!cluster.slurm_version.empty()) text += ", Slurm " + cluster.slurm_version;
  if (!cluster.api_version.empty()) text += ", API " + cluster.api_version;
  if (!cluster.user.empty()) text += ", as " + cluster.user;
  return text;
}

std::string files_text(const TickView& tick) {
  std::string text = std::to_string(tick.valid_files) +
                     (tick.valid_files == 1 ? " file accepted" : " files accepted");
  if (tick.invalid_files > 0) text += ", " + std::to_string(tick.invalid_files) + " refused";
  if (tick.ignored_files > 0) text += ", " + std::to_string(tick.ignored_files) + " left alone";
  return text;
}

std::string tick_text(const TickView& tick, TimePoint now) {
  if (tick.published.at == TimePoint{}) return "none yet";
  const std::string took =
      tick.took < seconds{1} ? std::to_string(tick.took.count()) + "ms" : age_text(tick.took);
  return age_text(now - tick.published.at) + " ago, took " + took;
}

}  // namespace sconverge
