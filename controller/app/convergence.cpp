#include "controller/app/convergence.h"

#include <algorithm>
#include <map>

namespace sconverge {
namespace {

bool is_settled(const SpecStatus& status) {
  switch (status.verdict.phase) {
    case Phase::Invalid:
    case Phase::Succeeded:
    case Phase::Failed:
    case Phase::Blocked:
    case Phase::Suspended:
      return true;
    case Phase::Cancelled:
      return status.verdict.reason != Reason::Superseded;  // the new generation follows
    case Phase::Lost:
      return status.verdict.reason != Reason::AwaitingAccounting;
    case Phase::Waiting:
    case Phase::Submitting:
    case Phase::Pending:
    case Phase::Running:
    case Phase::Completing:
    case Phase::Retrying:
      return false;
  }
  return false;
}

bool has_failed(const SpecStatus& status) {
  const Phase phase = status.verdict.phase;
  const bool unwanted = status.removed || status.verdict.reason == Reason::Removed;
  return phase == Phase::Failed || phase == Phase::Lost || (phase == Phase::Cancelled && !unwanted);
}

bool is_unreachable(const Error& error) {
  return error.kind == ErrorKind::Unavailable || error.kind == ErrorKind::Unknown;
}

}  // namespace

Convergence convergence_of(const std::vector<SpecStatus>& statuses) {
  Convergence out;
  std::map<std::string, int> unsettled;
  for (const auto& status : statuses) {
    const std::string phase(to_text(status.verdict.phase));
    ++out.total;
    if (!is_settled(status)) {
      ++unsettled[phase];
      continue;
    }
    ++out.settled;
    const bool failed = has_failed(status);
    out.failed += failed ? 1 : 0;
    out.invalid += status.verdict.phase == Phase::Invalid ? 1 : 0;
    out.blocked += status.verdict.phase == Phase::Blocked ? 1 : 0;
    if (failed || status.verdict.phase == Phase::Invalid ||
        status.verdict.phase == Phase::Blocked) {
      out.trouble.push_back(to_text(status.name) + " " + phase + " (" +
                            std::string(to_text(status.verdict.reason)) +
                            "): " + status.verdict.message);
    }
  }
  out.progress = std::to_string(out.settled) + "/" + std::to_string(out.total) + " settled";
  std::string separator = ": ";
  for (const auto& [phase, count] : unsettled) {
    out.progress.append(separator).append(std::to_string(count)).append(" ").append(phase);
    separator = ", ";
  }
  return out;
}

ExitCode code_of(const std::vector<TickReport>& reports, bool waited) {
  bool guarded = false;
  bool invalid = false;
  bool failed = false;
  for (const auto& report : reports) {
    if (report.failed) {
      const bool unreachable = report.failed_step == "observe" && is_unreachable(*report.failed);
      return unreachable ? ExitCode::SlurmUnreachable : ExitCode::Error;
    }
    if (!report.source_complete) return ExitCode::Error;
    const Convergence convergence = convergence_of(report.statuses);
    guarded = guarded || !report.guards.empty() || convergence.blocked > 0;
    invalid = invalid || !report.problems.empty() || convergence.invalid > 0;
    failed = failed || (waited && convergence.failed > 0) ||
             std::any_of(report.actions.begin(), report.actions.end(), [&](const auto& action) {
               return !waited && action.result != OperationResult::Success;
             });
  }
  if (guarded) return ExitCode::Guarded;
  if (invalid) return ExitCode::Invalid;
  return failed ? ExitCode::Error : ExitCode::Ok;
}

}  // namespace sconverge
