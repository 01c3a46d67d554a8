#include <ostream>

#include "controller/app/render_plan.h"
#include "controller/app/runtime.h"
#include "controller/app/verbs.h"

namespace sconverge {
namespace {

ExitCode code_of(const std::vector<ClusterPlan>& plans, const PlanOptions& options) {
  for (const auto& plan : plans) {
    if (!plan.preview.desired.problems.empty()) return ExitCode::Invalid;
    if (!plan.preview.desired.complete) return ExitCode::Error;
  }
  return options.detailed_exitcode && has_changes(plans) ? ExitCode::Changes : ExitCode::Ok;
}

}  // namespace

ExitCode verb_plan(const PlanOptions& options, const Config& config, const Console& console) {
  auto runtime = build_preview(config, console.clock);
  if (!runtime) return fail(console, runtime.error().message);
  std::vector<ClusterPlan> plans;
  for (auto& cluster : runtime->clusters) {
    auto preview = cluster->reconciler->preview();
    if (!preview) {
      const bool denied = preview.error().kind == ErrorKind::Denied;
      return fail(console, "cluster " + cluster->name() + ": " + preview.error().message,
                  denied ? ExitCode::Error : ExitCode::SlurmUnreachable);
    }
    const Policy policy = policy_for(config, *find_cluster(config, cluster->name()));
    plans.push_back({cluster->name(), policy.defaults, policy.prune_grace, std::move(*preview)});
  }
  if (options.output == OutputFormat::Table) {
    console.out << plan_text(plans, console.out_paint());
  } else {
    console.out << plan_document(plans, document_format(options.output));
  }
  return code_of(plans, options);
}

}  // namespace sconverge
