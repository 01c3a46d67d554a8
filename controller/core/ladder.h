#pragma once

#include <unordered_map>
#include <vector>

#include "controller/core/plan.h"

namespace sconverge {

/// The live jobs of this controller in one observation, by token.
using LiveJobs = std::unordered_map<std::string, std::vector<const SlurmJob*>>;

LiveJobs live_jobs_of(const Observation& observed, const Policy& policy);

/// What one spec needs, apart from all others.
struct Decision {
  Verdict verdict{};
  std::vector<Action> actions{};
  std::optional<QueuedChange> queued{};
  std::optional<TimePoint> wake_at{};
};

/// The ladder for a spec that is declared; the first rung that fits wins:
///   earlier attempts still open → duplicates → unanswered intent → live job → finished → suspended
///   → submit.
/// REQUIRES: entry.accepted
Decision decide(const SpecName& name, const SpecHistory& entry, const LiveJobs& live,
                const Policy& policy, TimePoint now);

/// Cancels second jobs of one run; they serve nobody whether the spec is declared or not.
std::vector<Action> cancel_duplicates(const SpecName& name, const SpecHistory& entry,
                                      const LiveJobs& live, const Policy& policy, TimePoint now);

}  // namespace sconverge
