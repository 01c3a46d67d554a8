#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "controller/core/policy.h"
#include "controller/ports/store.h"
#include "tests/support/fake_cluster.h"
#include "tests/support/fake_spec_source.h"
#include "tests/support/fake_store.h"

namespace sconverge::test {

/// Knows what truly happened in the cluster, what the controller was shown and what people did, and
/// complains about every step of the controller that breaks a promise.
class Judge {
 public:
  Judge(const FakeClock& clock, FakeCluster& cluster, const FakeStore& store, const Policy& policy);

  // What the controller is shown.
  void new_tick() {
    reads_.clear();
    shown_.clear();
  }
  /// The snapshot of this tick was taken in; one that a failed tick read may be forgotten.
  void absorbed();
  /// All that this tick taught is durable.
  void tick_went_through() {
    absorbed();
    known_.insert(shown_.begin(), shown_.end());
  }
  void snapshot(const Desired& desired);
  void observation(const Observation& observed);
  void read(JobId id, const std::optional<SlurmJob>& job);
  void submitted(JobId id) { shown_.insert(cluster_.job(id)); }

  // What it is about to do.
  void before_submit(const Submission& submission);
  void before_update(JobId id);
  void before_hold(JobId id, bool hold);
  void before_cancel(JobId id);

  // What people are about to do.
  void person_cancels(JobId id);
  void person_cancels_task(JobId id) { robbed_.insert(cluster_.job(id)->submission); }
  void person_holds(JobId id) { held_by_person_.insert(cluster_.job(id)); }
  void person_reruns(const SpecName& name) { ++reruns_[name]; }
  void person_approves(const SpecName& name) { approved_.insert(name); }
  /// Nothing but its mark tells a job apart whose submit was not answered.
  [[nodiscard]] bool would_be_unknown_without_mark(const FakeJob& job) const;
  void person_rewrites_comment(JobId id) { rewritten_.insert(cluster_.job(id)); }

  /// More happened to this spec than any controller can make good: a submit landed after the time
  /// by which it must, or our clock jumped over that time. It may have two jobs for a while.
  void excuse(const SpecName& name) { excused_.insert(name); }

  /// Between two ticks.
  void look_at_world();
  /// Between two ticks of the calm, 10 s apart: no second job may outlive a few of them.
  void look_for_lasting_duplicates();
  /// When all has come to rest. `may_lose`: outcomes could truly get lost.
  void look_at_end(const Published& published, const FakeSpecSource& source, bool may_lose);

  [[nodiscard]] const std::vector<std::string>& complaints() const { return complaints_; }
  [[nodiscard]] bool is_ours(const FakeJob& job) const;

 private:
  using Work = std::pair<SpecName, Generation>;
  struct Absence {
    TimePoint since{};  ///< by the controller's clock
    int snapshots{0};
    bool absorbed{false};
  };

  void complain(const std::string& what) { complaints_.push_back(what); }
  template <typename Property>
  [[nodiscard]] bool may_hold(const SpecName& name, const Property& property) const;
  [[nodiscard]] bool is_surely_absent(const SpecName& name) const;
  void check_touch(JobId id, const std::string& what);
  [[nodiscard]] bool is_present(const Desired& desired, const SpecName& name) const;
  [[nodiscard]] bool is_duplicate(const FakeJob& job) const;
  [[nodiscard]] bool is_superseded(const FakeJob& job) const;
  [[nodiscard]] std::string why_not_removed(const FakeJob& job) const;
  void count_removal(const FakeJob& job);
  [[nodiscard]] bool asked_durably(const FakeJob& job) const;
  [[nodiscard]] bool cancelled_by_person(const FakeJob& job) const;
  [[nodiscard]] bool settles(const std::vector<const FakeJob*>& records) const;
  [[nodiscard]] bool settles(const FakeJob& job) const;
  [[nodiscard]] std::map<std::size_t, std::vector<const FakeJob*>> submissions_of(
      const Work& work) const;
  [[nodiscard]] int settled(const Work& work) const;
  void check_resting(const SpecStatus& status, const JobSpec& spec, bool may_lose);

  const FakeClock& clock_;
  FakeCluster& cluster_;
  const FakeStore& store_;
  const Policy& policy_;

  Desired latest_{};
  std::map<SpecName, JobSpecPtr> accepted_{};              ///< the last valid one taken in
  std::map<SpecName, std::vector<JobSpecPtr>> perhaps_{};  ///< later ones, read by failed ticks
  std::map<SpecName, std::string> files_{};                ///< of every name ever shown
  std::map<SpecName, Absence> absent_{};
  std::set<SpecName> perhaps_present_{};              ///< read by failed ticks
  std::map<JobId, std::optional<SlurmJob>> reads_{};  ///< in this tick
  std::set<const FakeJob*> shown_{};                  ///< in this tick
  std::set<const FakeJob*> known_{};                  ///< shown, and remembered since

  std::set<const FakeJob*> ambiguous_{};  ///< cancelled by a person after we had asked, too
  std::set<std::size_t> robbed_{};        ///< submissions of which a person cancelled a task
  std::set<const FakeJob*> held_by_person_{};
  std::set<const FakeJob*> held_by_us_{};
  std::set<const FakeJob*> rewritten_{};
  std::map<SpecName, int> reruns_{};
  std::set<SpecName> approved_{};
  std::set<SpecName> excused_{};
  std::map<const FakeJob*, TimePoint> removals_{};
  std::map<SpecName, int> doubled_{};  ///< ticks of the calm with two live jobs
  std::vector<std::string> complaints_{};
};

}  // namespace sconverge::test
