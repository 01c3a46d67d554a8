#include "controller/app/state_view.h"

#include <algorithm>

#include "controller/app/printable.h"
#include "controller/store/sqlite_store.h"
#include "specs/near_miss.h"

namespace sconverge {
namespace {

Error no_such_spec(const std::vector<ClusterState>& clusters, const std::string& text) {
  std::vector<std::string> names;
  for (const auto& cluster : clusters) {
    if (!cluster.published) continue;
    for (const auto& status : cluster.published->statuses) {
      names.push_back(to_text(status.name));
      names.push_back(status.name.name);
    }
  }
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const auto close = near_miss(text, candidates);
  return {ErrorKind::Rejected, "there is no spec \"" + printable(text) + "\"" +
                                   (close.empty() ? "; sconverge get lists them"
                                                  : "; did you mean " + std::string(close) + "?")};
}

Error ambiguous(const std::vector<FoundSpec>& found, const std::string& text) {
  std::string names;
  for (const auto& spec : found) {
    names += (names.empty() ? "" : ", ") + to_text(spec.status->name);
  }
  return {ErrorKind::Rejected, "\"" + printable(text) + "\" is the name of several specs (" +
                                   names + "); write namespace/name"};
}

}  // namespace

Result<std::vector<ClusterState>> read_state(const std::string& directory) {
  const auto names = clusters_in(directory);
  if (!names) return names.error();
  std::vector<ClusterState> clusters;
  for (const auto& name : *names) {
    auto store = open_verb_store(directory, name);
    if (!store) return store.error();
    auto published = (*store)->published();
    // Unavailable: no tick has ended yet. That is a state to show, not a failure.
    if (!published && published.error().kind != ErrorKind::Unavailable) return published.error();
    clusters.push_back({name, std::move(*store), {}});
    if (published) clusters.back().published = std::move(*published);
  }
  return clusters;
}

Result<FoundSpec> find_spec(std::vector<ClusterState>& clusters, const std::string& text) {
  std::vector<FoundSpec> found;
  for (auto& cluster : clusters) {
    if (!cluster.published) continue;
    for (const auto& status : cluster.published->statuses) {
      if (to_text(status.name) == text || status.name.name == text) {
        found.push_back({&cluster, &status});
      }
    }
  }
  if (found.empty()) return no_such_spec(clusters, text);
  // A spec that moved to another cluster is still being removed from the first.
  const auto is_removed = [](const FoundSpec& spec) { return spec.status->removed; };
  if (!std::all_of(found.begin(), found.end(), is_removed)) std::erase_if(found, is_removed);
  if (found.size() > 1) return ambiguous(found, text);
  return found.front();
}

}  // namespace sconverge
