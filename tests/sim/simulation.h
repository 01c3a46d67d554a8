#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "controller/app/reconciler.h"
#include "tests/sim/ports.h"
#include "tests/support/dice.h"

namespace sconverge::test {

/// What a seed is in for: rates are per step or per call.
struct Weather {
  explicit Weather(Dice& dice);

  int steps;
  int specs;
  FakeClusterOptions cluster{};
  ObserverOptions observer{};
  Accounting accounting{Accounting::On};
  FaultRates faults{};
  double edits;
  double people;
  double operators;
  double crashes;
  double store_faults;
  double source_faults;
  double state_losses;
  double late_landings;  ///< beyond the time by which a submit must have landed
  double clock_steps;
};

/// A controller on fakes through a storm of edits, people, outages, lost answers and crashes, and
/// then through a calm in which all must come to rest. The same seed gives the same story.
class Simulation {
 public:
  explicit Simulation(std::uint64_t seed);

  /// What the controller did wrong; empty if nothing.
  std::vector<std::string> run();
  /// What happened, step by step.
  [[nodiscard]] const std::vector<std::string>& story() const { return story_; }

 private:
  void tell(const std::string& what);

  void storm();
  void calm_down();
  void wait_for_rest();
  void check_rest();

  void edit_specs();
  void edit(const SpecName& name);
  JobSpec new_spec(const std::string& name);
  void trouble_source();
  void people();
  void touch_job(const FakeJob& job);
  void operators();
  void lose_state();
  void trouble_store();
  void step_clock();

  void tick();
  void approve_what_waits();
  [[nodiscard]] bool at_rest();
  [[nodiscard]] bool rests(const SpecName& name);
  [[nodiscard]] int writes() const;
  [[nodiscard]] bool failed() const { return !judge_.complaints().empty(); }

  Dice dice_;
  Weather weather_;
  FakeClock clock_{};
  FakeSlurm slurm_;
  FakeStore store_{};
  FakeSpecSource source_{};
  Policy policy_;
  Judge judge_;
  Fuse fuse_{};
  SourcePort source_port_;
  SlurmPort slurm_port_;
  StorePort store_port_;
  std::optional<Reconciler> reconciler_{};

  std::map<SpecName, JobSpec> shelf_{};  ///< removed specs, for restoring them
  std::set<SpecName> given_up_{};
  bool may_lose_{false};        ///< how a job ended
  bool may_never_know_{false};  ///< whether a submit without an answer arrived
  std::vector<std::string> story_{};
  std::vector<std::string> complaints_{};
};

}  // namespace sconverge::test
