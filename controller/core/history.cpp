#include "controller/core/history.h"

#include <cstdlib>
#include <utility>

#include "specs/array_indexes.h"

namespace sconverge {

bool is_open(const Attempt& attempt) { return !attempt.outcome; }

bool has_live_job(const Attempt& attempt) { return is_open(attempt) && attempt.job.has_value(); }

bool is_untouched(const Attempt& attempt) {
  return attempt.state.base == BaseState::Pending && !attempt.state.completing &&
         attempt.tasks.untouched() && missing_tasks(attempt).empty();
}

IndexSet declared_tasks(const Attempt& attempt) {
  if (attempt.array.empty()) return {};
  auto array = read_array(attempt.array);
  return array ? std::move(array->indexes) : IndexSet();
}

IndexSet missing_tasks(const Attempt& attempt) {
  return declared_tasks(attempt).without(attempt.tasks.all());
}

const Attempt* SpecHistory::newest() const {
  if (attempts.empty()) return nullptr;
  const Attempt* newest = &attempts.back();
  for (const auto& attempt : attempts) {
    if (attempt.run != newest->run || !has_live_job(attempt)) continue;
    if (!has_live_job(*newest) || attempt.job < newest->job) newest = &attempt;
  }
  return newest;
}

Attempt* SpecHistory::newest() {
  // The same choice, on an entry that is ours to change.
  return const_cast<Attempt*>(static_cast<const SpecHistory&>(*this).newest());  // NOLINT
}

bool finishes(const Attempt& attempt) {
  if (!attempt.outcome) return false;
  switch (attempt.outcome->kind) {
    case OutcomeKind::Succeeded:
    case OutcomeKind::Failed:
    case OutcomeKind::Rejected:
    case OutcomeKind::Lost:
      return true;
    case OutcomeKind::Cancelled:
      return !attempt.cancel;
    case OutcomeKind::Abandoned:
      return false;
  }
  std::abort();
}

bool ended_as_duplicate(const Attempt& attempt) {
  return attempt.outcome && attempt.outcome->kind == OutcomeKind::Cancelled && attempt.cancel &&
         attempt.cancel->cause == CancelCause::Duplicate;
}

const Attempt* last_attempt_of(const SpecHistory& entry, const Generation& generation) {
  for (auto it = entry.attempts.rbegin(); it != entry.attempts.rend(); ++it) {
    if (it->generation == generation && !ended_as_duplicate(*it)) return &*it;
  }
  const auto done = entry.done.find(generation);
  return done == entry.done.end() ? nullptr : &done->second;
}

}  // namespace sconverge
