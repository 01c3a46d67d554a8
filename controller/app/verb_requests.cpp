#include <algorithm>
#include <optional>
#include <ostream>

#include "controller/app/render_get.h"
#include "controller/app/state_view.h"
#include "controller/app/verbs.h"

namespace sconverge {
namespace {

/// What approving lifts a guard; nothing for guards that only a change of the world lifts.
std::optional<RequestKind> approval_of(Guard guard) {
  switch (guard) {
    case Guard::Protected:
    case Guard::PruneBudget:
      return RequestKind::ApproveRemoval;
    case Guard::Vanished:
      return RequestKind::ApproveVanished;
    case Guard::SourceIncomplete:
    case Guard::SourceUnidentified:
    case Guard::NotOurMark:
      return {};
  }
  return {};
}

struct Asked {
  Store* store;
  Request request;
  std::string done;  ///< what to say when the request is stored
};

ExitCode ask(const std::vector<Asked>& all, const std::vector<ClusterState>& states,
             const Config& config, const Console& console) {
  for (const auto& asked : all) {
    const auto stored = asked.store->add_request(asked.request);
    if (!stored) return fail(console, stored.error().message);
    console.out << asked.done << "\n";
  }
  for (const auto& state : states) {
    const bool concerned = std::any_of(all.begin(), all.end(), [&](const Asked& asked) {
      return asked.store == state.store.get();
    });
    const TimePoint now = console.clock.now();
    if (concerned && state.published && now - state.published->at > patience_of(config)) {
      warn(console, "the controller of cluster " + state.name +
                        " does not run at present; it will do so when it does");
    }
  }
  return ExitCode::Ok;
}

/// Every approval that would lift something now, for one spec or (null) for all.
std::vector<Asked> approvals(ClusterState& state, const SpecName* only, TimePoint now) {
  std::vector<Asked> out;
  if (!state.published) return out;
  for (const auto& hit : state.published->guards) {
    const auto kind = approval_of(hit.guard);
    if (!kind) continue;
    for (const auto& spec : hit.specs) {
      // Protection is a person's explicit word; only naming the spec overrules it.
      if (only == nullptr ? hit.guard == Guard::Protected : *only != spec) continue;
      out.push_back({state.store.get(),
                     {0, *kind, spec, now},
                     "approved " + to_text(spec) + " (" + std::string(to_text(hit.guard)) + ")"});
    }
  }
  return out;
}

}  // namespace

ExitCode verb_rerun(const std::vector<std::string>& names, const Config& config,
                    const Console& console) {
  auto states = read_state(config.state);
  if (!states) return fail(console, states.error().message);
  std::vector<Asked> all;
  ExitCode code = ExitCode::Ok;
  for (const auto& name : names) {
    const auto spec = find_spec(*states, name);
    if (!spec) {
      code = fail(console, spec.error().message);
      continue;
    }
    const SpecStatus& status = *spec->status;
    if (status.removed) {
      code = fail(console, to_text(status.name) + " is no longer declared, so it cannot run again");
      continue;
    }
    all.push_back({spec->cluster->store.get(),
                   {0, RequestKind::Rerun, status.name, console.clock.now()},
                   "asked for " + to_text(status.name) + " to run again"});
  }
  return code == ExitCode::Ok ? ask(all, *states, config, console) : code;
}

ExitCode verb_approve(const std::vector<std::string>& names, const Config& config,
                      const Console& console) {
  auto states = read_state(config.state);
  if (!states) return fail(console, states.error().message);
  const TimePoint now = console.clock.now();
  std::vector<Asked> all;
  const auto add = [&](std::vector<Asked> more) {
    all.insert(all.end(), more.begin(), more.end());
    return !more.empty();
  };
  if (names.empty()) {
    for (auto& state : *states) add(approvals(state, nullptr, now));
    if (all.empty()) console.err << "nothing awaits approval\n";
  }
  ExitCode code = ExitCode::Ok;
  for (const auto& name : names) {
    const auto spec = find_spec(*states, name);
    if (!spec) {
      code = fail(console, spec.error().message);
    } else if (!add(approvals(*spec->cluster, &spec->status->name, now))) {
      code = fail(console, "nothing about " + to_text(spec->status->name) +
                               " awaits approval; sconverge describe tells where it stands");
    }
  }
  return code == ExitCode::Ok ? ask(all, *states, config, console) : code;
}

}  // namespace sconverge
