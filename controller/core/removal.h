#pragma once

#include <map>
#include <vector>

#include "controller/core/ladder.h"
#include "controller/core/plan.h"

namespace sconverge {

/// What to do about specs that are no longer declared: wait out the grace, pass the guards, cancel.
class Removals {
 public:
  Removals(const Desired& desired, const History& history, const LiveJobs& live,
           const Policy& policy, TimePoint now);

  /// REQUIRES: entry.missing_since. nullopt: there is nothing left to say about it.
  std::optional<Decision> decide(const SpecName& name, const SpecHistory& entry);

  /// What the guards held back, in their order.
  [[nodiscard]] std::vector<GuardHit> hits() const;

 private:
  [[nodiscard]] std::optional<Guard> blocking(const SpecHistory& entry) const;
  [[nodiscard]] std::string explain(Guard guard, const std::string& names) const;
  void count_budget(const History& history);
  [[nodiscard]] int limit() const;
  [[nodiscard]] bool emptied() const;

  const Desired& desired_;
  const LiveJobs& live_;
  const Policy& policy_;
  TimePoint now_;
  int candidates_{0};  ///< removed specs with a job, those within their grace included
  int recent_{0};      ///< removals of the last hour
  int active_{0};      ///< jobs there are, or were before the removals of the last hour
  std::map<Guard, std::vector<SpecName>> blocked_{};
};

}  // namespace sconverge
