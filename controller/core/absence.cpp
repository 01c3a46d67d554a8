#include <algorithm>

#include "controller/core/absorber.h"
#include "controller/core/sight.h"

// What is concluded about jobs, and tasks of arrays, that Slurm does not show.
namespace sconverge {

void Absorber::prove_absence() {
  for (auto& [name, known] : history_) {
    const bool unseen = std::any_of(
        known.attempts.begin(), known.attempts.end(),
        [&](const Attempt& a) { return is_open(a) && !seen_tokens_.contains(a.token); });
    if (!unseen) continue;
    auto& entry = ledger_.open(name);
    for (auto& attempt : entry.attempts) {
      if (!is_open(attempt) || seen_tokens_.contains(attempt.token)) continue;
      if (attempt.job) {
        absent_job(name, entry, attempt);
      } else if (attempt.in_doubt) {
        absent_intent(name, entry, attempt);
      }
    }
  }
}

void Absorber::count_unseen(Attempt& attempt) const {
  attempt.unseen = std::min(attempt.unseen + 1, 2);
  // An array whose tasks are only missing has ended: that Slurm forgets it is no vanishing.
  if (!attempt.unseen_since && !attempt.state.final()) attempt.unseen_since = now_;
}

/// The list lacks a job that was there.
void Absorber::absent_job(const SpecName& name, SpecHistory& entry, Attempt& attempt) {
  const auto found = observed_.answers.find(attempt.token);
  if (found == observed_.answers.end()) return;
  const Answer& answer = found->second;
  if (answer.live == JobLookup::Found) {
    const SlurmJob& job = *answer.live_job;
    const bool ours = job.mark && job.mark->token == attempt.token;
    // Somebody may have rewritten the comment; the same job is still there.
    const bool unmarked = !job.mark && job.name == attempt.job_name;
    if (ours || (unmarked && job.submitted == attempt.submitted)) {
      take(name, entry, attempt, job);
      return;
    }
    if (unmarked) return;  // requeued without its comment, or another's: nobody can say
  } else if (answer.live != JobLookup::NotFound) {
    return;
  }
  count_unseen(attempt);
  if (attempt.unseen < 2) return;
  switch (answer.accounting) {
    case AccountingLookup::NotAsked:
      return;
    case AccountingLookup::Found:
      if (answer.accounted_job->state.final()) {
        // An update whose answer was lost: the mark travels with the change.
        if (const auto& mark = answer.accounted_job->mark) attempt.generation = mark->generation;
        end_accounted(name, attempt, *answer.accounted_job);
        return;
      }
      break;  // accounting has not heard of the end (yet)
    case AccountingLookup::NotFound:
      end_lost(name, attempt, "Slurm has no such job any more, and accounting has no record of it");
      return;
    case AccountingLookup::Unanswered:
      break;
  }
  attempt.accounting_unanswered = true;
}

/// All records with our mark that Slurm lists of an array have ended, and lack some of its tasks.
/// Somebody has rewritten the comments of those, or Slurm has purged them, or they were cancelled
/// before they began. Accounting has a row of each that began.
void Absorber::absent_tasks(const SpecName& name, Attempt& attempt) {
  const auto found = observed_.answers.find(attempt.token);
  if (found == observed_.answers.end()) {
    attempt.unseen = 1;
    return;
  }
  const Answer& answer = found->second;
  if (answer.live != JobLookup::Found) return;
  see(attempt, *answer.live_job, observed_.began);
  attempt.unseen = 1;  // to be asked about each time
  if (!answer.live_job->state.final()) return;
  if (missing_tasks(attempt).empty()) {
    time_end(*answer.live_job);
    end(name, attempt, outcome_of(*answer.live_job, attempt.tasks));
    return;
  }
  attempt.unseen = 2;
  switch (answer.accounting) {
    case AccountingLookup::NotAsked:
      return;
    case AccountingLookup::Unanswered:
      break;
    case AccountingLookup::NotFound:
      attempt.tasks = with_end(attempt.tasks, missing_tasks(attempt), TaskEnd{});
      end(name, attempt, outcome_of(*answer.live_job, attempt.tasks));
      return;
    case AccountingLookup::Found:
      if (answer.accounted_job->state.final()) {
        end_accounted(name, attempt, *answer.accounted_job);
        return;
      }
      break;  // accounting has not heard of all ends (yet)
  }
  attempt.accounting_unanswered = true;
}

/// Nobody knows how the job, or what was not seen of an array's tasks, ended.
void Absorber::end_lost(const SpecName& name, Attempt& attempt, const std::string& message) {
  const IndexSet unknown =
      attempt.tasks.pending.with(attempt.tasks.running).with(missing_tasks(attempt));
  if (!unknown.empty()) attempt.tasks = with_end(attempt.tasks, unknown, TaskEnd{});
  Outcome lost;
  lost.message = message;
  end(name, attempt, std::move(lost));
}

/// Accounting knows the end. What was seen of an array's tasks stays as it was seen; a task without
/// a row never began, and what ends such a task leaves no trace but its absence (Slurm 24.11).
void Absorber::end_accounted(const SpecName& name, Attempt& attempt, const SlurmJob& record) {
  time_begin(attempt, record);
  time_end(record);
  const auto open = [&] {
    return attempt.tasks.pending.with(attempt.tasks.running).with(missing_tasks(attempt));
  };
  attempt.tasks = with_ends(attempt.tasks, open(), record.tasks);
  const IndexSet unknown = record.tasks.empty() ? open() : attempt.tasks.running;
  if (!unknown.empty()) attempt.tasks = with_end(attempt.tasks, unknown, TaskEnd{});
  const TaskEnd cancelled{.base = BaseState::Cancelled, .state = "CANCELLED"};
  if (!open().empty()) attempt.tasks = with_end(attempt.tasks, open(), cancelled);
  end(name, attempt, outcome_of(record, attempt.tasks));
}

/// Whether a submit without an answer ever arrived.
void Absorber::absent_intent(const SpecName& name, SpecHistory& entry, Attempt& attempt) {
  if (!observed_.whole || observed_.began <= attempt.sent + policy_.request_timeout) return;
  const auto found = observed_.answers.find(attempt.token);
  const auto accounting =
      found == observed_.answers.end() ? AccountingLookup::NotAsked : found->second.accounting;
  if (accounting == AccountingLookup::Found) {
    ++result_.adoptions;
    const SlurmJob& job = *found->second.accounted_job;
    take(name, entry, attempt, job);
    return;
  }
  count_unseen(attempt);
  attempt.accounting_unanswered = accounting == AccountingLookup::Unanswered;
  if (attempt.unseen >= 2 && accounting == AccountingLookup::NotFound) {
    attempt.in_doubt = false;
    attempt.unseen = 0;
    attempt.unseen_since.reset();
  }
}

}  // namespace sconverge
