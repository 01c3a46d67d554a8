#include "controller/app/apply.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <thread>

#include "controller/app/words.h"
#include "controller/core/submission.h"

namespace sconverge {
namespace {

// Who waits for a tick, waits so much longer at most (and for the batch under way).
constexpr milliseconds kLongestBurst{1000};

/// Calls `work(0) ... work(count - 1)`, at most `width` at once; in order when the width is 1.
void for_each_bounded(std::size_t count, int width, const std::function<void(std::size_t)>& work) {
  const auto threads = std::min(count, static_cast<std::size_t>(std::max(width, 1)));
  if (threads <= 1) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::vector<std::jthread> workers;
  for (std::size_t t = 0; t < threads; ++t) {
    workers.emplace_back([&] {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    });
  }
}

OperationResult result_of(const Error& error) {
  switch (error.kind) {
    case ErrorKind::Unavailable:
    case ErrorKind::Denied:
      return OperationResult::Error;
    case ErrorKind::Unknown:
      return OperationResult::Uncertain;
    case ErrorKind::Rejected:
      return OperationResult::Rejected;
  }
  std::abort();
}

std::string text_of(const std::vector<FieldChange>& changes) {
  std::string text;
  for (const auto& change : changes) {
    const auto shown = [](const std::string& value) { return value.empty() ? "unset" : value; };
    if (!text.empty()) text += ", ";
    text += change.field + ": " + shown(change.from) + " -> " + shown(change.to);
  }
  return text;
}

}  // namespace

Applier::Applier(History& history, SlurmClient& slurm, const Clock& clock, const Policy& policy,
                 Turns& turns, Save save, TickReport& report)
    : history_(history),
      slurm_(slurm),
      clock_(clock),
      policy_(policy),
      turns_(turns),
      save_(std::move(save)),
      report_(report),
      deadline_(clock.now() + kLongestBurst) {}

void Applier::report(Operation operation, const SpecName& spec, std::optional<JobId> job,
                     const Error* error, const std::string& message) {
  ActionReport entry;
  entry.operation = operation;
  entry.result = error == nullptr ? OperationResult::Success : result_of(*error);
  entry.spec = spec;
  entry.job = job;
  entry.message = error == nullptr ? message : error->message;
  report_.actions.push_back(std::move(entry));
}

/// Reads the job once more, immediately before touching it: an id may have been reused, and a mark
/// rewritten, since the plan was made.
bool Applier::still_ours(const SpecName& spec, JobId job, const std::string& token,
                         Operation operation) {
  return is_still_ours(slurm_.read(job), spec, job, token, operation, false);
}

bool Applier::is_still_ours(const Result<std::optional<SlurmJob>>& read, const SpecName& spec,
                            JobId job, const std::string& token, Operation operation,
                            bool while_pending) {
  if (!read) {
    report(operation, spec, job, &read.error());
    return false;
  }
  if (!read->has_value()) return false;
  const JobState& state = (*read)->state;
  // Somebody ended it meanwhile, or it has started and is left to finish: the next look tells.
  const bool ending = state.final() || state.completing || state.base == BaseState::Cancelled;
  if (ending || (while_pending && !(*read)->untouched())) return false;
  const auto& mark = (*read)->mark;
  if (mark && mark->token == token && mark->controller == policy_.controller_id) return true;
  const Error foreign{ErrorKind::Rejected,
                      "job " + to_text(job) + " does not carry our mark any more; left alone"};
  report(operation, spec, job, &foreign);
  return false;
}

/// False: nothing more should be sent in this tick.
bool Applier::cancel_batch(std::span<const Cancel* const> batch) {
  std::vector<Result<std::optional<SlurmJob>>> reads(batch.size(), std::optional<SlurmJob>());
  for_each_bounded(batch.size(), turns_.pace.width(),
                   [&](std::size_t i) { reads[i] = slurm_.read(batch[i]->job); });
  std::vector<Cancelling> cancels;
  std::map<SpecName, SpecHistory> before;
  std::set<SpecName> names = applied_.touched;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const Cancel& action = *batch[i];
    const bool while_pending = action.cause == CancelCause::Superseded;
    if (!is_still_ours(reads[i], action.spec, action.job, action.token, Operation::Cancel,
                       while_pending)) {
      continue;
    }
    auto& entry = history_.at(action.spec);
    before.try_emplace(action.spec, entry);
    names.insert(action.spec);
    record_cancel_requested(entry, action, policy_, clock_.now());
    cancels.emplace_back().action = &action;
  }
  if (cancels.empty()) return true;
  if (!save_(names)) {
    for (auto& [name, entry] : before) history_.at(name) = std::move(entry);
    return false;
  }
  applied_.touched.clear();
  for_each_bounded(cancels.size(), turns_.pace.width(), [&](std::size_t i) {
    const TimePoint began = clock_.now();
    cancels[i].answer = slurm_.cancel(cancels[i].action->job);
    cancels[i].took = clock_.now() - began;
  });
  bool refused = false;
  std::vector<milliseconds> took;
  for (const auto& [action, answer, time] : cancels) {
    took.push_back(time);
    report(Operation::Cancel, action->spec, action->job, answer ? nullptr : &answer.error(),
           std::string(because_text(action->cause)) +
               (action->changes.empty() ? "" : " (" + text_of(action->changes) + ")"));
    report_.actions.back().cause = action->cause;
    if (!answer && answer.error().kind == ErrorKind::Unavailable) {
      refused = true;
      record_cancel_unsent(history_.at(action->spec), *action, clock_.now());
      applied_.touched.insert(action->spec);
    }
  }
  turns_.pace.record(std::move(took), refused);
  return !refused;
}

void Applier::change(const Update& update) {
  if (!still_ours(update.spec, update.job, update.token, Operation::Update)) return;
  auto& entry = history_.at(update.spec);
  const SpecHistory before = entry;
  record_update_requested(entry, update);
  if (!save_({update.spec})) {
    entry = before;
    return;
  }
  const Submission whole = submission_of(
      *update.content, mark_of(update.spec, *entry.newest(), policy_), policy_.defaults);
  JobFields fields{{"comment", whole.fields.at("comment")}};
  for (const auto& change : update.changes) {
    fields.emplace(change.field, whole.fields.at(change.field));
  }
  const auto answer = slurm_.update(update.job, fields);
  report(Operation::Update, update.spec, update.job, answer ? nullptr : &answer.error(),
         text_of(update.changes));
  applied_.touched.insert(update.spec);
  if (answer) {
    record_updated(entry, update);
  } else if (answer.error().kind != ErrorKind::Unknown) {
    entry = before;
    if (answer.error().kind == ErrorKind::Rejected) record_update_refused(entry, update);
  }
}

void Applier::change(const SetHold& hold) {
  const auto operation = hold.hold ? Operation::Hold : Operation::Release;
  if (!still_ours(hold.spec, hold.job, hold.token, operation)) return;
  auto& entry = history_.at(hold.spec);
  const SpecHistory before = entry;
  record_hold_requested(entry, hold);
  if (!save_({hold.spec})) {
    entry = before;
    return;
  }
  const auto answer = slurm_.set_hold(hold.job, hold.hold);
  report(operation, hold.spec, hold.job, answer ? nullptr : &answer.error());
  if (!answer) return;
  record_hold(entry, hold);
  applied_.touched.insert(hold.spec);
}

/// False: nothing more should be sent in this tick.
bool Applier::submit_batch(std::span<const Submit* const> batch) {
  std::vector<Submitting> submits;
  std::map<SpecName, SpecHistory> before;
  std::set<SpecName> names = applied_.touched;
  for (const Submit* action : batch) {
    auto& entry = history_.at(action->spec);
    before.emplace(action->spec, entry);
    names.insert(action->spec);
    const Mark mark = begin_submit(entry, *action, policy_, clock_.now());
    Submitting& submitting = submits.emplace_back();
    submitting.action = action;
    submitting.submission = submission_of(*action->content, mark, policy_.defaults);
  }
  if (!save_(names)) {
    for (auto& [name, entry] : before) history_.at(name) = std::move(entry);
    return false;
  }
  applied_.touched.clear();
  for_each_bounded(submits.size(), turns_.pace.width(), [&](std::size_t i) {
    const TimePoint began = clock_.now();
    submits[i].answer = slurm_.submit(submits[i].submission);
    submits[i].took = clock_.now() - began;
  });
  bool refused = false;
  std::vector<milliseconds> took;
  for (const auto& [action, submission, answer, time] : submits) {
    took.push_back(time);
    auto& entry = history_.at(action->spec);
    if (answer) {
      record_submitted(entry, answer->job);
      std::string warnings;
      for (const auto& warning : answer->warnings)
        warnings += (warnings.empty() ? "" : "; ") + warning;
      report(Operation::Submit, action->spec, answer->job, nullptr, warnings);
    } else {
      refused = refused || answer.error().kind != ErrorKind::Rejected;
      record_submit_failure(entry, answer.error(), clock_.now());
      report(Operation::Submit, action->spec, {}, &answer.error());
    }
    applied_.touched.insert(action->spec);
  }
  turns_.last = batch.back()->spec;
  turns_.pace.record(std::move(took), refused);
  return !refused;
}

template <typename Kind>
void Applier::in_batches(const std::vector<const Kind*>& actions,
                         bool (Applier::*batch)(std::span<const Kind* const>)) {
  std::size_t done = 0;
  do {
    const std::size_t count = std::min(turns_.pace.batch(), actions.size() - done);
    if (count > 0 && !(this->*batch)({actions.data() + done, count})) applied_.in_trouble = true;
    done += count;
  } while (done < actions.size() && !applied_.in_trouble && clock_.now() < deadline_);
  for (; done < actions.size(); ++done) applied_.put_off.insert(actions[done]->spec);
}

void Applier::change_all(const std::vector<Action>& actions) {
  for (const auto& action : actions) {
    const auto* update = std::get_if<Update>(&action);
    const auto* hold = std::get_if<SetHold>(&action);
    if (update == nullptr && hold == nullptr) continue;
    if (clock_.now() >= deadline_) {
      applied_.put_off.insert(spec_of(action));
    } else if (update != nullptr) {
      change(*update);
    } else {
      change(*hold);
    }
  }
}

Applied Applier::apply(const std::vector<Action>& actions) {
  std::vector<const Cancel*> cancels;
  std::vector<const Submit*> submits;
  for (const auto& action : actions) {
    if (const auto* cancel = std::get_if<Cancel>(&action)) cancels.push_back(cancel);
    if (const auto* submit = std::get_if<Submit>(&action)) submits.push_back(submit);
  }
  // Whoever was put off comes first.
  std::stable_partition(submits.begin(), submits.end(),
                        [&](const Submit* submit) { return turns_.last < submit->spec; });
  in_batches(cancels, &Applier::cancel_batch);
  change_all(actions);
  in_batches(submits, &Applier::submit_batch);
  return std::move(applied_);
}

}  // namespace sconverge
