#include "controller/app/render_plan.h"

#include <algorithm>

#include "controller/app/printable.h"
#include "controller/app/render_describe.h"
#include "controller/app/time_text.h"
#include "controller/app/words.h"

namespace sconverge {
namespace {

/// How many of each kind a plan holds, over all clusters.
struct Tally {
  std::size_t submit{0};
  std::size_t update{0};
  std::size_t cancel{0};
  std::size_t queued{0};
  std::size_t blocked{0};
  std::size_t invalid{0};
  std::size_t unchanged{0};
};

std::string field_lines(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::size_t width = 0;
  for (const auto& [name, text] : fields) width = std::max(width, columns_of(name));
  std::string out;
  for (const auto& [name, text] : fields) {
    out.append("      ").append(name).append(width - columns_of(name), ' ');
    out.append(" = ").append(text).append("\n");
  }
  return out;
}

std::string change_lines(const std::vector<FieldChange>& changes) {
  std::string out;
  for (const auto& change : changes) {
    out += "      " + printable(change.field) + ": " +
           (change.from.empty() ? "(not set)" : printable(change.from)) + " -> " +
           (change.to.empty() ? "(not set)" : printable(change.to)) + "\n";
  }
  return out;
}

std::string submit_fields(const Submit& submit, const SubmitDefaults& defaults) {
  if (!submit.content) return "";
  std::map<std::string, std::string> fields;
  for (const auto& [field, value] : submit.content->job) {
    fields[field] = printable(field_text(field, value));
  }
  for (const auto& [field, value] : default_fields(*submit.content, defaults)) {
    const bool own = submit.content->job.contains(field);
    fields[field] =
        printable(field_text(field, value)) + (own ? "  (with defaults)" : "  (default)");
  }
  fields["script"] = script_size_text(submit.content->script);
  return field_lines({fields.begin(), fields.end()});
}

/// Renders one action each.
struct ActionText {
  const ClusterPlan& plan;
  Paint paint;
  Tally& tally;

  std::string operator()(const Submit& submit) const {
    ++tally.submit;
    std::string head = "  + submit " + to_text(submit.spec);
    if (submit.resend)
      head += " again (its first send never arrived)";
    else if (submit.run > 1 || submit.attempt > 1)
      head += " (run " + std::to_string(submit.run) + ", attempt " +
              std::to_string(submit.attempt) + ")";
    return paint(Style::Green, head) + "\n" + submit_fields(submit, plan.defaults);
  }
  std::string operator()(const Update& update) const {
    ++tally.update;
    return head(Style::Yellow, "~ update", update.spec, update.job, "in place") +
           change_lines(update.changes);
  }
  std::string operator()(const SetHold& hold) const {
    ++tally.update;
    return head(Style::Yellow, hold.hold ? "~ hold" : "~ release", hold.spec, hold.job, "");
  }
  std::string operator()(const Cancel& cancel) const {
    ++tally.cancel;
    std::string why(because_text(cancel.cause));
    if (cancel.cause == CancelCause::Removed && plan.grace > seconds{0}) {
      why += "; after a grace of " + age_text(plan.grace);
    }
    return head(Style::Red, "- cancel", cancel.spec, cancel.job, why) +
           change_lines(cancel.changes);
  }

 private:
  std::string head(Style style, std::string_view verb, const SpecName& spec, JobId job,
                   std::string_view why) const {
    std::string text = "  " + std::string(verb) + " " + to_text(spec) + " (job " + to_text(job);
    if (!why.empty()) text += ", " + std::string(why);
    return paint(style, text + ")") + "\n";
  }
};

std::string guard_lines(const std::vector<GuardHit>& guards, Paint paint, Tally& tally) {
  std::string out;
  for (const auto& hit : guards) {
    tally.blocked += hit.specs.size();
    out += paint(Style::Red, "  ! blocked by " + std::string(to_text(hit.guard))) + ": " +
           printable(hit.message) + "\n";
    for (const auto& spec : hit.specs) out += "      " + to_text(spec) + "\n";
  }
  return out;
}

std::string problem_lines(const std::vector<Problem>& problems, Paint paint) {
  std::string out;
  for (const auto& problem : problems) {
    out += paint(Style::Red, "  ! refused") + ": " + to_text(problem) + "\n";
  }
  return out;
}

std::string cluster_text(const ClusterPlan& plan, Paint paint, Tally& tally) {
  std::string out;
  std::set<SpecName> touched;
  for (const auto& action : plan.preview.plan.actions) {
    touched.insert(spec_of(action));
    out += std::visit(ActionText{plan, paint, tally}, action);
  }
  for (const auto& [name, queued] : plan.preview.plan.queued) {
    ++tally.queued;
    touched.insert(name);
    out += paint(Style::Yellow, "  ~ change " + to_text(name) + " (runs after job " +
                                    to_text(queued.after) + " has ended)") +
           "\n" + change_lines(queued.changes);
  }
  out += guard_lines(plan.preview.plan.guards, paint, tally);
  for (const auto& hit : plan.preview.plan.guards)
    touched.insert(hit.specs.begin(), hit.specs.end());
  out += problem_lines(plan.preview.desired.problems, paint);
  if (!plan.preview.desired.complete) {
    out += "  ! the watched directory cannot be read whole, so nothing is cancelled: " +
           printable(plan.preview.desired.incomplete_reason) + "\n";
  }
  for (const auto& [name, verdict] : plan.preview.plan.verdicts) {
    if (touched.contains(name)) continue;
    ++(verdict.phase == Phase::Invalid ? tally.invalid : tally.unchanged);
  }
  return out.empty() ? out : "Cluster " + plan.cluster + ":\n" + out + "\n";
}

}  // namespace

std::string plan_text(const std::vector<ClusterPlan>& plans, Paint paint) {
  Tally tally;
  std::string out;
  for (const auto& plan : plans) out += cluster_text(plan, paint, tally);
  const bool whole = std::all_of(plans.begin(), plans.end(), [](const ClusterPlan& plan) {
    return plan.preview.desired.complete && plan.preview.desired.problems.empty();
  });
  if (whole && !has_changes(plans)) out += "No changes: Slurm is as declared. ";
  std::string summary = "Plan: " + std::to_string(tally.submit) + " to submit, " +
                        std::to_string(tally.update) + " to change, " +
                        std::to_string(tally.cancel) + " to cancel";
  if (tally.queued > 0) summary += ", " + std::to_string(tally.queued) + " to run later";
  if (tally.blocked > 0) summary += ", " + std::to_string(tally.blocked) + " blocked";
  if (tally.invalid > 0) summary += ", " + std::to_string(tally.invalid) + " invalid";
  return out + paint(Style::Bold, summary + "; " + std::to_string(tally.unchanged) + " unchanged") +
         "\n";
}

bool has_changes(const std::vector<ClusterPlan>& plans) {
  return std::any_of(plans.begin(), plans.end(), [](const ClusterPlan& plan) {
    const Plan& made = plan.preview.plan;
    return !made.actions.empty() || !made.guards.empty() || !made.queued.empty();
  });
}

}  // namespace sconverge
