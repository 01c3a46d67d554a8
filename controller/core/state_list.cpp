#include "controller/core/state_list.h"

#include <algorithm>

namespace sconverge {
namespace {

// What a job has that is no task of an array.
constexpr std::uint64_t kNoTask = std::uint64_t{1} << 40;

/// The finalizer of SplitMix64: every bit of the result depends on every bit of `value`.
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
  return value ^ (value >> 31);
}

std::uint64_t number_of(const JobState& state) {
  const auto flags =
      (state.completing ? 1U : 0U) | (state.configuring ? 2U : 0U) | (state.unsettled ? 4U : 0U);
  return static_cast<std::uint64_t>(state.base) * 8 + flags;
}

}  // namespace

// A sum, so that the rows of an array's tasks may come one by one and in any order.
std::optional<StateSignature> signature_of(const JobRecord& record) {
  if (record.cut) return std::nullopt;
  const std::uint64_t state = number_of(record.job.state) << 48;
  if (record.tasks.empty()) return mixed(state | kNoTask);
  StateSignature sum = 0;
  for (const auto& range : record.tasks.ranges()) {
    for (std::uint64_t task = range.first; task <= range.last; ++task) sum += mixed(state | task);
  }
  return sum;
}

void StateList::add(const JobRecord& row) {
  const StateSignature signature = signature_of(row).value_or(0);
  if (!records_.empty() && records_.back().record == row.job.id) {
    records_.back().signature += signature;
    return;
  }
  in_order_ = in_order_ && (records_.empty() || records_.back().record < row.job.id);
  records_.push_back({row.job.id, signature});
}

const std::vector<RecordState>& StateList::records() {
  if (in_order_) return records_;
  std::sort(records_.begin(), records_.end(),
            [](const RecordState& a, const RecordState& b) { return a.record < b.record; });
  std::size_t kept = 0;
  for (std::size_t i = 1; i < records_.size(); ++i) {
    if (records_[i].record == records_[kept].record) {
      records_[kept].signature += records_[i].signature;
    } else {
      records_[++kept] = records_[i];
    }
  }
  records_.resize(kept + 1);
  in_order_ = true;
  return records_;
}

}  // namespace sconverge
