#pragma once

#include <string>

#include "controller/core/history.h"
#include "controller/ports/store.h"
#include "tests/support/builders.h"
#include "tests/support/fake_clock.h"

// Values in which no field is as it would be by default. The bindings name every field, so that a
// new one does not compile here before it has a value, and tests of what is kept cannot miss it.
namespace sconverge::test {

inline TimePoint after_noon(int milliseconds_after) {
  return kNoon + milliseconds(milliseconds_after);
}

inline JobState full_state() {
  JobState value;
  auto& [base, completing, configuring, unsettled, words] = value;
  base = BaseState::Running;
  completing = true;
  configuring = true;
  unsettled = true;
  words = "RUNNING+COMPLETING+CONFIGURING+REQUEUED";
  return value;
}

inline Outcome full_outcome() {
  Outcome value;
  auto& [kind, state, exit_code, signal, ended, message] = value;
  kind = OutcomeKind::Cancelled;
  state = "CANCELLED";
  exit_code = 3;
  signal = 15;
  ended = after_noon(1);
  message = "by \"alice\" \\ \u00e4\n";
  return value;
}

inline CancelRequest full_cancel() {
  CancelRequest value;
  auto& [cause, at, effective_by] = value;
  cause = CancelCause::Duplicate;
  at = after_noon(2);
  effective_by = after_noon(3);
  return value;
}

inline TaskEnd full_task_end() {
  TaskEnd value;
  auto& [base, state, exit_code, signal, indexes] = value;
  base = BaseState::OutOfMemory;
  state = "OUT_OF_MEMORY";
  exit_code = 4;
  signal = 9;
  indexes = IndexSet::of({{4, 4}, {7, 9}});
  return value;
}

inline ArrayTasks full_tasks() {
  ArrayTasks value;
  auto& [pending, running, ended] = value;
  pending = IndexSet::of({{10, 20}});
  running = IndexSet::of({{0, 0}, {2, 2}});
  ended = {full_task_end(), full_task_end()};
  ended[0].base = BaseState::Completed;
  return value;
}

inline TaskSummary full_summary() {
  TaskSummary value;
  auto& [total, pending, running, succeeded, failed, cancelled, lost, failed_indexes] = value;
  total = 41;
  pending = 42;
  running = 43;
  succeeded = 44;
  failed = 45;
  cancelled = 46;
  lost = 47;
  failed_indexes = "4,7";
  return value;
}

inline Attempt full_attempt(int number) {
  Attempt value;
  auto& [run, attempt, generation, token, digest, job_name, intended, sent, in_doubt, refusals,
         not_before, send_error, job, submitted, started, state, reason, held, our_hold, restarts,
         array, tasks, unseen, unseen_since, accounting_unanswered, cancel, outcome, update_refused,
         duplicates] = value;
  run = 2;
  attempt = number;
  generation = "0123456789abcdef";
  token = "token-" + std::to_string(number);
  digest = "digest-" + std::to_string(number);
  job_name = "train";
  intended = after_noon(4);
  sent = after_noon(5);
  in_doubt = false;
  refusals = 6;
  not_before = after_noon(7);
  send_error = "connection refused";
  job = JobId{4294967295U};
  submitted = after_noon(8);
  started = after_noon(9);
  state = full_state();
  reason = "Resources";
  held = true;
  our_hold = OurHold::Overruled;
  restarts = 10;
  array = "0-20:2%3";
  tasks = full_tasks();
  unseen = 11;
  unseen_since = after_noon(12);
  accounting_unanswered = true;
  cancel = full_cancel();
  outcome = full_outcome();
  update_refused = "fedcba9876543210";
  duplicates = {{JobId{13}, after_noon(14)}, {JobId{15}, after_noon(16)}};
  return value;
}

/// With specs of their own for `accepted` and `submitted`.
inline SpecHistory full_entry(const std::string& name) {
  SpecHistory value;
  auto& [accepted, submitted, wanted, file, accepted_at, generation_at, converged_at, attempts,
         done, rerun, missing_since, removal_approved, vanish_approved] = value;
  accepted = a_spec(name).partition("gpu").label("team", "vision").file("jobs/gpu.yaml").ptr();
  submitted = a_spec(name).time_limit(90).suspended().on_delete(OnDelete::Orphan).ptr();
  wanted = generation_of(*accepted);
  file = "jobs/gpu.yaml";
  accepted_at = after_noon(20);
  generation_at = after_noon(21);
  converged_at = after_noon(22);
  attempts = {full_attempt(1), full_attempt(2)};
  done = {{"0123456789abcdef", full_attempt(1)}, {"00000000000000ff", full_attempt(3)}};
  rerun = "0123456789abcdef";
  missing_since = after_noon(23);
  removal_approved = true;
  vanish_approved = after_noon(24);
  return value;
}

inline SpecStatus full_status(const std::string& name_text) {
  SpecStatus value;
  auto& [name, verdict, job, run, attempt, generation, file, exit_code, tasks, accepted_at, since,
         removed, live_generation, succeeded_at] = value;
  auto& [phase, reason, message] = verdict;
  name = a_name(name_text);
  phase = Phase::Blocked;
  reason = Reason::JobsVanished;
  message = "too many jobs vanished at once";
  job = JobId{30};
  run = 31;
  attempt = 32;
  generation = "0123456789abcdef";
  file = "jobs/gpu.yaml";
  exit_code = 33;
  tasks = full_summary();
  accepted_at = after_noon(34);
  since = after_noon(35);
  removed = true;
  live_generation = "00000000000000ff";
  succeeded_at = after_noon(36);
  return value;
}

inline GuardHit full_guard_hit() {
  GuardHit value;
  auto& [guard, specs, message] = value;
  guard = Guard::PruneBudget;
  specs = {a_name("train"), a_name("vision/infer")};
  message = "too many removals";
  return value;
}

inline Published full_published(const std::string& cluster_name) {
  Published value;
  auto& [cluster, controller_id, revision, source_complete, source_reason, error, at, statuses,
         guards] = value;
  cluster = cluster_name;
  controller_id = "prod";
  revision = "3f2a";
  source_complete = false;
  source_reason = "jobs/ cannot be read";
  error = "http://127.0.0.1:6820: connection refused";
  at = after_noon(40);
  statuses = {full_status("infer"), full_status("train")};
  guards = {full_guard_hit()};
  return value;
}

}  // namespace sconverge::test
