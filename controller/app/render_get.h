#pragma once

#include <string>
#include <vector>

#include "controller/app/config.h"
#include "controller/app/table.h"
#include "controller/core/time.h"
#include "controller/ports/store.h"

namespace sconverge {

struct GetView {
  bool wide{false};
  bool namespaces{false};  ///< show the column even if there is only one namespace
  TimePoint now{};
  Paint paint{};
};

/// The table of `sconverge get`: one row a spec. The columns NAMESPACE and CLUSTER appear when
/// there is more than one. "" if there are no specs.
std::string get_table(const std::vector<Published>& clusters, const GetView& view);

/// What a reader must know before trusting the table, one sentence each: no tick for long, failing
/// ticks, a directory that cannot be read, and guards with the command that lifts them. A
/// controller counts as stopped after `patience` without a tick.
std::vector<std::string> notices(const Published& cluster, milliseconds patience, TimePoint now);

/// How long a controller with this configuration may well be silent.
milliseconds patience_of(const Config& config);

/// Green for what went well, red for what needs somebody, yellow for what is under way.
Style style_of(Phase phase);

/// "2.1": run and attempt; "-" before the first.
std::string attempt_text(int run, int attempt);

}  // namespace sconverge
