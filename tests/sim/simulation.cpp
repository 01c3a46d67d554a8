#include "tests/sim/simulation.h"

#include <algorithm>

#include "tests/support/builders.h"
#include "tests/support/matchers.h"

namespace sconverge::test {
namespace {

constexpr milliseconds kInterval{10000};
constexpr int kTicksToRest = 900;
constexpr int kTicksAtRest = 20;

/// Nothing more can be learnt about its jobs, unless one is held for good.
bool is_settled(const SpecHistory& entry) {
  return std::all_of(entry.attempts.begin(), entry.attempts.end(), [](const Attempt& attempt) {
    const bool given_up = attempt.accounting_unanswered && attempt.unseen >= 2;
    return !is_open(attempt) || given_up || attempt.held;
  });
}

Policy policy() {
  Policy policy{.controller_id = kController};
  policy.defaults.environment = {"PATH=/usr/bin:/bin"};
  return policy;
}

FakeClusterOptions with_seeded(FakeClusterOptions options, Dice& dice) {
  options.run_slots = dice.between(1, 12);
  options.min_job_age = seconds{dice.one_of<int>({20, 60, 300})};
  options.accounting_keeps_comments = dice.chance(0.8);
  options.accounting_lag = seconds{dice.between(0, 5)};
  return options;
}

FaultRates faults_from(Dice& dice) {
  FaultRates rates;
  const double strength = dice.one_of<double>({0, 0.05, 0.2});
  rates.submit_answer_lost = strength;
  rates.submit_lands_late = strength;
  rates.submit_never_arrives = strength;
  rates.submit_unreachable = strength / 2;
  rates.submit_limited = strength / 4;
  rates.change_answer_lost = strength;
  rates.change_never_arrives = strength;
  rates.change_unreachable = strength / 2;
  rates.observe_fails = strength / 2;
  rates.read_fails = strength / 2;
  rates.account_fails = strength / 2;
  rates.longest_call = milliseconds{dice.one_of<int>({0, 0, 200, 3000})};
  return rates;
}

}  // namespace

Weather::Weather(Dice& dice)
    : steps(dice.between(30, 90)),
      specs(dice.between(2, 16)),
      cluster(with_seeded({}, dice)),
      observer{.sweep = seconds{dice.one_of<int>({15, 60, 120})}},
      accounting(dice.chance(0.1) ? Accounting::Off : Accounting::On),
      faults(faults_from(dice)),
      edits(dice.one_of<double>({0.05, 0.2, 0.5})),
      people(dice.one_of<double>({0, 0.1, 0.4})),
      operators(dice.one_of<double>({0, 0.05, 0.2})),
      crashes(dice.one_of<double>({0, 0.1, 0.4})),
      store_faults(dice.one_of<double>({0, 0.05, 0.2})),
      source_faults(dice.one_of<double>({0, 0.05, 0.2})),
      state_losses(dice.one_of<double>({0, 0, 0.01})),
      late_landings(dice.one_of<double>({0, 0, 0.1})),
      clock_steps(dice.one_of<double>({0, 0, 0.05})) {}

Simulation::Simulation(std::uint64_t seed)
    : dice_(seed),
      weather_(dice_),
      slurm_(clock_, weather_.cluster, weather_.observer),
      policy_(policy()),
      judge_(clock_, slurm_.cluster(), store_, policy_),
      source_port_(source_, fuse_, judge_),
      slurm_port_(slurm_, fuse_, judge_),
      store_port_(store_, fuse_) {
  slurm_.set_faults(weather_.faults, seed);
  slurm_.cluster().set_accounting(weather_.accounting);
  may_never_know_ =
      weather_.accounting == Accounting::Off || !weather_.cluster.accounting_keeps_comments;
  may_lose_ = weather_.accounting == Accounting::Off || weather_.faults.account_fails > 0;
}

void Simulation::tell(const std::string& what) {
  const auto time = std::chrono::duration_cast<milliseconds>(clock_.world() - kNoon).count();
  story_.push_back(std::to_string(time / 1000) + "." + std::to_string(time % 1000 / 100) + "s  " +
                   what);
}

std::vector<std::string> Simulation::run() {
  storm();
  if (!failed()) {
    calm_down();
    wait_for_rest();
  }
  if (!failed() && complaints_.empty()) check_rest();
  complaints_.insert(complaints_.begin(), judge_.complaints().begin(), judge_.complaints().end());
  for (const std::string& complaint : complaints_) tell("WRONG: " + complaint);
  return complaints_;
}

void Simulation::storm() {
  for (int i = 0; i < weather_.specs / 2; ++i) edit_specs();
  for (int step = 0; step < weather_.steps && !failed(); ++step) {
    if (dice_.chance(weather_.edits)) edit_specs();
    if (dice_.chance(weather_.source_faults)) trouble_source();
    if (dice_.chance(weather_.people)) people();
    if (dice_.chance(weather_.operators)) operators();
    if (dice_.chance(weather_.state_losses)) lose_state();
    if (dice_.chance(weather_.store_faults)) trouble_store();
    if (dice_.chance(weather_.clock_steps)) step_clock();
    if (dice_.chance(weather_.late_landings)) {
      slurm_port_.next_submit_lands_too_late(seconds{dice_.between(60, 200)});
    }
    if (dice_.chance(weather_.people / 2)) slurm_port_.after_observing([this] { people(); });
    if (dice_.chance(weather_.state_losses)) slurm_port_.after_observing([this] { lose_state(); });
    if (dice_.chance(weather_.crashes)) fuse_.set(dice_.between(1, 25), dice_.chance(0.5));
    tick();
    judge_.look_at_world();
    const bool controller_was_away = dice_.chance(0.02);
    clock_.advance(controller_was_away ? seconds{dice_.between(60, 900)}
                                       : seconds{dice_.between(1, 12)});
  }
}

// Specs ----------------------------------------------------------------------------------------

JobSpec Simulation::new_spec(const std::string& name) {
  SpecBuilder spec = a_spec(name);
  spec.time_limit(dice_.one_of<int>({30, 60, 90}));
  spec.script("#!/bin/sh\nsleep " + std::to_string(dice_.one_of<int>({5, 30, 60})) + "\nexit " +
              std::to_string(dice_.one_of<int>({0, 0, 0, 3})) + "\n");
  spec.partition(dice_.one_of<std::string>({"main", "main", "main", "debug"}));
  if (dice_.chance(0.25)) {
    spec.with("array", dice_.one_of<std::string>({"0-3", "0-5%2", "1,4", "7"}));
    if (dice_.chance(0.5)) {
      spec.script("#!/bin/sh\ntest $SLURM_ARRAY_TASK_ID != 1 || exit 3\nsleep " +
                  std::to_string(dice_.one_of<int>({5, 30})) + "\n");
    }
  }
  if (dice_.chance(0.1)) spec.suspended();
  if (dice_.chance(0.1)) spec.orphaned();
  if (dice_.chance(0.1)) spec.protect();
  return spec;
}

void Simulation::edit_specs() {
  if (dice_.chance(0.01)) {
    tell("all specs are removed");
    for (const auto& [name, spec] : source_.specs()) shelf_.insert_or_assign(name, *spec);
    return source_.remove_all();
  }
  const int edits = dice_.between(1, 3);
  for (int i = 0; i < edits; ++i) {
    edit(a_name("job-" + std::to_string(dice_.between(1, weather_.specs))));
  }
}

void Simulation::edit(const SpecName& name) {
  const auto told = [&](const std::string& what, const JobSpec& spec) {
    tell(what + " " + to_text(name) + ", now @" + generation_of(spec).substr(0, 4) +
         (spec.suspend ? ", suspended" : ""));
    source_.set(spec);
  };
  if (!source_.declares(name)) {
    const auto old = shelf_.find(name);
    if (old != shelf_.end() && dice_.chance(0.6)) return told("restored", old->second);
    return told("added", new_spec(name.name));
  }
  JobSpec spec = *source_.specs().at(name);
  switch (dice_.between(1, 8)) {
    case 1:
    case 2:
      shelf_.insert_or_assign(name, spec);
      tell("removed " + to_text(name));
      return source_.remove(name);
    case 3: {
      const JobSpec other = new_spec(name.name);
      spec.script = other.script;
      if (other.job.contains("array") && dice_.chance(0.5))
        spec.job["array"] = other.job.at("array");
      return told("script changed of", spec);
    }
    case 4:
      spec.suspend = !spec.suspend;
      return told("suspend changed of", spec);
    case 5:
      spec.labels["touched"] = "yes";
      return told("label changed of", spec);
    case 6: {
      const bool nowhere = dice_.chance(0.3);
      spec.job["partition"] = std::string(nowhere ? "nowhere" : "debug");
      return told("partition changed of", spec);
    }
    case 7:
      spec.job["comment"] = std::string("note");
      return told("comment changed of", spec);
    default:
      break;
  }
  spec.job["time_limit"] = std::int64_t{dice_.one_of<int>({30, 60, 90})};
  told("time limit changed of", spec);
}

void Simulation::trouble_source() {
  const SpecName name = a_name("job-" + std::to_string(dice_.between(1, weather_.specs)));
  switch (dice_.between(1, 5)) {
    case 1:
      tell("the source cannot be read whole");
      return source_.make_incomplete("cannot read the directory", dice_.chance(0.5));
    case 2:
      if (!source_.declares(name)) return;
      tell("an error in the file of " + to_text(name));
      return source_.make_invalid(name);
    case 3:
      if (!source_.declares(name)) return;
      tell("a syntax error in the file of " + to_text(name));
      return source_.make_unreadable_text(name);
    default:
      tell("the source can be read whole");
      return source_.make_complete();
  }
}

// People, operators, machines ------------------------------------------------------------------

void Simulation::people() {
  const SpecName name = a_name("job-" + std::to_string(dice_.between(1, weather_.specs)));
  if (dice_.chance(0.1)) {
    tell("a person asks to rerun " + to_text(name));
    judge_.person_reruns(name);
    (void)store_.add_request({.kind = RequestKind::Rerun, .spec = name, .at = clock_.now()});
    return;
  }
  if (dice_.chance(0.1)) {
    const JobSpec same_name = new_spec(name.name);
    const Mark mark = a_mark(same_name, 1, 1, "staging");
    tell("another controller submits " + to_text(name));
    if (!slurm_.cluster().down()) {
      slurm_.cluster().foreign_job(name.name, "bob", comment_with_mark("", mark));
    }
    return;
  }
  std::vector<const FakeJob*> alive;
  for (const FakeJob& job : slurm_.cluster().ever()) {
    if (job.alive()) alive.push_back(&job);
  }
  if (!alive.empty() && !slurm_.cluster().down()) touch_job(*dice_.one_of(alive));
}

void Simulation::touch_job(const FakeJob& job) {
  FakeCluster& cluster = slurm_.cluster();
  const std::string name = "job " + std::to_string(job.id.value);
  switch (dice_.between(1, 8)) {
    case 1:
    case 2:
    case 3:
      if (job.waiting.size() > 1 && dice_.chance(0.5)) {
        const std::uint32_t task = job.waiting.ranges().back().last;
        tell("a person cancels task " + std::to_string(task) + " of " + name);
        judge_.person_cancels_task(job.id);
        return cluster.scancel_task(job.id, task);
      }
      tell("a person cancels " + name);
      judge_.person_cancels(job.id);
      return cluster.scancel(job.id);
    case 4:
      tell("a person holds " + name);
      if (job.base == BaseState::Pending && !job.held) judge_.person_holds(job.id);
      return cluster.hold(job.id);
    case 5:
      tell("a person releases " + name);
      return cluster.release(job.id);
    case 6:
      may_lose_ = true;
      tell(name + " is requeued if it runs");
      return cluster.requeue(job.id);
    case 7:
      if (job.base != BaseState::Running) return;
      tell("the node of " + name + " dies");
      return cluster.end_as(job.id, BaseState::NodeFail);
    default:
      break;
  }
  if (!dice_.chance(0.3) || judge_.would_be_unknown_without_mark(job)) return;
  tell("a person rewrites the comment of " + name);
  may_lose_ = may_never_know_ = true;
  judge_.person_rewrites_comment(job.id);
  cluster.set_comment(job.id, "mine");
}

void Simulation::operators() {
  FakeCluster& cluster = slurm_.cluster();
  switch (dice_.between(1, 9)) {
    case 1:
      tell("slurmctld is down");
      return cluster.set_down(true);
    case 2:
    case 3:
      tell("slurmctld and slurmdbd are up, credentials are good");
      cluster.set_down(false);
      slurm_.set_denied(false);
      if (weather_.accounting == Accounting::On) cluster.set_accounting(Accounting::On);
      return;
    case 4:
      if (weather_.accounting == Accounting::Off) return;
      tell("slurmdbd is down");
      may_lose_ = true;
      return cluster.set_accounting(Accounting::Down);
    case 5:
      tell("credentials have expired");
      return slurm_.set_denied(true);
    case 6:
      return cluster.set_run_slots(dice_.between(0, 12));
    case 7:
      tell("there is no list of states");
      return slurm_.set_states_served(false);
    case 8:
      tell("there is a list of states");
      return slurm_.set_states_served(true);
    default:
      return slurm_.set_list_lag(seconds{dice_.between(0, 5)});
  }
}

void Simulation::lose_state() {
  if (slurm_.cluster().down()) return;
  may_lose_ = may_never_know_ = true;
  if (dice_.chance(0.5)) {
    tell("slurmctld loses its state, and others get the ids again");
    slurm_.cluster().lose_state();
    for (int i = dice_.between(0, 12); i > 0; --i) slurm_.cluster().foreign_job("others");
    return;
  }
  tell("slurmctld dies and forgets its newest jobs");
  slurm_.cluster().forget_newest(seconds{10});
}

void Simulation::trouble_store() {
  if (dice_.chance(0.2)) {
    store_.fail_every_save = !store_.fail_every_save;
    return tell(store_.fail_every_save ? "the disk is full" : "the disk has room");
  }
  switch (dice_.between(1, 4)) {
    case 1:
      store_.fail_save_in = dice_.between(1, 4);
      return;
    case 2:
      store_.fail_load_in = 1;
      return;
    case 3:
      store_.fail_requests_in = dice_.between(1, 2);
      return;
    default:
      store_.fail_answered_in = 1;
      return;
  }
}

void Simulation::step_clock() {
  const seconds step{dice_.between(-60, 60)};
  tell("our clock is set by " + std::to_string(step.count()) + " s");
  clock_.step(step);
  if (step < seconds{0}) return;
  for (const auto& [name, entry] : store_.durable()) {
    const Attempt* newest = entry.newest();
    if (newest != nullptr && is_open(*newest) && newest->in_doubt) judge_.excuse(name);
  }
}

// The controller -------------------------------------------------------------------------------

void Simulation::tick() {
  judge_.new_tick();
  try {
    if (!reconciler_) {
      slurm_.forget_all_seen();
      reconciler_.emplace(ReconcilerOptions{.cluster = "lab", .policy = policy_, .concurrency = 1},
                          source_port_, slurm_port_, store_port_, clock_);
      if (!reconciler_->load()) {
        tell("the controller cannot load its memory");
        reconciler_.reset();
        return;
      }
    }
    const TickReport report = reconciler_->tick();
    if (!report.failed) judge_.tick_went_through();
    if (report.failed) tell("tick: " + report.failed_step + ": " + report.failed->message);
    for (const ActionReport& action : report.actions) {
      tell("tick: " + std::string(to_text(action.operation)) + " " + to_text(action.spec) +
           (action.job ? " job " + std::to_string(action.job->value) : "") + ": " +
           std::string(to_text(action.result)) + " " + action.message);
    }
    for (const Transition& change : report.transitions) {
      tell("tick: " + to_text(change.now.name) + " is " +
           testing::PrintToString(change.now.verdict));
    }
  } catch (const Crash&) {
    tell("the controller crashes");
    reconciler_.reset();
    store_.crash();
  }
  fuse_.clear();
}

// Calm -----------------------------------------------------------------------------------------

void Simulation::calm_down() {
  tell("calm");
  FakeCluster& cluster = slurm_.cluster();
  slurm_.clear_faults();
  slurm_.set_denied(false);
  slurm_.set_list_lag(seconds{0});
  slurm_port_.next_submit_lands_too_late(milliseconds{0});
  slurm_port_.after_observing({});
  cluster.set_down(false);
  cluster.set_accounting(weather_.accounting);
  cluster.set_run_slots(std::max(1, cluster.options().run_slots));
  store_.fail_every_save = false;
  store_.fail_save_in = store_.fail_load_in = store_.fail_requests_in = store_.fail_answered_in = 0;
  source_.make_complete();
  const auto declared = source_.specs();
  for (const auto& [name, spec] : declared) source_.set(*spec);
  std::vector<JobId> held;
  for (const FakeJob& job : cluster.ever()) {
    if (job.alive() && job.held) held.push_back(job.id);
  }
  for (const JobId job : held) cluster.release(job);
}

void Simulation::wait_for_rest() {
  int idle = 0;
  for (int i = 0; i < kTicksToRest && !failed(); ++i) {
    const int before = writes();
    tick();
    judge_.look_at_world();
    judge_.look_for_lasting_duplicates();
    approve_what_waits();
    clock_.advance(kInterval);
    idle = writes() == before && at_rest() ? idle + 1 : 0;
    // What the cheap looks do not show comes to light at a sweep.
    if (idle > 4 + weather_.observer.sweep / kInterval) return;
  }
  if (failed()) return;
  complaints_.push_back("no rest after faults have stopped");
  for (const auto& [name, spec] : source_.specs()) {
    if (!rests(name)) complaints_.push_back(to_text(name) + " does not come to rest");
  }
}

/// What a person on call does who reads the status.
void Simulation::approve_what_waits() {
  const auto published = store_.published();
  if (!published) return;
  const auto ask = [&](RequestKind kind, const SpecName& name) {
    (void)store_.add_request({.kind = kind, .spec = name, .at = clock_.now()});
  };
  for (const GuardHit& hit : published->guards) {
    for (const SpecName& name : hit.specs) {
      if (hit.guard == Guard::Vanished) ask(RequestKind::ApproveVanished, name);
      if (hit.guard != Guard::PruneBudget) continue;
      judge_.person_approves(name);
      ask(RequestKind::ApproveRemoval, name);
    }
  }
  for (const SpecStatus& status : published->statuses) {
    const bool nobody_can_tell = may_never_know_ && source_.declares(status.name) &&
                                 status.verdict.reason == Reason::SubmitUncertain &&
                                 clock_.now() > status.since + std::chrono::minutes{5};
    if (!nobody_can_tell || !given_up_.insert(status.name).second) continue;
    judge_.person_reruns(status.name);
    ask(RequestKind::Rerun, status.name);
  }
}

bool Simulation::at_rest() {
  if (slurm_.cluster().expects_late_submits()) return false;
  for (const FakeJob& job : slurm_.cluster().ever()) {
    if (judge_.is_ours(job) && job.alive() && !job.held) return false;
  }
  for (const auto& [name, entry] : store_.durable()) {
    if (!source_.declares(name) && !is_settled(entry)) return false;
  }
  const auto& specs = source_.specs();
  return std::all_of(specs.begin(), specs.end(),
                     [this](const auto& item) { return rests(item.first); });
}

bool Simulation::rests(const SpecName& name) {
  const auto published = store_.published();
  if (!published) return false;
  const auto status = std::find_if(published->statuses.begin(), published->statuses.end(),
                                   [&](const SpecStatus& s) { return s.name == name; });
  if (status == published->statuses.end()) return false;
  switch (status->verdict.phase) {
    case Phase::Succeeded:
    case Phase::Failed:
    case Phase::Cancelled:
    case Phase::Suspended:
    case Phase::Lost:
      return true;
    case Phase::Invalid:
    case Phase::Waiting:
    case Phase::Submitting:
    case Phase::Pending:
    case Phase::Running:
    case Phase::Completing:
    case Phase::Retrying:
    case Phase::Blocked:
      return false;
  }
  return false;
}

int Simulation::writes() const {
  return store_.saves() + slurm_.submits_sent() + slurm_.changes_sent();
}

void Simulation::check_rest() {
  const auto published = store_.published();
  if (published) judge_.look_at_end(*published, source_, may_lose_);
  const int before = writes();
  for (int i = 0; i < kTicksAtRest; ++i) {
    tick();
    clock_.advance(kInterval);
  }
  if (writes() != before) complaints_.emplace_back("something is written though nothing changes");
}

}  // namespace sconverge::test
