#include "controller/core/agreement.h"

#include <cstdlib>

namespace sconverge {
namespace {

/// By the verdict alone, for a spec that has no job in Slurm.
std::optional<Disagreement> without_job(const Verdict& verdict) {
  switch (verdict.phase) {
    case Phase::Waiting:
    case Phase::Retrying:
      return Disagreement::Missing;
    case Phase::Failed:
      if (verdict.reason == Reason::SubmitRejected) return Disagreement::Missing;
      return {};
    case Phase::Cancelled:
      if (verdict.reason == Reason::Superseded) return Disagreement::Missing;
      return {};
    case Phase::Submitting:
    case Phase::Lost:
    case Phase::Blocked:
      return Disagreement::Unknown;
    case Phase::Invalid:
    case Phase::Suspended:
    case Phase::Pending:
    case Phase::Running:
    case Phase::Completing:
    case Phase::Succeeded:
      return {};
  }
  std::abort();
}

}  // namespace

std::string_view to_text(Disagreement disagreement) {
  switch (disagreement) {
    case Disagreement::Missing:
      return "missing";
    case Disagreement::Drifted:
      return "drifted";
    case Disagreement::Orphaned:
      return "orphaned";
    case Disagreement::Unknown:
      return "unknown";
  }
  std::abort();
}

std::optional<Disagreement> disagreement_of(const SpecStatus& status) {
  const Verdict& verdict = status.verdict;
  const bool lost_sight = verdict.phase == Phase::Lost || verdict.reason == Reason::JobsVanished;
  if (status.live_generation.empty() || lost_sight) {
    const auto found = without_job(verdict);
    // What is no longer declared lacks nothing.
    return status.removed && found == Disagreement::Missing ? std::nullopt : found;
  }
  if (status.removed) return Disagreement::Orphaned;
  if (status.generation.empty()) return Disagreement::Unknown;  // its file never was valid
  if (status.live_generation != status.generation) return Disagreement::Drifted;
  return {};
}

bool is_ready(const SpecStatus& status) {
  if (status.removed) return false;
  const bool drifted = disagreement_of(status) == Disagreement::Drifted;
  switch (status.verdict.phase) {
    case Phase::Succeeded:
      return true;
    case Phase::Running:
    case Phase::Completing:
      return status.verdict.reason != Reason::Replacing;
    case Phase::Pending:
    case Phase::Suspended:
      return !drifted;
    case Phase::Invalid:
    case Phase::Waiting:
    case Phase::Submitting:
    case Phase::Failed:
    case Phase::Cancelled:
    case Phase::Retrying:
    case Phase::Lost:
    case Phase::Blocked:
      return false;
  }
  std::abort();
}

}  // namespace sconverge
