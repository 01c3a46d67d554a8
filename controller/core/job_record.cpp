#include "controller/core/job_record.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace sconverge {
namespace {

/// The record whose state speaks for all of them is the one with the highest rank.
int rank_of(const JobState& state) {
  if (state.final()) {
    return state.base == BaseState::Completed ? 0 : state.base == BaseState::Cancelled ? 1 : 2;
  }
  if (state.base == BaseState::Running) return state.completing ? 6 : 7;
  if (state.base == BaseState::Pending) return 4;
  return state.base == BaseState::Suspended ? 5 : 3;
}

/// The records' tasks, those of equal state together.
std::vector<TaskGroup> tasks_of(const std::vector<const JobRecord*>& records) {
  using Key = std::tuple<std::string, std::optional<int>, std::optional<int>>;
  std::map<Key, std::size_t> place;
  std::vector<TaskGroup> groups;
  std::vector<std::vector<IndexSet::Range>> ranges;
  for (const JobRecord* record : records) {
    if (record->tasks.empty() && !record->cut) continue;
    const SlurmJob& job = record->job;
    const auto [known, fresh] =
        place.try_emplace({job.state.words, job.exit_code, job.signal}, groups.size());
    if (fresh) {
      groups.push_back({.state = job.state, .exit_code = job.exit_code, .signal = job.signal});
      ranges.emplace_back();
    }
    groups[known->second].rest = groups[known->second].rest || record->cut;
    const auto& more = record->tasks.ranges();
    ranges[known->second].insert(ranges[known->second].end(), more.begin(), more.end());
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    groups[i].indexes = IndexSet::of(std::move(ranges[i]));
  }
  return groups;
}

template <typename Choose>
std::optional<TimePoint> chosen_time(const std::vector<const JobRecord*>& records,
                                     std::optional<TimePoint> SlurmJob::*time, Choose choose) {
  std::optional<TimePoint> chosen;
  for (const JobRecord* record : records) {
    const auto& value = record->job.*time;
    if (value) chosen = chosen ? choose(*chosen, *value) : *value;
  }
  return chosen;
}

SlurmJob join(std::vector<const JobRecord*> records) {
  // Slurm lists them in any order.
  std::sort(records.begin(), records.end(), [](const JobRecord* a, const JobRecord* b) {
    return std::pair(a->job.id, a->job.submitted) < std::pair(b->job.id, b->job.submitted);
  });
  const auto earliest = [](TimePoint a, TimePoint b) { return std::min(a, b); };
  const auto latest = [](TimePoint a, TimePoint b) { return std::max(a, b); };
  const JobRecord* speaker =
      *std::max_element(records.begin(), records.end(), [](const JobRecord* a, const JobRecord* b) {
        return rank_of(a->job.state) < rank_of(b->job.state);
      });
  SlurmJob job = speaker->job;
  job.id = speaker->group;
  job.submitted = chosen_time(records, &SlurmJob::submitted, earliest);
  job.started = chosen_time(records, &SlurmJob::started, earliest);
  job.ended = job.state.final() ? chosen_time(records, &SlurmJob::ended, latest) : std::nullopt;
  for (const JobRecord* record : records)
    job.restarts = std::max(job.restarts, record->job.restarts);
  job.tasks = tasks_of(records);
  job.records = static_cast<int>(records.size());
  return job;
}

/// Keeps the newest submission of each record (requeues repeat it), in order of appearance.
std::vector<JobRecord> newest_submissions(const std::vector<JobRecord>& records) {
  std::vector<JobRecord> kept;
  std::map<JobId, std::size_t> place;
  for (const JobRecord& record : records) {
    const auto [known, fresh] = place.try_emplace(record.job.id, kept.size());
    if (fresh) {
      kept.push_back(record);
    } else if (kept[known->second].job.submitted <= record.job.submitted) {
      kept[known->second] = record;
    }
  }
  return kept;
}

bool fits_without_mark(const JobRecord& row, const Question& question, const std::string& user) {
  // Slurm's times have whole seconds.
  const auto earliest = std::chrono::floor<seconds>(question.submitted_after);
  return !row.job.mark && row.job.submitted && *row.job.submitted >= earliest &&
         (question.job_name.empty() || row.job.name == question.job_name) &&
         (user.empty() || row.job.user.empty() || row.job.user == user);
}

}  // namespace

std::vector<SlurmJob> joined(const std::vector<JobRecord>& records) {
  using Key = std::pair<JobId, std::string>;
  std::map<Key, std::size_t> place;
  std::vector<std::vector<const JobRecord*>> groups;
  for (const JobRecord& record : records) {
    const Key key{record.group, record.job.mark ? record.job.mark->token : ""};
    const auto [known, fresh] = place.try_emplace(key, groups.size());
    if (fresh) groups.emplace_back();
    groups[known->second].push_back(&record);
  }
  std::vector<SlurmJob> jobs;
  jobs.reserve(groups.size());
  for (const auto& group : groups) jobs.push_back(join(group));
  return jobs;
}

std::optional<SlurmJob> whole_job(const std::vector<JobRecord>& records, JobId id) {
  std::vector<const JobRecord*> found;
  const JobRecord* head = nullptr;
  for (const JobRecord& record : records) {
    if (record.job.id != id && record.group != id) continue;
    found.push_back(&record);
    if (record.job.id == id) head = &record;
  }
  if (found.empty()) return std::nullopt;
  SlurmJob job = join(std::move(found));
  if (head != nullptr) {
    job.comment = head->job.comment;
    job.mark = head->job.mark;
  }
  return job;
}

std::vector<SlurmJob> possible_jobs(const std::vector<JobRecord>& rows, const Question& question,
                                    const std::string& user) {
  std::vector<JobRecord> possible;
  for (const JobRecord& row : rows) {
    if (fits_without_mark(row, question, user)) possible.push_back(row);
  }
  return joined(possible);
}

std::optional<SlurmJob> accounted(const std::vector<JobRecord>& rows, const Question& question,
                                  const std::string& user) {
  const auto ours = [&](const JobRecord& row) {
    return row.job.mark && row.job.mark->token == question.token;
  };
  std::set<JobId> ids;
  if (question.job) ids.insert(*question.job);
  for (const JobRecord& row : rows) {
    if (ours(row)) ids.insert(row.group);
  }
  const auto fits = [&](const JobRecord& row) {
    return ids.contains(row.group) && fits_without_mark(row, question, user);
  };
  std::vector<JobRecord> found;
  for (const JobRecord& row : rows) {
    if (ours(row) || fits(row)) found.push_back(row);
  }
  if (found.empty()) return std::nullopt;
  found = newest_submissions(found);
  const JobId group =
      std::max_element(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return a.job.submitted < b.job.submitted;
      })->group;
  std::erase_if(found, [&](const JobRecord& row) { return row.group != group; });
  std::vector<const JobRecord*> records;
  records.reserve(found.size());
  for (const JobRecord& row : found) records.push_back(&row);
  return join(records);
}

}  // namespace sconverge
