#include <algorithm>
#include <ostream>

#include "controller/app/render_get.h"
#include "controller/app/state_view.h"
#include "controller/app/verbs.h"

namespace sconverge {
namespace {

bool is_wanted(const SpecStatus& status, const GetOptions& options,
               const std::vector<FoundSpec>& found) {
  if (!options.name_space.empty() && status.name.name_space != options.name_space) return false;
  return options.names.empty() || std::any_of(found.begin(), found.end(), [&](const auto& spec) {
           return spec.status == &status;
         });
}

void print(const std::vector<Published>& clusters, const GetOptions& options,
           const Console& console) {
  switch (options.output) {
    case OutputFormat::Table:
    case OutputFormat::Wide:
      console.out << get_table(clusters, {options.output == OutputFormat::Wide, options.namespaces,
                                          console.clock.now(), console.out_paint()});
      return;
    case OutputFormat::Name:
      for (const auto& cluster : clusters) {
        for (const auto& status : cluster.statuses) console.out << to_text(status.name) << "\n";
      }
      return;
    case OutputFormat::Json:
    case OutputFormat::Yaml:
    case OutputFormat::Sarif:
    case OutputFormat::Github:
    case OutputFormat::Schema:
      break;
  }
  const auto format = document_format(options.output);
  if (options.names.size() == 1) {
    // As with kubectl: one name asked for, one object given.
    for (const auto& cluster : clusters) {
      for (const auto& status : cluster.statuses) {
        console.out << status_document(cluster, status, format);
      }
    }
  } else {
    console.out << statuses_document(clusters, format);
  }
}

}  // namespace

ExitCode verb_get(const GetOptions& options, const Config& config, const Console& console) {
  auto states = read_state(config.state);
  if (!states) return fail(console, states.error().message);
  std::vector<FoundSpec> found;
  bool all_found = true;
  for (const auto& name : options.names) {
    const auto spec = find_spec(*states, name);
    if (spec) {
      found.push_back(*spec);
    } else {
      fail(console, spec.error().message);
      all_found = false;
    }
  }
  std::vector<Published> clusters;
  std::size_t rows = 0;
  for (const auto& state : *states) {
    Published shown;
    shown.cluster = state.name;
    if (state.published) {
      shown = *state.published;
      shown.statuses.clear();
      for (const auto& status : state.published->statuses) {
        if (is_wanted(status, options, found)) shown.statuses.push_back(status);
      }
    }
    rows += shown.statuses.size();
    for (const auto& notice : notices(shown, patience_of(config), console.clock.now())) {
      warn(console, notice);
    }
    clusters.push_back(std::move(shown));
  }
  if (!all_found && found.empty()) return ExitCode::Error;
  if (rows == 0) console.err << "no specs found\n";
  print(clusters, options, console);
  return all_found ? ExitCode::Ok : ExitCode::Error;
}

}  // namespace sconverge
