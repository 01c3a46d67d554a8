#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "controller/app/apply.h"
#include "controller/core/absorb.h"
#include "controller/core/plan.h"
#include "controller/core/report.h"
#include "controller/core/statuses.h"
#include "controller/ports/clock.h"
#include "controller/ports/slurm_client.h"
#include "controller/ports/spec_source.h"
#include "controller/ports/store.h"

namespace sconverge {

struct ReconcilerOptions {
  std::string cluster;
  bool default_cluster{true};              ///< specs that name no cluster are this one's
  std::set<std::string> other_clusters{};  ///< known to the default cluster alone
  Policy policy;
  int concurrency{4};  ///< submits or cancels in flight at once

  friend bool operator==(const ReconcilerOptions&, const ReconcilerOptions&) = default;
};

/// What would happen; nothing has.
struct Preview {
  Desired desired{};  ///< this cluster's part
  Plan plan{};
  Statuses statuses{};
};

/// Keeps one cluster's jobs as declared. One thread owns it and everything it changes.
class Reconciler {
 public:
  /// The ports must outlive it.
  Reconciler(ReconcilerOptions options, SpecSource& source, SlurmClient& slurm, Store& store,
             const Clock& clock);

  /// Reads the memory. REQUIRES success before anything else is called.
  Result<Done> load();

  /// load → observe → absorb → plan → apply → publish, once. Always reports: what could not be done
  /// is in the report, and the next tick begins anew.
  TickReport tick();

  /// The same up to plan, on a copy of the memory: changes nothing anywhere. An Error if Slurm
  /// cannot be observed.
  Result<Preview> preview();

  /// When the next tick is due at the latest, besides the regular interval.
  [[nodiscard]] std::optional<TimePoint> wake_at() const { return wake_at_; }

  /// The last tick put something off that only wants its turn: the next one is due at once.
  [[nodiscard]] bool unfinished() const { return unfinished_; }

 private:
  Desired load_desired();
  Result<Observation> observe();
  std::optional<Error> absorb_and_save(const Desired& desired, const Observation& observed,
                                       TickReport& report);
  bool save(const std::set<SpecName>& names, TickReport& report);
  void publish(const std::map<SpecName, Verdict>& verdicts, const Desired& desired,
               TickReport& report);
  void publish_failure(const Desired& desired, const std::string& step, const Error& error,
                       TickReport& report);

  ReconcilerOptions options_;
  SpecSource& source_;
  SlurmClient& slurm_;
  Store& store_;
  const Clock& clock_;
  History history_{};
  std::set<SpecName>
      unsaved_{};  ///< changed in memory, and a save of it failed or is still to come
  Statuses statuses_{};
  Turns turns_;
  std::optional<TimePoint> wake_at_{};
  bool unfinished_{false};
};

}  // namespace sconverge
