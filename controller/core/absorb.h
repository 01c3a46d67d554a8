#pragma once

#include <set>
#include <vector>

#include "controller/core/history.h"
#include "controller/core/observation.h"
#include "controller/core/plan.h"
#include "controller/core/policy.h"
#include "controller/core/request.h"
#include "specs/desired.h"

namespace sconverge {

/// What absorbing taught.
struct Absorbed {
  std::set<SpecName> changed{};  ///< entries to be made durable before the next action
  int adoptions{0};              ///< jobs found for intents without an answer, or by mark alone
  int duplicates{0};             ///< second jobs of one run, seen for the first time
  std::vector<Termination> terminations{};
  std::vector<double> convergence_seconds{};  ///< of generations Slurm shows for the first time
  std::vector<double> queue_wait_seconds{};   ///< of jobs seen for the first time to have begun
  std::vector<double> run_seconds{};          ///< of jobs that ran and whose end was learnt
};

/// Takes what was declared, seen and asked for into the memory. In place, because a history may
/// hold 100,000 specs; returns the names whose entry changed, which must be made durable before the
/// next action. Pure otherwise: no I/O, no clock, and doing it twice with the same arguments
/// changes nothing the second time (but for the counters of absence, which count observations).
///
/// PROMISES, each held by a test in tests/core/absorb_test.cpp:
///   - a live job that carries an attempt's token is that attempt's job, whatever its id;
///   - a job of ours that memory does not know is adopted from its mark;
///   - an end is recorded once, from a final state, and never taken back;
///   - absence ends an attempt only if two complete observations lack the job, Slurm says it has no
///     such id, and accounting answered; only the outcome then comes from accounting, else it is
///     Lost;
///   - an incomplete `desired` makes no spec missing.
Absorbed absorb(History& history, const Desired& desired, const Observation& observed,
                const std::vector<Request>& requests, const Policy& policy, TimePoint now);

// What applying an action teaches. Each changes one entry.

/// The mark that the attempt's job carries.
Mark mark_of(const SpecName& spec, const Attempt& attempt, const Policy& policy);

/// Writes down an intent (or, for a resend, renews its doubt window). To be durable before sending.
/// Returns the attempt's mark.
Mark begin_submit(SpecHistory& entry, const Submit& action, const Policy& policy, TimePoint now);
void record_submitted(SpecHistory& entry, JobId job);
void record_submit_failure(SpecHistory& entry, const Error& error, TimePoint now);
/// To be durable before the update is sent: should the job end and be purged before the next look,
/// its end must count for the new generation, too. The job's mark tells if it did not arrive.
void record_update_requested(SpecHistory& entry, const Update& action);
void record_updated(SpecHistory& entry, const Update& action);
void record_update_refused(SpecHistory& entry, const Update& action);
/// To be durable before the hold is sent, as with a cancel.
void record_hold_requested(SpecHistory& entry, const SetHold& action);
void record_hold(SpecHistory& entry, const SetHold& action);
/// To be durable before the cancel is sent: else a crash makes our own cancel look like a person's.
void record_cancel_requested(SpecHistory& entry, const Cancel& action, const Policy& policy,
                             TimePoint now);
/// The cancel had no effect (ErrorKind::Unavailable): it may be sent again at once.
void record_cancel_unsent(SpecHistory& entry, const Cancel& action, TimePoint now);

}  // namespace sconverge
