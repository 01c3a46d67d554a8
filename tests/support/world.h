#pragma once

#include <map>
#include <string>
#include <vector>

#include "controller/core/absorb.h"
#include "controller/core/plan.h"
#include "controller/core/questions.h"
#include "controller/core/submission.h"
#include "tests/support/builders.h"
#include "tests/support/fake_clock.h"
#include "tests/support/matchers.h"

namespace sconverge::test {

/// Noon, a complete directory, a Slurm that answers everything: each test says only what differs.
/// Nothing moves by itself; `look` absorbs the world as it is and plans.
struct World {
  Desired desired = [] {
    Desired d;
    d.complete = true;
    return d;
  }();
  std::map<JobId, SlurmJob> jobs{};                       ///< what Slurm lists
  std::map<std::string, std::optional<SlurmJob>> rows{};  ///< accounting, by token; null: no record
  std::optional<SlurmJob> whole{};  ///< what a read alone shows, if it is not what is listed
  bool accounting_answers{true};
  bool reads_answered{true};
  History history{};
  std::vector<Request> requests{};
  Policy policy{.controller_id = kController};
  TimePoint now{kNoon};
  Absorbed absorbed{};
  std::uint32_t next_id{100};

  void declare(const JobSpec& spec) {
    desired.specs.insert_or_assign(spec.name, std::make_shared<JobSpec>(spec));
    desired.invalid.erase(spec.name);
  }
  void remove(const std::string& name) { desired.specs.erase(a_name(name)); }

  Plan look() {
    Observation observed;
    observed.began = observed.ended = now;
    for (const auto& [id, job] : jobs) observed.jobs.push_back(job);
    for (const auto& question : questions(history, observed, policy)) {
      observed.answers.emplace(question.token, answer(question));
    }
    absorbed = absorb(history, desired, observed, requests, policy, now);
    requests.clear();
    return plan(desired, observed, history, policy, now);
  }

  Plan look_after(milliseconds pause) {
    now += pause;
    return look();
  }

  Answer answer(const Question& question) const {
    Answer answer;
    if (question.job) {
      const auto job = jobs.find(*question.job);
      answer.live = !reads_answered     ? JobLookup::Unanswered
                    : job == jobs.end() ? JobLookup::NotFound
                                        : JobLookup::Found;
      if (answer.live == JobLookup::Found) answer.live_job = whole ? *whole : job->second;
    }
    if (question.ask_accounting) {
      const auto row = rows.find(question.token);
      answer.accounting = !accounting_answers                 ? AccountingLookup::Unanswered
                          : row == rows.end() || !row->second ? AccountingLookup::NotFound
                                                              : AccountingLookup::Found;
      if (answer.accounting == AccountingLookup::Found) answer.accounted_job = row->second;
    }
    return answer;
  }

  /// Carries out every Submit of the plan: the jobs are in Slurm, pending, and answered for.
  void submit(const Plan& made) {
    for (const auto& action : made.actions) {
      if (const auto* submit = std::get_if<Submit>(&action)) {
        const JobId id = land(*submit);
        record_submitted(history.at(submit->spec), id);
      }
    }
  }

  /// The submit reaches Slurm; nobody hears of it.
  JobId land(const Submit& submit) {
    auto& entry = history.at(submit.spec);
    const Mark mark = begin_submit(entry, submit, policy, now);
    const JobId id{next_id++};
    jobs.insert_or_assign(
        id,
        a_job(id.value).named(job_name_of(*submit.content)).marked(mark).pending().submitted(now));
    return id;
  }

  /// Declares the spec, submits it and sees its job; returns the job.
  SlurmJob& running(const JobSpec& spec) {
    SlurmJob& job = pending(spec);
    job.state = job_state_from({"RUNNING"});
    job.reason.clear();
    look();
    return job;
  }
  SlurmJob& pending(const JobSpec& spec) {
    declare(spec);
    submit(look());
    look();
    return job_of(spec.name.name);
  }

  SlurmJob& job_of(const std::string& name) {
    return jobs.at(*history.at(a_name(name)).newest()->job);
  }
  Attempt& attempt_of(const std::string& name) { return *history.at(a_name(name)).newest(); }

  static void end(SlurmJob& job, const std::string& state, int exit_code = 0) {
    job.state = job_state_from({state});
    job.exit_code = exit_code;
  }
};

}  // namespace sconverge::test
