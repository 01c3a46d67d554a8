#include "controller/core/plan.h"

#include <algorithm>

#include "controller/core/ladder.h"
#include "controller/core/removal.h"
#include "controller/core/vanished.h"
#include "controller/core/verdict.h"

namespace sconverge {
namespace {

std::string first_problem(const std::vector<Problem>& problems) {
  return problems.empty() ? "its file has a problem" : to_text(problems.front());
}

/// The file's present text cannot be used, and what was accepted before has nothing under way.
Verdict invalid_verdict(const std::vector<Problem>& problems, const SpecHistory* entry) {
  Verdict verdict{Phase::Invalid, Reason::ParseError, first_problem(problems)};
  if (entry == nullptr || entry->newest() == nullptr || !entry->newest()->outcome) return verdict;
  verdict.message += "; before that: " + verdict_of_outcome(*entry->newest()).message;
  return verdict;
}

class Planner {
 public:
  Planner(const Desired& desired, const Observation& observed, const History& history,
          const Policy& policy, TimePoint now)
      : desired_(desired),
        history_(history),
        policy_(policy),
        now_(now),
        live_(live_jobs_of(observed, policy)),
        removals_(desired, history, live_, policy, now) {}

  Plan make() {
    for (const auto& [name, entry] : history_) plan_spec(name, entry);
    for (const auto& [name, problems] : desired_.invalid) {
      if (!history_.contains(name)) {
        plan_.verdicts.emplace(name, invalid_verdict(problems, nullptr));
      }
    }
    plan_.guards = removals_.hits();
    freeze_if_vanished();
    return std::move(plan_);
  }

 private:
  void plan_spec(const SpecName& name, const SpecHistory& entry) {
    auto extra = cancel_duplicates(name, entry, live_, policy_, now_);
    std::move(extra.begin(), extra.end(), std::back_inserter(plan_.actions));
    if (entry.missing_since) {
      if (auto removal = removals_.decide(name, entry)) add(name, *std::move(removal));
      return;
    }
    const auto problems = problems_of(name, entry);
    if (!entry.accepted) {
      add(name, {.verdict = invalid_verdict(problems, &entry)});
      return;
    }
    Decision decision = sconverge::decide(name, entry, live_, policy_, now_);
    if (!problems.empty()) {
      const bool at_rest =
          decision.actions.empty() && (entry.newest() == nullptr || !is_open(*entry.newest()));
      if (at_rest) {
        decision.verdict = invalid_verdict(problems, &entry);
      } else {
        decision.verdict.message +=
            "; its file has a problem and the last good spec stays in force: " +
            first_problem(problems);
      }
    }
    add(name, std::move(decision));
  }

  /// What is wrong with the text that declares the spec now; a file that cannot be parsed tells no
  /// names, but it is known what it declared before.
  [[nodiscard]] std::vector<Problem> problems_of(const SpecName& name,
                                                 const SpecHistory& entry) const {
    const auto invalid = desired_.invalid.find(name);
    if (invalid != desired_.invalid.end()) return invalid->second;
    std::vector<Problem> problems;
    if (desired_.specs.contains(name) || !desired_.invalid_files.contains(entry.file)) {
      return problems;
    }
    for (const auto& problem : desired_.problems) {
      if (problem.file == entry.file) problems.push_back(problem);
    }
    return problems;
  }

  void add(const SpecName& name, Decision decision) {
    std::move(decision.actions.begin(), decision.actions.end(), std::back_inserter(plan_.actions));
    plan_.verdicts.insert_or_assign(name, std::move(decision.verdict));
    if (decision.queued) plan_.queued.emplace(name, *std::move(decision.queued));
    if (decision.wake_at && (!plan_.wake_at || *decision.wake_at < *plan_.wake_at)) {
      plan_.wake_at = decision.wake_at;
    }
  }

  void freeze_if_vanished() {
    auto vanished = vanished_together(history_, policy_);
    if (vanished.empty()) return;
    // Jobs purged while we were away are missing for one look, until accounting has been asked.
    const bool asked = std::any_of(vanished.begin(), vanished.end(), [&](const SpecName& name) {
      return history_.at(name).newest()->unseen >= 2;
    });
    if (plan_.actions.empty() && !asked) return;
    const std::string message = std::to_string(vanished.size()) +
                                " of our jobs vanished from Slurm together, so nothing is done: "
                                "check that this is the right "
                                "cluster and that Slurm kept its state, then: sconverge approve";
    for (const auto& action : plan_.actions) {
      plan_.verdicts.insert_or_assign(spec_of(action),
                                      Verdict{Phase::Blocked, Reason::JobsVanished, message});
    }
    plan_.actions.clear();
    plan_.guards.push_back({Guard::Vanished, std::move(vanished), message});
  }

  const Desired& desired_;
  const History& history_;
  const Policy& policy_;
  TimePoint now_;
  LiveJobs live_;
  Removals removals_;
  Plan plan_{};
};

}  // namespace

const SpecName& spec_of(const Action& action) {
  return std::visit([](const auto& a) -> const SpecName& { return a.spec; }, action);
}

Plan plan(const Desired& desired, const Observation& observed, const History& history,
          const Policy& policy, TimePoint now) {
  return Planner(desired, observed, history, policy, now).make();
}

}  // namespace sconverge
