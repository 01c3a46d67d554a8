#include "controller/core/questions.h"

#include <unordered_map>

namespace sconverge {
namespace {

// Slurm stamps whole seconds with its own clock; ours may be ahead of it.
constexpr seconds kClockSlack{300};

std::optional<Question> question_about(const Attempt& attempt, const Observation& observed,
                                       const Policy& policy) {
  Question question;
  question.token = attempt.token;
  question.job = attempt.job;
  question.job_name = attempt.job_name;
  question.submitted_after = attempt.intended - kClockSlack;
  // The second observation in a row is the one that may conclude, so it is the one that asks.
  question.ask_accounting = attempt.unseen >= 1;
  if (attempt.job) return question;
  // It may be among the jobs that were not looked at.
  if (!observed.whole) return {};
  const bool doubt_window_over = observed.began > attempt.sent + policy.request_timeout;
  if (attempt.in_doubt && doubt_window_over && question.ask_accounting) return question;
  return {};
}

/// All that is shown of the attempt's array has ended, and it is not all of it.
bool leaves_tasks_open(const Attempt& attempt, const SlurmJob& job) {
  if (job.tasks.empty() || !job.state.final() || attempt.unseen < 1) return false;
  Attempt after;
  after.array = attempt.array;
  after.tasks = tasks_after(attempt.tasks, declared_tasks(attempt), job.tasks);
  return !missing_tasks(after).empty();
}

}  // namespace

std::vector<Question> questions(const History& history, const Observation& observed,
                                const Policy& policy) {
  std::unordered_map<std::string, const SlurmJob*> seen;
  for (const auto& job : observed.jobs) {
    if (job.mark && job.mark->controller == policy.controller_id) {
      seen.emplace(job.mark->token, &job);
    }
  }
  std::vector<Question> asked;
  for (const auto& [name, entry] : history) {
    for (const auto& attempt : entry.attempts) {
      if (!is_open(attempt)) continue;
      const auto shown = seen.find(attempt.token);
      if (shown != seen.end() && !leaves_tasks_open(attempt, *shown->second)) continue;
      if (auto question = question_about(attempt, observed, policy)) {
        question->tasks_missing = shown != seen.end();
        asked.push_back(*std::move(question));
      }
    }
  }
  return asked;
}

}  // namespace sconverge
