#include "controller/http/health.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace sconverge {
namespace {

struct Check {
  std::string name;
  bool ok;
};

HttpAnswer render(std::string_view probe, const std::vector<Check>& checks, bool verbose) {
  const bool healthy =
      std::all_of(checks.begin(), checks.end(), [](const Check& check) { return check.ok; });
  if (healthy && !verbose) return {200, kPlainText, "ok\n"};
  std::string text;
  for (const Check& check : checks) {
    text += check.ok ? "[+]" + check.name + " ok\n" : "[-]" + check.name + " failed\n";
  }
  text += std::string(probe) + (healthy ? " check passed\n" : " check failed\n");
  return {healthy ? 200 : 503, kPlainText, text};
}

}  // namespace

HttpAnswer livez(const HealthState& state, TimePoint now, bool verbose) {
  std::vector<Check> checks;
  for (const auto& [cluster, heartbeat] : state.heartbeats) {
    checks.push_back(
        {"loop-" + cluster, now - heartbeat.last < kStuckAfter + heartbeat.longest_call});
  }
  return render("livez", checks, verbose);
}

HttpAnswer readyz(const HealthState& state, bool verbose) {
  return render("readyz",
                {{"config", state.config_valid},
                 {"store", state.store_open},
                 {"source", state.source_scanned},
                 {"not-draining", !state.draining}},
                verbose);
}

}  // namespace sconverge
