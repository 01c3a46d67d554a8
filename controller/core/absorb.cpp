#include "controller/core/absorb.h"

#include <algorithm>
#include <tuple>

#include "controller/core/absorber.h"
#include "controller/core/sight.h"
#include "controller/core/submission.h"

namespace sconverge {
namespace {

/// Slurm gives a job that was ended in the queue the time of its end as its start, too.
bool has_run(const SlurmJob& job) {
  if (!job.started || job.state.base == BaseState::Pending) return false;
  const bool at_work =
      job.state.base == BaseState::Completed || job.state.base == BaseState::Failed;
  return at_work || !job.state.final() || !job.ended || *job.started < *job.ended;
}

double seconds_between(TimePoint from, TimePoint to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

void Absorber::accept_declared() {
  for (const auto& [name, spec] : desired_.specs) {
    const auto known = history_.find(name);
    if (known != history_.end() && known->second.accepted && !known->second.missing_since &&
        (known->second.accepted == spec || *known->second.accepted == *spec)) {
      continue;
    }
    auto& entry = ledger_.open(name);
    const Generation wanted = generation_of(*spec);
    if (entry.wanted != wanted) {
      entry.generation_at = now_;
      entry.converged_at.reset();
    }
    if (entry.accepted_at == TimePoint{}) entry.accepted_at = now_;
    entry.accepted = spec;
    entry.wanted = wanted;
    entry.file = spec->file;
    entry.missing_since.reset();
    entry.removal_approved = false;
  }
}

void Absorber::answer(const std::vector<Request>& requests) {
  for (const auto& request : requests) {
    if (!history_.contains(request.spec)) continue;
    auto& entry = ledger_.open(request.spec);
    switch (request.kind) {
      case RequestKind::Rerun:
        if (entry.accepted) entry.rerun = entry.wanted;
        break;
      case RequestKind::ApproveRemoval:
        if (entry.missing_since) entry.removal_approved = true;
        break;
      case RequestKind::ApproveVanished:
        entry.vanish_approved = now_;
        break;
    }
  }
}

void Absorber::see_jobs() {
  std::map<std::string, std::vector<const SlurmJob*>> by_token;
  for (const auto& job : observed_.jobs) {
    if (job.mark && job.mark->controller == policy_.controller_id) {
      by_token[job.mark->token].push_back(&job);
    }
  }
  for (auto& [token, jobs] : by_token) {
    // By id, which counts up: a requeue gives the same job a later submit time.
    std::sort(jobs.begin(), jobs.end(),
              [](const SlurmJob* left, const SlurmJob* right) { return left->id < right->id; });
    seen_tokens_.insert(token);
    see_token(ledger_.open(jobs.front()->mark->spec), jobs);
  }
}

/// The earliest job of a token is the attempt's; every other one is a duplicate of it.
void Absorber::see_token(SpecHistory& entry, const std::vector<const SlurmJob*>& jobs) {
  const SlurmJob& first = *jobs.front();
  Attempt& attempt = attempt_for(entry, first);
  const auto is_the_recorded_one = [&](const SlurmJob* job) { return job->id == attempt.job; };
  const bool recorded_is_gone =
      attempt.job && std::none_of(jobs.begin(), jobs.end(), is_the_recorded_one);
  if (recorded_is_gone) {
    seen_tokens_.erase(attempt.token);  // it is still to be asked for
  } else {
    take(first.mark->spec, entry, attempt, first);
  }
  for (const SlurmJob* job : jobs) {
    if (job->id == attempt.job || job->state.final()) continue;
    if (attempt.duplicates.try_emplace(job->id).second) ++result_.duplicates;
  }
}

/// The attempt a job belongs to by its token; one that memory lacks is made from the mark.
Attempt& Absorber::attempt_for(SpecHistory& entry, const SlurmJob& job) {
  const Mark& mark = *job.mark;
  for (auto& attempt : entry.attempts) {
    if (attempt.token != mark.token) continue;
    if (!attempt.job && !attempt.outcome) ++result_.adoptions;
    return attempt;
  }
  ++result_.adoptions;
  const bool second = std::any_of(entry.attempts.begin(), entry.attempts.end(), [&](const auto& a) {
    return a.run == mark.run && has_live_job(a) && !job.state.final();
  });
  if (second) ++result_.duplicates;
  if (entry.accepted_at == TimePoint{}) entry.accepted_at = now_;
  Attempt adopted;
  adopted.run = mark.run;
  adopted.attempt = mark.attempt;
  adopted.generation = mark.generation;
  adopted.token = mark.token;
  adopted.job_name = job.name;
  if (entry.accepted && entry.wanted == mark.generation) adopted.array = array_of(*entry.accepted);
  adopted.intended = adopted.sent = job.submitted.value_or(now_);
  const auto after = std::find_if(entry.attempts.begin(), entry.attempts.end(), [&](const auto& a) {
    return std::tie(a.run, a.attempt) > std::tie(adopted.run, adopted.attempt);
  });
  return *entry.attempts.insert(after, std::move(adopted));
}

void Absorber::take(const SpecName& name, SpecHistory& entry, Attempt& attempt,
                    const SlurmJob& job) {
  if (attempt.outcome && attempt.outcome->kind == OutcomeKind::Rejected && job.state.final()) {
    attempt.job = job.id;  // Slurm keeps a record of some jobs that it refuses
    return;
  }
  if (attempt.outcome && attempt.outcome->kind != OutcomeKind::Abandoned &&
      attempt.outcome->kind != OutcomeKind::Rejected &&
      attempt.outcome->kind != OutcomeKind::Lost) {
    return;
  }
  // Neither came from Slurm: the job that now shows itself knows better.
  attempt.outcome.reset();
  const int unseen = attempt.unseen;
  time_begin(attempt, job);
  see(attempt, job, observed_.began);
  if (job.mark && job.mark->generation != attempt.generation) {
    // The mark travels with an update: this is what came of one whose answer was lost.
    attempt.generation = job.mark->generation;
    const bool known = entry.submitted && generation_of(*entry.submitted) == attempt.generation;
    if (&attempt == entry.newest() && !known) entry.submitted.reset();
  }
  if (!job.state.final()) return;
  if (missing_tasks(attempt).empty()) {
    time_end(job);
    end(name, attempt, outcome_of(job, attempt.tasks));
  } else {
    attempt.unseen = unseen;
    absent_tasks(name, attempt);
  }
}

void Absorber::end(const SpecName& name, Attempt& attempt, Outcome outcome) {
  attempt.outcome = std::move(outcome);
  std::optional<CancelCause> cause;
  if (attempt.cancel) cause = attempt.cancel->cause;
  // People win: whoever cancels it does not want it once more.
  const bool external = attempt.outcome->kind == OutcomeKind::Cancelled && !attempt.cancel;
  if (external) ledger_.open(name).rerun.reset();
  result_.terminations.push_back({name, *attempt.outcome, cause});
}

/// `before`: as last seen. A requeued job waits, and begins, once more.
void Absorber::time_begin(const Attempt& before, const SlurmJob& job) {
  const bool had_begun = before.started && before.state.base != BaseState::Pending;
  if (had_begun || !has_run(job) || !job.submitted) return;
  result_.queue_wait_seconds.push_back(seconds_between(*job.submitted, *job.started));
}

void Absorber::time_end(const SlurmJob& job) {
  if (!has_run(job) || !job.ended) return;
  result_.run_seconds.push_back(seconds_between(*job.started, *job.ended));
}

bool Absorber::is_declared(const SpecName& name, const SpecHistory& entry) const {
  return desired_.specs.contains(name) || desired_.invalid.contains(name) ||
         (!entry.file.empty() && desired_.invalid_files.contains(entry.file));
}

void Absorber::mark_missing() {
  for (const auto& [name, known] : history_) {
    const bool declared = is_declared(name, known);
    if (declared && known.missing_since) {
      auto& entry = ledger_.open(name);
      entry.missing_since.reset();
      entry.removal_approved = false;
    } else if (!declared && desired_.complete && !known.missing_since) {
      ledger_.open(name).missing_since = now_;
    }
  }
}

/// Draws the conclusions that need everything above.
void Absorber::settle() {
  for (auto& [name, known] : history_) {
    const Attempt* newest = known.newest();
    if (newest == nullptr || (!is_open(*newest) && known.converged_at && known.submitted &&
                              known.attempts.size() <= kKeptAttempts)) {
      continue;
    }
    settle(name, ledger_.open(name));
  }
}

void Absorber::settle(const SpecName& name, SpecHistory& entry) {
  Attempt& newest = *entry.newest();
  const bool wanted = !entry.missing_since && entry.wanted == newest.generation;
  if (entry.accepted && entry.wanted == newest.generation) entry.submitted = entry.accepted;
  if (wanted && newest.job && !entry.converged_at) {
    entry.converged_at = now_;
    result_.convergence_seconds.push_back(seconds_between(entry.generation_at, now_));
  }
  if (entry.accepted && !entry.accepted->suspend && !newest.held) {
    if (newest.our_hold == OurHold::Overruled || newest.our_hold == OurHold::Seen) {
      newest.our_hold = OurHold::None;
    }
  }
  if (is_open(newest) && !newest.job) {
    const bool given_up = newest.in_doubt && newest.accounting_unanswered && entry.rerun;
    const bool unwanted =
        !newest.in_doubt && (!wanted || (entry.accepted && entry.accepted->suspend));
    if (given_up || unwanted) newest.outcome = Outcome{.kind = OutcomeKind::Abandoned};
  }
  if (is_open(newest) && newest.job && newest.accounting_unanswered) {
    // It has left Slurm for good; only how it ended is unknown. That must not bar what comes next.
    const bool superseded = !wanted || entry.rerun || newest.cancel;
    if (superseded) {
      // Lost even if we had cancelled it: it may have completed before that.
      end_lost(name, newest, "Slurm has no such job any more, and accounting could not be asked");
    }
  }
  while (entry.attempts.size() > kKeptAttempts && !is_open(entry.attempts.front())) {
    if (finishes(entry.attempts.front())) {
      entry.done.insert_or_assign(entry.attempts.front().generation, entry.attempts.front());
    }
    entry.attempts.erase(entry.attempts.begin());
  }
}

Absorbed absorb(History& history, const Desired& desired, const Observation& observed,
                const std::vector<Request>& requests, const Policy& policy, TimePoint now) {
  Absorber absorber(history, desired, observed, policy, now);
  absorber.accept_declared();
  absorber.see_jobs();
  absorber.prove_absence();
  absorber.mark_missing();
  absorber.answer(requests);
  absorber.settle();
  return absorber.result();
}

}  // namespace sconverge
