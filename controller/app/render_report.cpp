#include "controller/app/render_report.h"

#include "controller/app/printable.h"
#include "controller/app/render_get.h"

namespace sconverge {
namespace {

std::string transition_text(const Transition& transition, Paint paint) {
  const SpecStatus& now = transition.now;
  std::string text = to_text(now.name) + ": " +
                     paint(style_of(now.verdict.phase), to_text(now.verdict.phase)) + " (" +
                     std::string(to_text(now.verdict.reason)) + ")";
  if (now.job) text += ", job " + to_text(*now.job);
  if (now.exit_code) text += ", exit code " + std::to_string(*now.exit_code);
  return text + "\n";
}

std::string failure_text(const ActionReport& action, Paint paint) {
  return to_text(action.spec) + ": " +
         paint(Style::Red, std::string(to_text(action.operation)) + " failed") + ": " +
         printable(action.message) + "\n";
}

}  // namespace

std::string report_text(const TickReport& report, Paint paint) {
  std::string out;
  for (const auto& action : report.actions) {
    if (action.result != OperationResult::Success) out += failure_text(action, paint);
  }
  for (const auto& transition : report.transitions) out += transition_text(transition, paint);
  return out;
}

}  // namespace sconverge
