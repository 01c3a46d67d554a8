#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "controller/core/absorb.h"

namespace sconverge {

/// Hands out entries for changing and knows afterwards which were changed: idle entries, nearly all
/// of them, are never copied.
class Ledger {
 public:
  explicit Ledger(History& history) : history_(history) {}

  SpecHistory& open(const SpecName& name) {
    const auto [entry, added] = history_.try_emplace(name);
    if (!before_.contains(name)) {
      before_.emplace(name, added ? std::nullopt : std::optional<SpecHistory>(entry->second));
    }
    return entry->second;
  }

  [[nodiscard]] std::set<SpecName> changed() const {
    std::set<SpecName> names;
    for (const auto& [name, before] : before_) {
      if (!before || !(*before == history_.at(name))) names.insert(name);
    }
    return names;
  }

 private:
  History& history_;
  std::map<SpecName, std::optional<SpecHistory>> before_{};
};

/// The steps of absorb(), in the order in which it takes them.
class Absorber {
 public:
  Absorber(History& history, const Desired& desired, const Observation& observed,
           const Policy& policy, TimePoint now)
      : history_(history),
        ledger_(history),
        desired_(desired),
        observed_(observed),
        policy_(policy),
        now_(now) {}

  void accept_declared();
  void answer(const std::vector<Request>& requests);
  void see_jobs();
  void prove_absence();
  void mark_missing();
  void settle();

  Absorbed result() {
    result_.changed = ledger_.changed();
    return std::move(result_);
  }

 private:
  void see_token(SpecHistory& entry, const std::vector<const SlurmJob*>& jobs);
  Attempt& attempt_for(SpecHistory& entry, const SlurmJob& job);
  void take(const SpecName& name, SpecHistory& entry, Attempt& attempt, const SlurmJob& job);
  void end(const SpecName& name, Attempt& attempt, Outcome outcome);
  void time_begin(const Attempt& before, const SlurmJob& job);
  void time_end(const SlurmJob& job);
  void absent_job(const SpecName& name, SpecHistory& entry, Attempt& attempt);
  void absent_tasks(const SpecName& name, Attempt& attempt);
  void end_lost(const SpecName& name, Attempt& attempt, const std::string& message);
  void end_accounted(const SpecName& name, Attempt& attempt, const SlurmJob& record);
  void absent_intent(const SpecName& name, SpecHistory& entry, Attempt& attempt);
  void count_unseen(Attempt& attempt) const;
  [[nodiscard]] bool is_declared(const SpecName& name, const SpecHistory& entry) const;
  void settle(const SpecName& name, SpecHistory& entry);

  History& history_;
  Ledger ledger_;
  const Desired& desired_;
  const Observation& observed_;
  const Policy& policy_;
  TimePoint now_;
  Absorbed result_{};
  std::set<std::string> seen_tokens_{};
};

}  // namespace sconverge
