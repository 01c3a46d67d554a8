#include "controller/core/history.h"

#include <cstdlib>

namespace sconverge {

bool is_open(const Attempt& attempt) { return !attempt.outcome; }

bool has_live_job(const Attempt& attempt) { return is_open(attempt) && attempt.job.has_value(); }

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

const Attempt* last_attempt_of(const SpecHistory& entry, const Generation& generation) {
  for (auto it = entry.attempts.rbegin(); it != entry.attempts.rend(); ++it) {
    if (it->generation == generation) return &*it;
  }
  const auto done = entry.done.find(generation);
  return done == entry.done.end() ? nullptr : &done->second;
}

}  // namespace sconverge
