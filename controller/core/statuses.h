#pragma once

#include <map>
#include <vector>

#include "controller/core/history.h"
#include "controller/core/plan.h"
#include "controller/core/report.h"
#include "controller/core/status.h"

namespace sconverge {

using Statuses = std::map<SpecName, SpecStatus>;

/// Where an entry stands after something was done about it in this tick.
/// REQUIRES: entry.newest()
Verdict verdict_after_action(const SpecHistory& entry);

/// Rows for people from verdicts and memory. `since` is kept from `before` while phase and reason
/// stay.
Statuses statuses_from(const std::map<SpecName, Verdict>& verdicts, const History& history,
                       const Desired& desired, const Statuses& before, TimePoint now);

/// What changed between two sets of rows: a new spec, another phase or another reason.
std::vector<Transition> transitions_between(const Statuses& before, const Statuses& after);

}  // namespace sconverge
