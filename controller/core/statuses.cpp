#include "controller/core/statuses.h"

#include <algorithm>

#include "controller/core/verdict.h"

namespace sconverge {
namespace {

bool same_standing(const Verdict& left, const Verdict& right) {
  return left.phase == right.phase && left.reason == right.reason;
}

Generation live_generation_of(const SpecHistory& entry) {
  const Attempt* newest = entry.newest();
  if (newest != nullptr && has_live_job(*newest)) return newest->generation;
  for (const auto& attempt : entry.attempts) {
    if (has_live_job(attempt)) return attempt.generation;
  }
  return {};
}

std::optional<TimePoint> succeeded_at(const SpecHistory& entry) {
  std::optional<TimePoint> latest;
  const auto look = [&](const Attempt& attempt) {
    const bool succeeded = attempt.outcome && attempt.outcome->kind == OutcomeKind::Succeeded;
    if (succeeded && attempt.outcome->ended) latest = std::max(latest, attempt.outcome->ended);
  };
  for (const auto& attempt : entry.attempts) look(attempt);
  for (const auto& [generation, attempt] : entry.done) look(attempt);
  return latest;
}

void fill_from_history(SpecStatus& row, const SpecHistory& entry) {
  row.accepted_at = entry.accepted_at;
  row.generation = entry.wanted;
  row.file = entry.file;
  row.removed = entry.missing_since.has_value();
  row.live_generation = live_generation_of(entry);
  row.succeeded_at = succeeded_at(entry);
  const Attempt* shown = entry.newest();
  const bool finished_before = shown != nullptr && !is_open(*shown) && !entry.wanted.empty() &&
                               shown->generation != entry.wanted;
  if (finished_before) shown = last_attempt_of(entry, entry.wanted);
  if (shown == nullptr) return;
  row.job = shown->job;
  row.run = shown->run;
  row.attempt = shown->attempt;
  const TaskSummary tasks = summary_of(*shown);
  if (tasks.total > 0) row.tasks = tasks;
  if (shown->outcome) row.exit_code = shown->outcome->exit_code;
}

}  // namespace

Verdict verdict_after_action(const SpecHistory& entry) {
  const Attempt& newest = *entry.newest();
  if (newest.outcome) return verdict_of_outcome(newest);
  return newest.job ? verdict_of_live(newest) : verdict_of_intent(newest);
}

Statuses statuses_from(const std::map<SpecName, Verdict>& verdicts, const History& history,
                       const Desired& desired, const Statuses& before, TimePoint now) {
  Statuses rows;
  for (const auto& [name, verdict] : verdicts) {
    SpecStatus row{name};
    row.verdict = verdict;
    row.accepted_at = now;
    const auto entry = history.find(name);
    if (entry != history.end()) fill_from_history(row, entry->second);
    const auto invalid = desired.invalid.find(name);
    if (row.file.empty() && invalid != desired.invalid.end() && !invalid->second.empty()) {
      row.file = invalid->second.front().file;
    }
    const auto old = before.find(name);
    const bool stays = old != before.end() && same_standing(old->second.verdict, verdict);
    row.since = stays ? old->second.since : now;
    if (entry == history.end() && old != before.end()) row.accepted_at = old->second.accepted_at;
    rows.emplace(name, std::move(row));
  }
  return rows;
}

std::vector<Transition> transitions_between(const Statuses& before, const Statuses& after) {
  std::vector<Transition> transitions;
  for (const auto& [name, row] : after) {
    const auto old = before.find(name);
    if (old == before.end()) {
      transitions.push_back({row, {}});
    } else if (!same_standing(old->second.verdict, row.verdict) || old->second.job != row.job) {
      transitions.push_back({row, old->second.verdict});
    }
  }
  return transitions;
}

}  // namespace sconverge
