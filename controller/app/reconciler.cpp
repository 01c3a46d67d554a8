#include "controller/app/reconciler.h"

#include <algorithm>

#include "controller/core/questions.h"

namespace sconverge {
namespace {

// After a change people look: the next tick comes soon, and then the regular interval again.
constexpr seconds kAfterChange{2};
// Far beyond any time for which a request is on its way; what comes later is seen at a sweep.
constexpr seconds kMayStillArrive{900};

Answer ask(SlurmClient& slurm, const Question& question) {
  Answer answer;
  if (question.job) {
    const auto job = slurm.read(*question.job);
    answer.live = !job ? JobLookup::Unanswered : *job ? JobLookup::Found : JobLookup::NotFound;
    if (job) answer.live_job = *job;
  }
  const bool another =
      answer.live_job && answer.live_job->mark && answer.live_job->mark->token != question.token;
  const bool tasks_missing =
      question.tasks_missing && answer.live_job && answer.live_job->state.final();
  const bool still_open = another || tasks_missing ||
                          (answer.live != JobLookup::Found && answer.live != JobLookup::Unanswered);
  if (question.ask_accounting && still_open) {
    const auto record = slurm.account(question);
    answer.accounting = !record   ? AccountingLookup::Unanswered
                        : *record ? AccountingLookup::Found
                                  : AccountingLookup::NotFound;
    if (record) answer.accounted_job = *record;
  }
  return answer;
}

/// A copy of the attempt's submit may come to light beside, or after, what is known of it: it was
/// sent more than once, or given up.
bool may_still_arrive(const Attempt& attempt, TimePoint now) {
  const bool copies = attempt.sent != attempt.intended ||
                      (attempt.outcome && attempt.outcome->kind == OutcomeKind::Abandoned);
  return copies && now < attempt.sent + kMayStillArrive;
}

ObserveScope scope_of(const History& history, const Policy& policy, TimePoint now) {
  ObserveScope scope;
  for (const auto& [name, entry] : history) {
    for (const auto& attempt : entry.attempts) {
      scope.new_jobs = scope.new_jobs || may_still_arrive(attempt, now);
      if (!is_open(attempt)) continue;
      if (attempt.job) {
        scope.known.push_back(*attempt.job);
      } else if (attempt.in_doubt) {
        scope.new_jobs = true;
        // By now it has arrived, or it is to be proven that it has not.
        scope.sweep = scope.sweep || now > attempt.sent + policy.request_timeout;
      }
    }
  }
  return scope;
}

Result<Done> counted(Result<Done> written, StoreWrites& writes) {
  ++(written ? writes.done : writes.failed);
  return written;
}

Problem unknown_cluster(const JobSpec& spec) {
  return {spec.file,
          spec.line,
          0,
          "spec.cluster",
          "the configuration has no cluster named \"" + spec.cluster + "\"",
          "name a configured cluster, or leave the field out for the default one",
          ProblemKind::Schema};
}

}  // namespace

Reconciler::Reconciler(ReconcilerOptions options, SpecSource& source, SlurmClient& slurm,
                       Store& store, const Clock& clock)
    : options_(std::move(options)),
      source_(source),
      slurm_(slurm),
      store_(store),
      clock_(clock),
      turns_{Pace(options_.concurrency)} {}

Result<Done> Reconciler::load() {
  auto history = store_.load();
  if (!history) return history.error();
  history_ = std::move(*history);
  // What was under way when the last process died may have left as late as then.
  for (auto& [name, entry] : history_) {
    for (auto& attempt : entry.attempts) {
      if (is_open(attempt) && attempt.in_doubt) attempt.sent = std::max(attempt.sent, clock_.now());
    }
  }
  const auto published = store_.published();
  if (published) {
    for (const auto& row : published->statuses) statuses_.emplace(row.name, row);
  }
  return Done{};
}

/// This cluster's part of what is declared. A spec for a cluster nobody has is reported, and kept,
/// where specs without a cluster go.
Desired Reconciler::load_desired() {
  Desired desired = source_.read();
  std::erase_if(desired.specs, [&](const auto& item) {
    const auto& [name, spec] = item;
    if (spec->cluster == options_.cluster) return false;
    if (spec->cluster.empty()) return !options_.default_cluster;
    if (options_.default_cluster && !options_.other_clusters.contains(spec->cluster)) {
      desired.invalid[name].push_back(unknown_cluster(*spec));
      desired.problems.push_back(unknown_cluster(*spec));
    }
    return true;
  });
  if (!options_.default_cluster) {
    std::erase_if(desired.invalid,
                  [&](const auto& item) { return !history_.contains(item.first); });
  }
  return desired;
}

Result<Observation> Reconciler::observe() {
  auto observed = slurm_.observe(scope_of(history_, options_.policy, clock_.now()));
  if (!observed) return observed;
  for (const auto& question : questions(history_, *observed, options_.policy)) {
    observed->answers.emplace(question.token, ask(slurm_, question));
  }
  return observed;
}

bool Reconciler::save(const std::set<SpecName>& names, TickReport& report) {
  unsaved_.insert(names.begin(), names.end());
  if (unsaved_.empty()) return true;
  const auto saved =
      counted(store_.save(history_, {unsaved_.begin(), unsaved_.end()}), report.store_writes);
  if (!saved) {
    report.failed = saved.error();
    report.failed_step = "store";
    return false;
  }
  unsaved_.clear();
  return true;
}

std::optional<Error> Reconciler::absorb_and_save(const Desired& desired,
                                                 const Observation& observed, TickReport& report) {
  const auto requests = store_.requests();
  if (!requests) return requests.error();
  auto absorbed = absorb(history_, desired, observed, *requests, options_.policy, clock_.now());
  report.adoptions = absorbed.adoptions;
  report.duplicates = absorbed.duplicates;
  report.terminations = std::move(absorbed.terminations);
  report.convergence_seconds = std::move(absorbed.convergence_seconds);
  report.queue_wait_seconds = std::move(absorbed.queue_wait_seconds);
  report.run_seconds = std::move(absorbed.run_seconds);
  if (!save(absorbed.changed, report)) return report.failed;
  // A request that stays in the store would be answered once more after its action.
  if (requests->empty()) return {};
  const auto answered = counted(store_.answered(*requests), report.store_writes);
  if (!answered) return answered.error();
  return {};
}

TickReport Reconciler::tick() {
  TickReport report;
  report.cluster = options_.cluster;
  report.began = clock_.now();
  const Desired desired = load_desired();
  report.revision = desired.revision;
  report.source_complete = desired.complete;
  report.source_reason = desired.incomplete_reason;
  report.valid_files = desired.valid_files;
  report.invalid_files = static_cast<int>(desired.invalid_files.size());
  report.ignored_files = desired.ignored_files;
  report.scan = source_.last_scan();
  report.problems = desired.problems;

  const auto observed = observe();
  if (!observed) {
    publish_failure(desired, "observe", observed.error(), report);
    return report;
  }
  report.jobs_seen = observed->all_jobs;
  for (const auto& job : observed->jobs) {
    if (job.mark && job.mark->controller == options_.policy.controller_id) {
      ++report.our_jobs[std::string(to_text(job.state.base))];
    }
  }
  if (const auto error = absorb_and_save(desired, *observed, report)) {
    publish_failure(desired, "store", *error, report);
    return report;
  }
  Plan plan = sconverge::plan(desired, *observed, history_, options_.policy, clock_.now());
  Applier applier(
      history_, slurm_, clock_, options_.policy, turns_,
      [&](const std::set<SpecName>& names) { return save(names, report); }, report);
  const Applied applied = applier.apply(plan.actions);
  save(applied.touched, report);
  for (const auto& action : plan.actions) {
    if (applied.put_off.contains(spec_of(action))) continue;
    const auto& entry = history_.at(spec_of(action));
    if (entry.newest() == nullptr) continue;
    plan.verdicts.insert_or_assign(spec_of(action), verdict_after_action(entry));
  }
  report.guards = std::move(plan.guards);
  wake_at_ = plan.wake_at;
  unfinished_ = !applied.put_off.empty() && !applied.in_trouble;
  if (!plan.actions.empty()) {
    const TimePoint soon = clock_.now() + kAfterChange;
    wake_at_ = wake_at_ ? std::min(*wake_at_, soon) : soon;
  }
  publish(plan.verdicts, desired, report);
  return report;
}

void Reconciler::publish(const std::map<SpecName, Verdict>& verdicts, const Desired& desired,
                         TickReport& report) {
  auto rows = statuses_from(verdicts, history_, desired, statuses_, clock_.now());
  report.transitions = transitions_between(statuses_, rows);
  statuses_ = std::move(rows);
  for (const auto& [name, row] : statuses_) report.statuses.push_back(row);
  report.requests = slurm_.take_requests();
  report.ended = clock_.now();

  const auto done = counted(store_.publish(published_from(report, options_.policy.controller_id)),
                            report.store_writes);
  report.store_bytes = store_.size_bytes();
  if (!done && !report.failed) {
    report.failed = done.error();
    report.failed_step = "store";
  }
}

/// Nothing is known anew; what is declared and was never heard of waits, and says for what.
void Reconciler::publish_failure(const Desired& desired, const std::string& step,
                                 const Error& error, TickReport& report) {
  report.failed = error;
  report.failed_step = step;
  wake_at_.reset();
  unfinished_ = false;
  std::map<SpecName, Verdict> verdicts;
  for (const auto& [name, row] : statuses_) verdicts.emplace(name, row.verdict);
  const auto reason =
      error.kind == ErrorKind::Denied ? Reason::CredentialsDenied : Reason::SlurmUnavailable;
  for (const auto& [name, spec] : desired.specs) {
    verdicts.try_emplace(name, Verdict{Phase::Waiting, reason, error.message});
  }
  for (const auto& [name, problems] : desired.invalid) {
    verdicts.try_emplace(name, Verdict{Phase::Invalid, Reason::ParseError,
                                       problems.empty() ? "" : to_text(problems.front())});
  }
  publish(verdicts, desired, report);
}

Result<Preview> Reconciler::preview() {
  Preview preview;
  preview.desired = load_desired();
  const auto observed = observe();
  if (!observed) return observed.error();
  const auto requests = store_.requests();
  if (!requests) return requests.error();
  History history = history_;
  const TimePoint now = clock_.now();
  absorb(history, preview.desired, *observed, *requests, options_.policy, now);
  preview.plan = plan(preview.desired, *observed, history, options_.policy, now);
  preview.statuses = statuses_from(preview.plan.verdicts, history, preview.desired, statuses_, now);
  return preview;
}

}  // namespace sconverge
