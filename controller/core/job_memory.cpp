#include "controller/core/job_memory.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace sconverge {

bool JobMemory::is_stranger(JobId id) const {
  return std::binary_search(strangers_.begin(), strangers_.end(), id);
}

void JobMemory::take_list(std::vector<JobRecord> marked, std::vector<JobId> ids, TimePoint at) {
  marked_.clear();
  for (JobRecord& record : marked) {
    const JobId id = record.job.id;
    const auto signature = signature_of(record);
    marked_.insert_or_assign(id, Known{std::move(record), signature, at});
  }
  std::erase_if(ids, [&](JobId id) { return marked_.contains(id); });
  std::sort(ids.begin(), ids.end());
  strangers_ = std::move(ids);
}

std::vector<JobId> JobMemory::take_states(const std::vector<RecordState>& states,
                                          const ObserveScope& scope) {
  std::vector<JobId> awaited = scope.known;
  std::sort(awaited.begin(), awaited.end());
  std::set<JobId> to_read;
  std::vector<JobId> strangers;
  listed_.clear();
  newcomers_.clear();
  auto known = marked_.begin();
  for (const auto& [id, signature] : states) {
    while (known != marked_.end() && known->first < id) known = marked_.erase(known);
    const bool is_marked = known != marked_.end() && known->first == id;
    if (is_marked && known->second.signature == signature) {
      ++known;
      continue;
    }
    if (is_marked) {
      to_read.insert(known->second.record.group);
      ++known;
    } else if (std::binary_search(awaited.begin(), awaited.end(), id)) {
      to_read.insert(id);
    } else if (is_stranger(id)) {
      strangers.push_back(id);
      continue;
    } else if (scope.new_jobs) {
      to_read.insert(id);
    } else {
      newcomers_.push_back(id);
      continue;
    }
    listed_.emplace(id, signature);
  }
  marked_.erase(known, marked_.end());
  strangers_ = std::move(strangers);
  return {to_read.begin(), to_read.end()};
}

void JobMemory::take_read(JobId job, const std::vector<JobRecord>& records, TimePoint at) {
  for (auto known = marked_.begin(); known != marked_.end();) {
    const bool of_job = known->first == job || known->second.record.group == job;
    if (of_job && known->second.signature) {
      listed_.try_emplace(known->first, *known->second.signature);
    }
    known = of_job ? marked_.erase(known) : std::next(known);
  }
  for (const JobRecord& record : records) {
    const JobId id = record.job.id;
    if (!record.job.mark) {
      const auto place = std::lower_bound(strangers_.begin(), strangers_.end(), id);
      if (place == strangers_.end() || *place != id) strangers_.insert(place, id);
      continue;
    }
    auto signature = signature_of(record);
    // Where Slurm does not name all tasks of a record, the list before the read has to do. If the
    // record has gone on in between, the next list differs.
    const auto listed = listed_.find(id);
    if (!signature && listed != listed_.end()) signature = listed->second;
    marked_.insert_or_assign(id, Known{record, signature, at});
  }
}

std::vector<JobId> JobMemory::newcomers(std::size_t most) const {
  std::vector<JobId> unknown;
  for (const JobId id : newcomers_) {
    if (unknown.size() == most) break;
    // An array's record comes to be known with the array.
    if (!marked_.contains(id) && !is_stranger(id)) unknown.push_back(id);
  }
  return unknown;
}

std::vector<JobId> JobMemory::stalest_waiting(TimePoint before, std::size_t most) const {
  // A read of an array brings all its records, of which there may be thousands.
  std::set<JobId> split;
  for (const auto& [id, known] : marked_) {
    if (known.record.group != id) split.insert(known.record.group);
  }
  std::vector<std::pair<TimePoint, JobId>> waiting;
  for (const auto& [id, known] : marked_) {
    const bool waits = known.record.job.state.base == BaseState::Pending;
    const bool alone = known.record.group == id && !split.contains(id);
    if (waits && alone && known.read <= before) waiting.emplace_back(known.read, id);
  }
  const std::size_t count = std::min(most, waiting.size());
  std::partial_sort(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(count),
                    waiting.end());
  std::vector<JobId> jobs;
  for (std::size_t i = 0; i < count; ++i) jobs.push_back(waiting[i].second);
  return jobs;
}

void JobMemory::expect(const JobRecord& record) {
  marked_.insert_or_assign(record.job.id, Known{record, signature_of(record), TimePoint{}});
}

void JobMemory::doubt(JobId job) {
  const auto found = marked_.find(job);
  const bool alone = found != marked_.end() && found->second.record.tasks.empty();
  if (alone) {
    found->second.signature.reset();
    return;
  }
  for (auto& [id, known] : marked_) {
    if (id == job || known.record.group == job) known.signature.reset();
  }
}

std::vector<JobRecord> JobMemory::records() const {
  std::vector<JobRecord> records;
  records.reserve(marked_.size());
  for (const auto& [id, known] : marked_) records.push_back(known.record);
  return records;
}

}  // namespace sconverge
