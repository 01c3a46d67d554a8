#include "tests/support/fake_slurm.h"

#include <algorithm>
#include <utility>

namespace sconverge::test {
namespace {

std::string named(JobId job) { return "job " + std::to_string(job.value); }

/// The port's rule. Rows of other ids are not looked at if the id is known: two jobs may carry one
/// token.
std::optional<SlurmJob> answer_to(const Question& question, std::vector<JobRecord> rows,
                                  const std::string& user) {
  std::erase_if(rows,
                [&](const JobRecord& row) { return question.job && row.group != *question.job; });
  return accounted(rows, question, user);
}

}  // namespace

FakeSlurm::FakeSlurm(FakeClock& clock, FakeClusterOptions options, ObserverOptions observer)
    : clock_(clock), cluster_(clock, std::move(options)), observer_options_(observer) {
  forget_all_seen();
}

// Faults -------------------------------------------------------------------------------------

void FakeSlurm::next_submit(SubmitFate fate, milliseconds late) {
  next_submits_.push_back({fate, late});
}
void FakeSlurm::next_observe_fails(ErrorKind kind) { next_observes_.push_back(kind); }
void FakeSlurm::next_read_fails(ErrorKind kind) { next_reads_.push_back(kind); }
void FakeSlurm::next_account_fails(ErrorKind kind) { next_accounts_.push_back(kind); }

void FakeSlurm::set_faults(const FaultRates& rates, std::uint64_t seed) {
  rates_ = rates;
  dice_ = Dice(seed);
}

void FakeSlurm::spend_time() {
  const auto longest = static_cast<int>(rates_.longest_call.count());
  if (longest > 0) clock_.advance(milliseconds{dice_.between(0, longest)});
}

FakeSlurm::NextSubmit FakeSlurm::fate_of_submit() {
  if (!next_submits_.empty()) {
    const NextSubmit next = next_submits_.front();
    next_submits_.pop_front();
    return next;
  }
  if (dice_.chance(rates_.submit_answer_lost)) return {SubmitFate::AnswerLost, {}};
  if (dice_.chance(rates_.submit_lands_late)) {
    const auto latest = static_cast<int>(rates_.latest_landing.count());
    return {SubmitFate::LandsLate, milliseconds{dice_.between(0, latest)}};
  }
  if (dice_.chance(rates_.submit_never_arrives)) return {SubmitFate::NeverArrives, {}};
  if (dice_.chance(rates_.submit_unreachable)) return {SubmitFate::Unreachable, {}};
  if (dice_.chance(rates_.submit_limited)) return {SubmitFate::Limited, {}};
  return {SubmitFate::Answered, {}};
}

ChangeFate FakeSlurm::fate_of_change() {
  if (!next_changes_.empty()) {
    const ChangeFate next = next_changes_.front();
    next_changes_.pop_front();
    return next;
  }
  if (dice_.chance(rates_.change_answer_lost)) return ChangeFate::AnswerLost;
  if (dice_.chance(rates_.change_never_arrives)) return ChangeFate::NeverArrives;
  if (dice_.chance(rates_.change_unreachable)) return ChangeFate::Unreachable;
  return ChangeFate::Answered;
}

std::optional<Error> FakeSlurm::fate_of_question(std::deque<ErrorKind>& next, double rate,
                                                 const std::string& what) {
  if (!next.empty()) {
    const ErrorKind kind = next.front();
    next.pop_front();
    return failing(kind, what);
  }
  if (dice_.chance(rate)) return failing(ErrorKind::Unavailable, what);
  return std::nullopt;
}

Error FakeSlurm::failing(ErrorKind kind, const std::string& what) const {
  switch (kind) {
    case ErrorKind::Unavailable:
      return {.kind = kind, .message = "cannot reach Slurm to " + what, .slurm_errno = 1800};
    case ErrorKind::Unknown:
      return {.kind = kind, .message = "no answer to the request to " + what};
    case ErrorKind::Rejected:
      return {.kind = kind, .message = "Slurm refuses to " + what, .slurm_errno = 2000};
    case ErrorKind::Denied:
      return {.kind = kind, .message = "Slurm denies us to " + what, .slurm_errno = 1007};
  }
  std::abort();
}

/// What every call meets that reaches for slurmctld.
std::optional<Error> FakeSlurm::out_of_order(const std::string& what) const {
  if (cluster_.down()) return failing(ErrorKind::Unavailable, what);
  if (denied_) return failing(ErrorKind::Denied, what);
  return std::nullopt;
}

void FakeSlurm::note(const std::string& endpoint, const std::string& code) {
  requests_.push_back({.endpoint = endpoint, .code = code, .seconds = 0.001});
}

// The port -----------------------------------------------------------------------------------

Result<Observation> FakeSlurm::observe(const ObserveScope& scope) {
  const std::lock_guard lock(mutex_);
  return observer_->observe(scope);
}

Looks FakeSlurm::looks() {
  return {.list = [this] { return list(); },
          .states = [this] { return states(); },
          .read = [this](JobId job) { return records_of(job); }};
}

void FakeSlurm::forget_all_seen() {
  observer_.emplace(
      looks(), [this] { return clock_.now(); }, observer_options_);
}

std::optional<Error> FakeSlurm::fate_of_list(const std::string& endpoint) {
  spend_time();
  auto error = out_of_order("list jobs");
  if (!error) error = fate_of_question(next_observes_, rates_.observe_fails, "list jobs");
  note(endpoint, error ? "502" : "200");
  return error;
}

std::vector<JobRecord> FakeSlurm::listed_records() {
  const TimePoint seen_until = clock_.world() - list_lag_;
  auto records = cluster_.records();
  std::erase_if(records, [&](const JobRecord& record) {
    return list_lag_ > seconds{0} && cluster_.job(record.job.id)->created > seen_until;
  });
  spend_time();
  return records;
}

Result<JobList> FakeSlurm::list() {
  if (const auto error = fate_of_list("GET /slurm/jobs")) return *error;
  JobList list;
  for (JobRecord& record : listed_records()) {
    list.ids.push_back(record.job.id);
    if (record.job.mark) list.marked.push_back(std::move(record));
  }
  return list;
}

Result<std::optional<StateList>> FakeSlurm::states() {
  if (!states_served_) return std::optional<StateList>();
  if (const auto error = fate_of_list("GET /slurm/jobs/state")) return *error;
  StateList list;
  for (const JobRecord& record : listed_records()) {
    JobRecord row{.job = {.id = record.job.id, .state = record.job.state}};
    if (record.tasks.empty()) list.add(row);
    for (const auto& range : record.tasks.ranges()) {
      for (std::uint32_t task = range.first; task <= range.last; ++task) {
        row.tasks = IndexSet::of({{task, task}});
        list.add(row);
      }
    }
  }
  return std::optional(std::move(list));
}

Result<std::vector<JobRecord>> FakeSlurm::records_of(JobId job) {
  spend_time();
  const std::string what = "read " + named(job);
  auto error = out_of_order(what);
  if (!error) error = fate_of_question(next_reads_, rates_.read_fails, what);
  note("GET /slurm/job/{job_id}", error ? "502" : "200");
  if (error) return *error;
  auto records = cluster_.records();
  std::erase_if(records, [&](const JobRecord& record) {
    return record.job.id != job && record.group != job;
  });
  return records;
}

Result<std::optional<SlurmJob>> FakeSlurm::read(JobId job) {
  const std::lock_guard lock(mutex_);
  const auto records = records_of(job);
  if (!records) return records.error();
  return whole_job(*records, job);
}

Result<std::optional<SlurmJob>> FakeSlurm::account(const Question& question) {
  const std::lock_guard lock(mutex_);
  spend_time();
  const std::string what = "look up \"" + question.job_name + "\" in accounting";
  auto error = denied_ ? std::optional(failing(ErrorKind::Denied, what)) : std::nullopt;
  if (!error && cluster_.accounting() != Accounting::On) {
    error = failing(ErrorKind::Unavailable, what);
  }
  if (!error) error = fate_of_question(next_accounts_, rates_.account_fails, what);
  note("GET /slurmdb/jobs", error ? "502" : "200");
  if (error) return *error;
  const auto rows = cluster_.accounting_rows();
  const auto found = answer_to(question, rows, user_);
  if (found || question.job) return found;
  for (const SlurmJob& row : possible_jobs(rows, question, user_)) {
    const auto live = cluster_.find(row.id);
    if (!live || live->submitted != row.submitted) return failing(ErrorKind::Unavailable, what);
    if (live->mark && live->mark->token == question.token) return live;
  }
  return found;
}

Result<Submitted> FakeSlurm::submit(const Submission& submission) {
  const std::lock_guard lock(mutex_);
  ++submits_sent_;
  const std::string what = "submit a job";
  spend_time();
  const NextSubmit next = fate_of_submit();
  const auto error = out_of_order(what);
  note("POST /slurm/job/submit", error ? "502" : "200");
  if (error) return *error;

  switch (next.fate) {
    case SubmitFate::Answered: {
      const Result<JobId> job = cluster_.submit(submission, user_);
      spend_time();
      if (!job) return job.error();
      observer_->submitted(*job, submission, user_);
      return Submitted{.job = *job};
    }
    case SubmitFate::AnswerLost: {
      (void)cluster_.submit(submission, user_);
      spend_time();
      return failing(ErrorKind::Unknown, what);
    }
    case SubmitFate::LandsLate:
      cluster_.submit_later(submission, user_, clock_.world() + next.late);
      return failing(ErrorKind::Unknown, what);
    case SubmitFate::NeverArrives:
      return failing(ErrorKind::Unknown, what);
    case SubmitFate::Unreachable:
      return failing(ErrorKind::Unavailable, what);
    case SubmitFate::Limited: {
      Error limit = failing(ErrorKind::Unavailable, what);
      limit.slurm_errno = 2050;
      limit.retry_slowly = true;
      return limit;
    }
    case SubmitFate::Rejected:
      return failing(ErrorKind::Rejected, what);
    case SubmitFate::Denied:
      return failing(ErrorKind::Denied, what);
  }
  std::abort();
}

template <typename Change>
Result<Done> FakeSlurm::change(const std::string& what, const Change& apply) {
  ++changes_sent_;
  spend_time();
  const ChangeFate fate = fate_of_change();
  if (const auto error = out_of_order(what)) return *error;
  switch (fate) {
    case ChangeFate::Answered:
      return apply();
    case ChangeFate::AnswerLost:
      (void)apply();
      return failing(ErrorKind::Unknown, what);
    case ChangeFate::NeverArrives:
      return failing(ErrorKind::Unknown, what);
    case ChangeFate::Unreachable:
      return failing(ErrorKind::Unavailable, what);
    case ChangeFate::Denied:
      return failing(ErrorKind::Denied, what);
  }
  std::abort();
}

Result<Done> FakeSlurm::update(JobId job, const JobFields& fields) {
  const std::lock_guard lock(mutex_);
  observer_->changed(job);
  note("POST /slurm/job/{job_id}", "200");
  return change("update " + named(job), [&] { return cluster_.update(job, fields); });
}

Result<Done> FakeSlurm::set_hold(JobId job, bool hold) {
  const std::lock_guard lock(mutex_);
  observer_->changed(job);
  note("POST /slurm/job/{job_id}", "200");
  return change((hold ? "hold " : "release ") + named(job),
                [&] { return cluster_.set_hold(job, hold); });
}

Result<Done> FakeSlurm::cancel(JobId job) {
  const std::lock_guard lock(mutex_);
  observer_->changed(job);
  note("DELETE /slurm/job/{job_id}", "200");
  return change("cancel " + named(job), [&]() -> Result<Done> {
    cluster_.cancel(job, user_);
    return Done{};
  });
}

Result<ClusterInfo> FakeSlurm::check() {
  const std::lock_guard lock(mutex_);
  if (const auto error = out_of_order("ask for its configuration")) return *error;
  const bool accounting = cluster_.accounting() == Accounting::On;
  return ClusterInfo{.api_version = "v0.0.42",
                     .slurm_version = "24.11.5",
                     .cluster_name = "fake",
                     .endpoint = "http://127.0.0.1:6820",
                     .user = user_,
                     .server_time = clock_.world(),
                     .accounting = accounting,
                     .accounting_error = accounting ? "" : "slurmdbd does not answer"};
}

std::vector<SlurmRequest> FakeSlurm::take_requests() {
  const std::lock_guard lock(mutex_);
  return std::exchange(requests_, {});
}

}  // namespace sconverge::test
