#include "tests/sim/judge.h"

#include <algorithm>

#include "tests/support/matchers.h"

namespace sconverge::test {
namespace {

constexpr int kRemovalsAnHour = 5;
// The storm's last cancel may have got lost, and is given a minute.
constexpr int kTicksToCancelTwice = 10;
// Our clock may have been set by so much, and the controller counts the hour with it.
constexpr std::chrono::minutes kSurelyWithinAnHour{50};

std::string named(const FakeJob& job) {
  std::string text = "job " + std::to_string(job.id.value);
  if (job.mark) {
    text += " of " + to_text(job.mark->spec) + "@" + job.mark->generation.substr(0, 4) + " run " +
            std::to_string(job.mark->run) + " by " + job.mark->controller;
  }
  return text;
}

const Attempt* attempt_with(const History& history, const SpecName& name,
                            const std::string& token) {
  const auto entry = history.find(name);
  if (entry == history.end()) return nullptr;
  for (const Attempt& attempt : entry->second.attempts) {
    if (attempt.token == token) return &attempt;
  }
  return nullptr;
}

}  // namespace

Judge::Judge(const FakeClock& clock, FakeCluster& cluster, const FakeStore& store,
             const Policy& policy)
    : clock_(clock), cluster_(cluster), store_(store), policy_(policy) {}

bool Judge::is_ours(const FakeJob& job) const {
  return job.mark && job.mark->controller == policy_.controller_id;
}

// What the controller is shown -----------------------------------------------------------------

bool Judge::is_present(const Desired& desired, const SpecName& name) const {
  return desired.specs.contains(name) || desired.invalid.contains(name) ||
         desired.invalid_files.contains(files_.at(name));
}

void Judge::snapshot(const Desired& desired) {
  latest_ = desired;
  for (const auto& [name, spec] : desired.specs) {
    perhaps_[name].push_back(spec);
    files_[name] = spec->file;
  }
  for (const auto& [name, file] : files_) {
    if (is_present(desired, name)) {
      perhaps_present_.insert(name);
    } else if (desired.complete) {
      ++absent_.try_emplace(name, Absence{.since = clock_.now()}).first->second.snapshots;
    }
  }
}

void Judge::absorbed() {
  for (const auto& [name, spec] : latest_.specs) {
    accepted_[name] = spec;
    perhaps_.erase(name);
  }
  for (const auto& [name, file] : files_) {
    if (is_present(latest_, name)) {
      absent_.erase(name);
      approved_.erase(name);
    } else if (latest_.complete) {
      Absence& absence = absent_.at(name);
      if (!absence.absorbed) absence.since = std::min(absence.since, clock_.now());
      absence.absorbed = true;
    } else {
      continue;
    }
    perhaps_present_.erase(name);
  }
}

/// Whether the spec in force may have `property`.
template <typename Property>
bool Judge::may_hold(const SpecName& name, const Property& property) const {
  const auto accepted = accepted_.find(name);
  if (accepted != accepted_.end() && property(*accepted->second)) return true;
  const auto perhaps = perhaps_.find(name);
  return perhaps != perhaps_.end() &&
         std::any_of(perhaps->second.begin(), perhaps->second.end(),
                     [&](const JobSpecPtr& spec) { return property(*spec); });
}

void Judge::observation(const Observation& observed) {
  for (const SlurmJob& job : observed.jobs) shown_.insert(cluster_.job(job.id));
}

void Judge::read(JobId id, const std::optional<SlurmJob>& job) {
  reads_[id] = job;
  if (job) shown_.insert(cluster_.job(id));
}

// What it is about to do -----------------------------------------------------------------------

void Judge::before_submit(const Submission& submission) {
  absorbed();
  const auto comment = submission.fields.find("comment");
  const auto mark = comment == submission.fields.end()
                        ? std::nullopt
                        : mark_in(std::get<std::string>(comment->second));
  if (!mark) return complain("a submit without a mark");
  const SpecName& name = mark->spec;
  const std::string what = "submit of " + to_text(name) + "@" + mark->generation.substr(0, 4) +
                           " run " + std::to_string(mark->run);

  const Attempt* intent = attempt_with(store_.durable(), name, mark->token);
  if (intent == nullptr || !intent->in_doubt) complain(what + ": its intent is not durable");

  const auto is_wanted = [&](const JobSpec& spec) {
    return generation_of(spec) == mark->generation && !spec.suspend;
  };
  if (!may_hold(name, is_wanted)) complain(what + ": that is not declared");
  if (is_surely_absent(name)) complain(what + ": is no longer declared");

  if (excused_.contains(name)) return;
  for (const FakeJob& job : cluster_.ever()) {
    if (!is_ours(job) || job.mark->spec != name) continue;
    if (job.alive() || (job.listed && job.completing_until)) {
      complain(what + ": beside " + named(job) + ", which has not ended");
    }
  }
  const Work work{name, mark->generation};
  if (settled(work) > reruns_[name]) complain(what + ": that generation is done");
}

bool Judge::is_surely_absent(const SpecName& name) const {
  const auto absence = absent_.find(name);
  return absence != absent_.end() && absence->second.absorbed && !perhaps_present_.contains(name);
}

/// Whatever is changed or cancelled must be ours, by a look taken just before.
void Judge::check_touch(JobId id, const std::string& what) {
  const auto read = reads_.find(id);
  if (read == reads_.end()) {
    return complain(what + " of job " + std::to_string(id.value) + ": not read again before");
  }
  const FakeJob* job = cluster_.job(id);
  if (job == nullptr) return;
  const auto mark = mark_in(job->comment);
  if (!mark || mark->controller != policy_.controller_id) {
    complain(what + " of " + named(*job) + ": it is not ours");
  }
}

void Judge::before_update(JobId id) {
  absorbed();
  check_touch(id, "update");
  const FakeJob* job = cluster_.job(id);
  if (job == nullptr || !is_ours(*job)) return;
  const auto is_new = [&](const JobSpec& spec) {
    return generation_of(spec) != job->mark->generation;
  };
  if (!may_hold(job->mark->spec, is_new) || is_surely_absent(job->mark->spec))
    complain("update of " + named(*job) + ": nothing new is declared");
}

void Judge::before_hold(JobId id, bool hold) {
  absorbed();
  const std::string what = hold ? "hold" : "release";
  check_touch(id, what);
  const FakeJob* job = cluster_.job(id);
  if (job == nullptr || !is_ours(*job)) return;
  if (!may_hold(job->mark->spec, [&](const JobSpec& spec) { return spec.suspend == hold; })) {
    complain(what + " of " + named(*job) + ": nobody declared that");
  }
  if (hold) {
    held_by_us_.insert(job);
  } else if (held_by_person_.contains(job) && !held_by_us_.contains(job)) {
    complain("release of " + named(*job) + ": a person held it");
  }
}

void Judge::before_cancel(JobId id) {
  absorbed();
  check_touch(id, "cancel");
  const FakeJob* job = cluster_.job(id);
  if (job == nullptr || !is_ours(*job)) return;
  if (!asked_durably(*job)) complain("cancel of " + named(*job) + ": not written down before");
  if (is_duplicate(*job) || is_superseded(*job)) return;
  const std::string fault = why_not_removed(*job);
  if (!fault.empty()) return complain("cancel of " + named(*job) + ": " + fault);
  count_removal(*job);
}

bool Judge::is_duplicate(const FakeJob& job) const {
  const auto& jobs = cluster_.ever();
  return std::any_of(jobs.begin(), jobs.end(), [&](const FakeJob& other) {
    if (other.submission == job.submission || !is_ours(other)) return false;
    if (other.mark->spec != job.mark->spec) return false;
    if (excused_.contains(job.mark->spec)) return true;
    return other.alive() && other.created <= job.created;
  });
}

bool Judge::is_superseded(const FakeJob& job) const {
  const auto is_new = [&](const JobSpec& spec) {
    return generation_of(spec) != job.mark->generation;
  };
  const bool unwanted = reruns_.contains(job.mark->spec) || may_hold(job.mark->spec, is_new);
  const auto read = reads_.find(job.id);
  return unwanted && !is_surely_absent(job.mark->spec) && read != reads_.end() && read->second &&
         read->second->untouched();
}

std::string Judge::why_not_removed(const FakeJob& job) const {
  const SpecName& name = job.mark->spec;
  const auto absence = absent_.find(name);
  if (absence == absent_.end()) return "its spec is declared and it is no second job";
  if (!latest_.complete) return "the source is incomplete";
  if (!latest_.names_known) return "a file that cannot be read may declare it";
  if (absence->second.snapshots < 2) return "absent from one snapshot only";
  if (clock_.now() < absence->second.since + policy_.prune_grace) return "the grace is not over";
  const auto lets_go = [&](const JobSpec& spec) {
    return spec.on_delete == OnDelete::Cancel && (!is_protected(spec) || approved_.contains(name));
  };
  const bool unknown = !accepted_.contains(name) && !perhaps_.contains(name);
  return unknown || may_hold(name, lets_go) ? "" : "its spec is protected, or to be orphaned";
}

void Judge::count_removal(const FakeJob& job) {
  if (approved_.contains(job.mark->spec)) return;
  removals_.try_emplace(&job, clock_.world());
  const auto recent = std::count_if(removals_.begin(), removals_.end(), [&](const auto& removal) {
    const bool arrived = removal.first == &job || removal.first->cancelled_by == "alice";
    return arrived && removal.second > clock_.world() - kSurelyWithinAnHour;
  });
  if (recent > kRemovalsAnHour) {
    complain("cancel of " + named(job) + ": the " + std::to_string(recent) +
             "th removal within an hour");
  }
}

bool Judge::asked_durably(const FakeJob& job) const {
  const Attempt* attempt = attempt_with(store_.durable(), job.mark->spec, job.mark->token);
  if (attempt == nullptr) return false;
  const JobId id = job.array.value_or(job.id);
  return attempt->job == id ? attempt->cancel.has_value() : attempt->duplicates.contains(id);
}

// What people do -------------------------------------------------------------------------------

void Judge::person_cancels(JobId id) {
  const FakeJob* job = cluster_.job(id);
  if (job->alive() && is_ours(*job) && asked_durably(*job)) ambiguous_.insert(job);
}

bool Judge::would_be_unknown_without_mark(const FakeJob& job) const {
  if (!is_ours(job)) return false;
  const Attempt* attempt = attempt_with(store_.durable(), job.mark->spec, job.mark->token);
  return attempt == nullptr || attempt->job != job.id;
}

bool Judge::cancelled_by_person(const FakeJob& job) const {
  return job.base == BaseState::Cancelled && !job.cancelled_by.empty() &&
         job.cancelled_by != "alice" && !ambiguous_.contains(&job);
}

// The world ------------------------------------------------------------------------------------

/// Whether this job finished its generation for good.
bool Judge::settles(const FakeJob& job) const {
  if (job.alive()) return false;
  if (job.base == BaseState::Cancelled) return cancelled_by_person(job);
  if (!job.lost || job.base > BaseState::Suspended) return true;
  if (asked_durably(job)) return false;  // whether the cancel came first nobody can say
  return known_.contains(&job);
}

/// Of a job array all tasks must have ended, one of them for good, and none by us.
bool Judge::settles(const std::vector<const FakeJob*>& records) const {
  if (records.size() == 1) return settles(*records.front());
  const auto by_us = [&](const FakeJob* job) {
    return job->base == BaseState::Cancelled && (!cancelled_by_person(*job) || asked_durably(*job));
  };
  return std::none_of(records.begin(), records.end(),
                      [&](const FakeJob* job) { return job->alive() || by_us(job); }) &&
         std::any_of(records.begin(), records.end(),
                     [&](const FakeJob* job) { return settles(*job); });
}

std::map<std::size_t, std::vector<const FakeJob*>> Judge::submissions_of(const Work& work) const {
  std::map<std::size_t, std::vector<const FakeJob*>> submissions;
  for (const FakeJob& job : cluster_.ever()) {
    if (!is_ours(job) || Work{job.mark->spec, job.mark->generation} != work) continue;
    submissions[job.submission].push_back(&job);
  }
  return submissions;
}

int Judge::settled(const Work& work) const {
  const auto submissions = submissions_of(work);
  return static_cast<int>(std::count_if(submissions.begin(), submissions.end(),
                                        [&](const auto& item) { return settles(item.second); }));
}

void Judge::look_at_world() {
  // Of a job array that we cancelled, the tasks that had ended run once more with the others.
  std::set<std::size_t> cut_short;
  for (const FakeJob& job : cluster_.ever()) {
    const bool ours = is_ours(job) && (job.cancelled_by == "alice" || asked_durably(job));
    if (job.array && job.base == BaseState::Cancelled && ours) cut_short.insert(job.submission);
  }
  std::map<SpecName, std::set<std::size_t>> alive;
  std::map<std::pair<Work, std::uint32_t>, int> ran;
  for (const FakeJob& job : cluster_.ever()) {
    if (!is_ours(job)) continue;
    auto& living = alive[job.mark->spec];
    if (job.alive() && living.insert(job.submission).second && living.size() > 1 &&
        !excused_.contains(job.mark->spec)) {
      complain("two live jobs of " + to_text(job.mark->spec) + ", the second is " + named(job));
    }
    for (const FakeExecution& execution : job.executions) {
      const bool whole = execution.ended && execution.state > BaseState::Suspended &&
                         execution.state != BaseState::Cancelled && !job.lost &&
                         !cut_short.contains(job.submission);
      if (!whole || !execution.mark) continue;
      const Work work{execution.mark->spec, execution.mark->generation};
      if (++ran[{work, job.task.value_or(0)}] > 1 + reruns_[work.first] &&
          !excused_.contains(work.first)) {
        complain(named(job) + ": its generation ran to its end once more");
      }
    }
  }
}

void Judge::look_for_lasting_duplicates() {
  std::map<SpecName, std::set<std::size_t>> alive;
  for (const FakeJob& job : cluster_.ever()) {
    if (is_ours(job) && job.alive() && !rewritten_.contains(&job)) {
      alive[job.mark->spec].insert(job.submission);
    }
  }
  for (const auto& [name, jobs] : alive) {
    doubled_[name] = jobs.size() > 1 ? doubled_[name] + 1 : 0;
    if (doubled_[name] != kTicksToCancelTwice) continue;
    std::string which;
    for (const FakeJob& job : cluster_.ever()) {
      if (is_ours(job) && job.alive() && job.mark->spec == name) which += ", " + named(job);
    }
    complain("the second job of " + to_text(name) + " is left alone" + which);
  }
}

void Judge::look_at_end(const Published& published, const FakeSpecSource& source, bool may_lose) {
  for (const FakeJob& job : cluster_.ever()) {
    if (!is_ours(job) || !job.alive() || source.declares(job.mark->spec)) continue;
    const auto accepted = accepted_.find(job.mark->spec);
    const bool kept = rewritten_.contains(&job) || accepted == accepted_.end() ||
                      accepted->second->on_delete == OnDelete::Orphan ||
                      is_protected(*accepted->second);
    if (!kept) complain("in the end " + named(job) + " lives on without a spec");
  }
  for (const auto& [name, spec] : source.specs()) {
    const auto status =
        std::find_if(published.statuses.begin(), published.statuses.end(),
                     [&name = name](const SpecStatus& s) { return s.name == name; });
    if (status == published.statuses.end()) {
      complain("in the end " + to_text(name) + " has no status");
    } else {
      check_resting(*status, *spec, may_lose);
    }
  }
}

/// What is said about a spec at the end must be what truly happened.
void Judge::check_resting(const SpecStatus& status, const JobSpec& spec, bool may_lose) {
  const Work work{status.name, generation_of(spec)};
  bool succeeded = false;
  bool failed = false;
  bool cancelled = false;
  bool waits_held = false;
  for (const FakeJob& job : cluster_.ever()) {
    if (!is_ours(job) || Work{job.mark->spec, job.mark->generation} != work) continue;
    succeeded |= job.base == BaseState::Completed;
    failed |= job.base > BaseState::Completed && job.base != BaseState::Cancelled;
    cancelled |=
        cancelled_by_person(job) || ambiguous_.contains(&job) || robbed_.contains(job.submission);
    waits_held |= job.alive() && job.held;
  }
  // Of a job array all tasks succeeded, in one of its submissions.
  const auto submissions = submissions_of(work);
  const bool whole = std::any_of(submissions.begin(), submissions.end(), [](const auto& item) {
    return std::all_of(item.second.begin(), item.second.end(),
                       [](const FakeJob* job) { return job->base == BaseState::Completed; });
  });
  const bool refused = spec.job.at("partition") == FieldValue(std::string("nowhere"));
  const bool true_word = [&] {
    switch (status.verdict.phase) {
      case Phase::Succeeded:
        return succeeded && whole;
      case Phase::Failed:
        return status.verdict.reason == Reason::SubmitRejected ? refused : failed;
      case Phase::Cancelled:
        return status.verdict.reason == Reason::ExternalCancel && cancelled;
      case Phase::Lost:
        return may_lose;
      case Phase::Suspended:
        return spec.suspend;
      case Phase::Pending:
        return waits_held;
      case Phase::Invalid:
      case Phase::Waiting:
      case Phase::Submitting:
      case Phase::Running:
      case Phase::Completing:
      case Phase::Retrying:
      case Phase::Blocked:
        return false;
    }
    return false;
  }();
  if (!true_word) {
    complain("in the end " + to_text(status.name) + "@" + work.second.substr(0, 4) + " is said " +
             testing::PrintToString(status.verdict) + ", which is not so");
  }
}

}  // namespace sconverge::test
