#include "controller/core/array_tasks.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace sconverge {
namespace {

constexpr std::size_t kShownIndexes = 1000;  // bytes of text
constexpr std::size_t kIndexesInSentence = 60;

bool is_pending(const JobState& state) {
  return state.base == BaseState::Pending && !state.completing;
}

bool less(const TaskEnd& a, const TaskEnd& b) {
  return std::tie(a.base, a.state, a.exit_code, a.signal) <
         std::tie(b.base, b.state, b.exit_code, b.signal);
}

bool alike(const TaskEnd& a, const TaskEnd& b) { return !less(a, b) && !less(b, a); }

void add_end(std::vector<TaskEnd>& ends, TaskEnd end) {
  if (end.indexes.empty()) return;
  const auto place = std::lower_bound(ends.begin(), ends.end(), end, less);
  if (place != ends.end() && alike(*place, end)) {
    place->indexes = place->indexes.with(end.indexes);
  } else {
    ends.insert(place, std::move(end));
  }
}

TaskEnd end_of(const TaskGroup& group) {
  return {.base = group.state.base,
          .state = group.state.words,
          .exit_code = group.exit_code,
          .signal = group.signal};
}

template <typename Wanted>
IndexSet ended_where(const ArrayTasks& tasks, const Wanted& wanted) {
  IndexSet indexes;
  for (const TaskEnd& end : tasks.ended) {
    if (wanted(end.base)) indexes = indexes.with(end.indexes);
  }
  return indexes;
}

int count(const IndexSet& indexes) {
  return static_cast<int>(std::min<std::size_t>(indexes.size(), 0x7FFFFFFF));
}

}  // namespace

IndexSet ArrayTasks::all() const {
  return pending.with(running).with(ended_where(*this, [](BaseState) { return true; }));
}

IndexSet ArrayTasks::succeeded() const {
  return ended_where(*this, [](BaseState base) { return base == BaseState::Completed; });
}

IndexSet ArrayTasks::failed() const {
  return ended_where(*this, [](BaseState base) {
    return base != BaseState::Completed && base != BaseState::Cancelled && base != BaseState::Other;
  });
}

IndexSet ArrayTasks::cancelled() const {
  return ended_where(*this, [](BaseState base) { return base == BaseState::Cancelled; });
}

IndexSet ArrayTasks::lost() const {
  return ended_where(*this, [](BaseState base) { return base == BaseState::Other; });
}

ArrayTasks with_end(const ArrayTasks& tasks, const IndexSet& indexes, const TaskEnd& end) {
  ArrayTasks after;
  after.pending = tasks.pending.without(indexes);
  after.running = tasks.running.without(indexes);
  for (const TaskEnd& known : tasks.ended) {
    TaskEnd rest = known;
    rest.indexes = known.indexes.without(indexes);
    add_end(after.ended, std::move(rest));
  }
  TaskEnd added = end;
  added.indexes = indexes;
  add_end(after.ended, std::move(added));
  return after;
}

ArrayTasks tasks_after(const ArrayTasks& before, const IndexSet& declared,
                       const std::vector<TaskGroup>& seen) {
  IndexSet shown;
  for (const TaskGroup& group : seen) shown = shown.with(group.indexes);
  ArrayTasks after;
  for (const TaskEnd& known : before.ended) {
    TaskEnd kept = known;
    kept.indexes = known.indexes.without(shown);
    add_end(after.ended, std::move(kept));
  }
  const IndexSet every = declared.empty() ? before.all() : declared;
  const IndexSet others = every.without(shown).without(after.all());
  for (const TaskGroup& group : seen) {
    const IndexSet indexes = group.rest ? group.indexes.with(others) : group.indexes;
    if (group.state.final()) {
      TaskEnd end = end_of(group);
      end.indexes = indexes;
      add_end(after.ended, std::move(end));
    } else if (is_pending(group.state)) {
      after.pending = after.pending.with(indexes);
    } else {
      after.running = after.running.with(indexes);
    }
  }
  return after;
}

ArrayTasks with_ends(const ArrayTasks& tasks, const IndexSet& indexes,
                     const std::vector<TaskGroup>& seen) {
  IndexSet unnamed = indexes;
  for (const TaskGroup& group : seen) unnamed = unnamed.without(group.indexes);
  ArrayTasks after = tasks;
  for (const TaskGroup& group : seen) {
    if (!group.state.final()) continue;
    IndexSet ended = indexes.without(indexes.without(group.indexes));
    if (group.rest) ended = ended.with(unnamed);
    if (!ended.empty()) after = with_end(after, ended, end_of(group));
  }
  return after;
}

TaskSummary summary_of(const ArrayTasks& tasks, const IndexSet& declared) {
  TaskSummary summary;
  summary.total = count(declared.empty() ? tasks.all() : declared);
  summary.pending = count(tasks.pending);
  summary.running = count(tasks.running);
  summary.succeeded = count(tasks.succeeded());
  summary.failed = count(tasks.failed());
  summary.cancelled = count(tasks.cancelled());
  summary.lost = count(tasks.lost());
  summary.failed_indexes = to_text(tasks.failed(), kShownIndexes);
  return summary;
}

std::string to_text(const TaskSummary& tasks) {
  std::string text;
  const auto part = [&](int number, const std::string& word) {
    if (number == 0) return;
    text += text.empty() ? std::to_string(number) + " of " + std::to_string(tasks.total) +
                               (tasks.total == 1 ? " task " : " tasks ")
                         : ", " + std::to_string(number) + " ";
    text += word;
  };
  part(tasks.running, "running");
  part(tasks.pending, "pending");
  part(tasks.succeeded, "succeeded");
  std::string which = tasks.failed_indexes;
  if (which.size() > kIndexesInSentence) {
    which.resize(which.rfind(',', kIndexesInSentence) + 1);
    which += "...";
  }
  part(tasks.failed, "failed (" + which + ")");
  part(tasks.cancelled, "cancelled");
  part(tasks.lost, "lost");
  return text;
}

}  // namespace sconverge
