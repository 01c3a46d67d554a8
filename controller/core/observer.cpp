#include "controller/core/observer.h"

#include <algorithm>
#include <utility>

namespace sconverge {
namespace {

// A read of one job costs Slurm about as much as four jobs of a list (measured on 24.11: 5 ms and
// 8 KB, against 2 ms and 8 KB a job), and as many round trips.
constexpr std::size_t kJobsPerRead = 4;
constexpr std::size_t kFewReads = 16;

std::string text_of(const Submission& submission, const std::string& field) {
  const auto found = submission.fields.find(field);
  if (found == submission.fields.end()) return "";
  const auto* text = std::get_if<std::string>(&found->second);
  return text == nullptr ? "" : *text;
}

}  // namespace

Observer::Observer(Looks looks, std::function<TimePoint()> now, ObserverOptions options)
    : looks_(std::move(looks)), now_(std::move(now)), options_(options) {}

void Observer::submitted(JobId job, const Submission& submission, const std::string& user) {
  // Of an array only Slurm knows the tasks for sure.
  if (submission.fields.contains("array")) return;
  JobRecord record{.job = {.id = job, .user = user, .state = job_state_from({"PENDING"})},
                   .group = job};
  record.job.name = text_of(submission, "name");
  record.job.comment = text_of(submission, "comment");
  record.job.mark = mark_in(record.job.comment);
  if (!record.job.mark) return;
  const std::lock_guard lock(news_mutex_);
  submitted_.push_back(std::move(record));
}

void Observer::changed(JobId job) {
  const std::lock_guard lock(news_mutex_);
  changed_.push_back(job);
}

void Observer::take_news() {
  const std::lock_guard lock(news_mutex_);
  for (const JobRecord& record : submitted_) memory_.expect(record);
  for (const JobId job : changed_) memory_.doubt(job);
  submitted_.clear();
  changed_.clear();
}

/// Which list of all jobs is due, if any.
Observer::Sweep Observer::sweep_due(const ObserveScope& scope, TimePoint now) const {
  if (!listed_at_ || now < ask_states_again_) return Sweep::Must;
  const bool clock_went_back = now < *listed_at_;
  const bool due = clock_went_back || now >= sweep_due_ || (scope.sweep && now >= demand_due_);
  return due ? Sweep::Should : Sweep::No;
}

Result<Observation> Observer::list_all(TimePoint began) {
  auto list = looks_.list();
  if (!list) return list.error();
  Observation observation;
  observation.began = began;
  observation.ended = now_();
  observation.all_jobs = list->ids.size();
  observation.jobs = joined(list->marked);
  memory_.take_list(std::move(list->marked), std::move(list->ids), observation.ended);
  listed_at_ = observation.ended;
  newest_ = {};
  const auto took = observation.ended - began;
  sweep_due_ =
      observation.ended + std::max<milliseconds>(options_.sweep, took * options_.sweep_share);
  demand_due_ = observation.ended + took * options_.demanded_share;
  return observation;
}

std::optional<Error> Observer::read_all(const std::vector<JobId>& jobs) {
  for (const JobId job : jobs) {
    const auto records = looks_.read(job);
    if (!records) return records.error();
    memory_.take_read(job, *records, now_());
  }
  return std::nullopt;
}

Result<Observation> Observer::observe(const ObserveScope& scope) {
  const TimePoint began = now_();
  take_news();
  const Sweep sweep = sweep_due(scope, began);
  if (sweep != Sweep::No) {
    auto all = list_all(began);
    if (all.ok() || sweep == Sweep::Must) return all;
    // The list of all may be too large for the way to Slurm while that of states is not.
    sweep_due_ = demand_due_ =
        now_() +
        std::max<milliseconds>(options_.sweep / 5, (now_() - began) * options_.demanded_share);
  }
  auto states = looks_.states();
  if (!states) return states.error();
  if (!states->has_value()) {
    ask_states_again_ = now_() + options_.states_missing;
    return list_all(began);
  }
  const auto& listed = (*states)->records();
  // Ids count up: a Slurm that has lost its state gives the same ones out again.
  const JobId newest = listed.empty() ? JobId{} : listed.back().record;
  const bool went_back = newest < std::exchange(newest_, newest);
  if (went_back && began >= demand_due_) return list_all(began);
  auto to_read = memory_.take_states(listed, scope);
  if (to_read.size() > std::max(kFewReads, listed.size() / kJobsPerRead)) return list_all(began);
  for (const JobId job :
       memory_.stalest_waiting(began - options_.waiting_good, options_.waiting_reads)) {
    if (!std::binary_search(to_read.begin(), to_read.end(), job)) to_read.push_back(job);
  }
  if (const auto error = read_all(to_read)) return *error;
  if (const auto error = read_all(memory_.newcomers(options_.new_reads))) return *error;
  Observation observation;
  observation.whole = false;
  observation.began = began;
  observation.ended = now_();
  observation.all_jobs = listed.size();
  observation.jobs = joined(memory_.records());
  return observation;
}

}  // namespace sconverge
