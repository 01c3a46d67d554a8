#include "controller/core/removal.h"

#include <algorithm>
#include <cstdlib>

#include "controller/core/verdict.h"

namespace sconverge {
namespace {

constexpr std::chrono::hours kBudgetWindow{1};

/// Whether removing this spec would cancel a job without anybody having looked at it.
bool needs_budget(const SpecHistory& entry) {
  const Attempt* newest = entry.newest();
  if (!entry.missing_since || entry.removal_approved || newest == nullptr) return false;
  const bool kept = entry.accepted && (entry.accepted->on_delete == OnDelete::Orphan ||
                                       is_protected(*entry.accepted));
  return !kept && has_live_job(*newest) && !newest->cancel && newest->unseen == 0;
}

bool removed_since(const SpecHistory& entry, const Attempt& attempt, TimePoint since) {
  return !entry.removal_approved && attempt.cancel &&
         attempt.cancel->cause == CancelCause::Removed && attempt.cancel->at > since;
}

Reason reason_of(Guard guard) {
  switch (guard) {
    case Guard::SourceIncomplete:
      return Reason::SourceIncomplete;
    case Guard::SourceUnidentified:
      return Reason::SourceUnidentified;
    case Guard::Vanished:
      return Reason::JobsVanished;
    case Guard::NotOurMark:
      return Reason::NotOurMark;
    case Guard::Protected:
      return Reason::Protected;
    case Guard::PruneBudget:
      return Reason::PruneBudget;
  }
  std::abort();
}

}  // namespace

Removals::Removals(const Desired& desired, const History& history, const LiveJobs& live,
                   const Policy& policy, TimePoint now)
    : desired_(desired), live_(live), policy_(policy), now_(now) {
  count_budget(history);
}

void Removals::count_budget(const History& history) {
  for (const auto& [name, entry] : history) {
    if (needs_budget(entry)) ++candidates_;
    for (const auto& attempt : entry.attempts) {
      const bool recent = removed_since(entry, attempt, now_ - kBudgetWindow);
      if (recent) ++recent_;
      if (recent || has_live_job(attempt)) ++active_;
    }
  }
}

int Removals::limit() const {
  return std::max(policy_.prune_minimum, active_ * policy_.prune_percent / 100);
}

/// How a failed mount looks after a restart, when nobody remembers what the directory was.
bool Removals::emptied() const {
  return desired_.specs.empty() && desired_.invalid.empty() && candidates_ > 1;
}

std::optional<Guard> Removals::blocking(const SpecHistory& entry) const {
  const Attempt& attempt = *entry.newest();
  if (!desired_.complete) return Guard::SourceIncomplete;
  if (!desired_.names_known) return Guard::SourceUnidentified;
  const auto jobs = live_.find(attempt.token);
  const bool marked = jobs != live_.end() &&
                      std::any_of(jobs->second.begin(), jobs->second.end(),
                                  [&](const SlurmJob* job) { return job->id == attempt.job; });
  if (!marked) return Guard::NotOurMark;
  if (entry.removal_approved) return {};
  if (entry.accepted && is_protected(*entry.accepted)) return Guard::Protected;
  if (emptied() || recent_ + candidates_ > limit()) return Guard::PruneBudget;
  return {};
}

std::string Removals::explain(Guard guard, const std::string& names) const {
  switch (guard) {
    case Guard::SourceIncomplete:
      return "nothing is cancelled while the spec directory cannot be read whole: " +
             desired_.incomplete_reason;
    case Guard::SourceUnidentified:
      return "nothing is cancelled while a file that cannot be parsed may declare it: mend the "
             "file "
             "(sconverge validate names it)";
    case Guard::NotOurMark:
      return "the job's comment no longer carries this controller's mark, so it is left alone; if "
             "it "
             "is to end, use scancel";
    case Guard::Protected:
      return "its annotation sconverge/protect keeps the job; to cancel it: sconverge approve " +
             names;
    case Guard::PruneBudget:
      if (emptied()) {
        return "the directory declares nothing any more, as if its mount had failed; put the files "
               "back, or to cancel the jobs: sconverge approve";
      }
      return std::to_string(recent_ + candidates_) + " removals within an hour are more than " +
             std::to_string(policy_.prune_minimum) + " and more than " +
             std::to_string(policy_.prune_percent) + " % of " + std::to_string(active_) +
             " jobs; put the files back, or to cancel the jobs: sconverge approve";
    case Guard::Vanished:
      break;
  }
  std::abort();
}

std::optional<Decision> Removals::decide(const SpecName& name, const SpecHistory& entry) {
  const Attempt* newest = entry.newest();
  if (newest == nullptr || !is_open(*newest)) return {};
  if (entry.accepted && entry.accepted->on_delete == OnDelete::Orphan) return {};
  Decision decision;
  if (!newest->job) {
    decision.verdict = verdict_of_intent(*newest);
    return decision;
  }
  decision.verdict = verdict_of_live(*newest);
  if (newest->cancel || newest->unseen > 0 || newest->state.completing) return decision;
  const TimePoint ripe = *entry.missing_since + policy_.prune_grace;
  if (now_ < ripe) {
    decision.verdict.reason = Reason::RemovalGrace;
    decision.verdict.message +=
        "; its spec was removed, and it is cancelled when the grace is over";
    decision.wake_at = ripe;
    return decision;
  }
  if (const auto guard = blocking(entry)) {
    blocked_[*guard].push_back(name);
    decision.verdict = {
        Phase::Blocked, reason_of(*guard),
        decision.verdict.message + "; its spec was removed, but " + explain(*guard, to_text(name))};
    return decision;
  }
  decision.actions.emplace_back(
      Cancel{name, *newest->job, newest->token, CancelCause::Removed, {}});
  return decision;
}

std::vector<GuardHit> Removals::hits() const {
  std::vector<GuardHit> hits;
  for (const Guard guard : kAllGuards) {
    const auto found = blocked_.find(guard);
    if (found == blocked_.end()) continue;
    std::string names;
    for (const auto& name : found->second) names += (names.empty() ? "" : " ") + to_text(name);
    hits.push_back({guard, found->second, explain(guard, names)});
  }
  return hits;
}

}  // namespace sconverge
