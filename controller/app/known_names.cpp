#include "controller/app/known_names.h"

#include <algorithm>
#include <map>
#include <set>

#include "controller/app/state_view.h"
#include "specs/field_text.h"

namespace sconverge {
namespace {

/// Plain names, but for those that several namespaces have, and for whoever typed a slash.
std::vector<Candidate> specs_in(const std::string& state, const std::string& word) {
  const auto clusters = read_state(state);
  if (!clusters) return {};
  std::map<std::string, int> bearers;
  std::vector<const SpecStatus*> statuses;
  for (const auto& cluster : *clusters) {
    if (!cluster.published) continue;
    for (const auto& status : cluster.published->statuses) {
      ++bearers[status.name.name];
      statuses.push_back(&status);
    }
  }
  const bool with_namespace = word.find('/') != std::string::npos;
  std::vector<Candidate> candidates;
  for (const auto* status : statuses) {
    const bool plain = !with_namespace && bearers[status->name.name] == 1;
    candidates.push_back({plain ? status->name.name : to_text(status->name),
                          std::string(to_text(status->verdict.phase))});
  }
  return candidates;
}

std::vector<Candidate> namespaces_in(const std::string& state) {
  const auto clusters = read_state(state);
  if (!clusters) return {};
  std::set<std::string> names;
  for (const auto& cluster : *clusters) {
    if (!cluster.published) continue;
    for (const auto& status : cluster.published->statuses) names.insert(status.name.name_space);
  }
  std::vector<Candidate> candidates;
  candidates.reserve(names.size());
  for (const auto& name : names) candidates.push_back({name, ""});
  return candidates;
}

std::vector<Candidate> clusters_of(const Config& config) {
  std::vector<Candidate> candidates;
  candidates.reserve(config.clusters.size());
  for (const auto& cluster : config.clusters) candidates.push_back({cluster.name, ""});
  return candidates;
}

/// The last parts of the paths; the paths to whoever typed a dot.
std::vector<Candidate> fields(const std::string& word) {
  const bool whole = word.find('.') != std::string::npos;
  std::vector<Candidate> candidates;
  for (const auto& field : field_texts()) {
    candidates.push_back(
        {whole ? field.path : field.path.substr(field.path.rfind('.') + 1), field.summary});
  }
  return candidates;
}

}  // namespace

std::vector<Candidate> known_names(ValueKind kind, const ConfigInputs& inputs,
                                   const std::string& word) {
  if (kind == ValueKind::Field) return fields(word);
  // A problem elsewhere in the configuration does not keep the state directory from being known.
  const Config config = read_config(inputs, {}).config;
  if (kind == ValueKind::Spec) return specs_in(config.state, word);
  if (kind == ValueKind::Namespace) return namespaces_in(config.state);
  if (kind == ValueKind::Cluster) return clusters_of(config);
  return {};
}

}  // namespace sconverge
