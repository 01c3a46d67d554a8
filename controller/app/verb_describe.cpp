#include <ostream>

#include "controller/app/render_describe.h"
#include "controller/app/render_get.h"
#include "controller/app/state_view.h"
#include "controller/app/verbs.h"

namespace sconverge {

ExitCode verb_describe(const DescribeOptions& options, const Config& config,
                       const Console& console) {
  auto states = read_state(config.state);
  if (!states) return fail(console, states.error().message);
  ExitCode code = ExitCode::Ok;
  bool first = true;
  for (const auto& name : options.names) {
    const auto spec = find_spec(*states, name);
    if (!spec) {
      code = fail(console, spec.error().message);
      continue;
    }
    const auto history = spec->cluster->store->load();
    if (!history) return fail(console, history.error().message);
    const auto entry = history->find(spec->status->name);
    const SpecHistory known = entry == history->end() ? SpecHistory{} : entry->second;
    const Published& published = *spec->cluster->published;
    if (options.output != OutputFormat::Table) {
      console.out << description_document(published, *spec->status, known,
                                          document_format(options.output));
      continue;
    }
    for (const auto& notice : notices(published, patience_of(config), console.clock.now())) {
      warn(console, notice);
    }
    if (!first) console.out << "\n";
    first = false;
    console.out << describe_text(published, *spec->status, known, console.clock.now(),
                                 console.out_paint());
  }
  return code;
}

}  // namespace sconverge
