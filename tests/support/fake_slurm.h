#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "controller/core/observer.h"
#include "controller/ports/slurm_client.h"
#include "tests/support/dice.h"
#include "tests/support/fake_cluster.h"

namespace sconverge::test {

/// What becomes of one submit.
enum class SubmitFate {
  Answered,
  AnswerLost,    ///< the job is there; the caller gets Unknown
  LandsLate,     ///< the caller gets Unknown; the job comes later
  NeverArrives,  ///< the caller gets Unknown; there is no job
  Unreachable,   ///< Unavailable
  Limited,       ///< Unavailable, retry slowly
  Rejected,
  Denied,
};

/// What becomes of one update, hold, release or cancel.
enum class ChangeFate {
  Answered,
  AnswerLost,    ///< done; the caller gets Unknown
  NeverArrives,  ///< not done; the caller gets Unknown
  Unreachable,   ///< Unavailable
  Denied,
};

/// How often calls go wrong by themselves, each between 0 and 1, and how.
struct FaultRates {
  double submit_answer_lost{0};
  double submit_lands_late{0};
  double submit_never_arrives{0};
  double submit_unreachable{0};
  double submit_limited{0};
  double change_answer_lost{0};
  double change_never_arrives{0};
  double change_unreachable{0};
  double observe_fails{0};
  double read_fails{0};
  double account_fails{0};
  milliseconds latest_landing{55000};  ///< of a submit that lands late; below the request timeout
  milliseconds longest_call{0};        ///< time passes during each call, up to so much
};

/// A SlurmClient on a FakeCluster, with faults: queued one by one for the next calls, or by chance
/// from a seed. As thread-safe as the port asks; faults are set while nobody calls.
class FakeSlurm : public SlurmClient {
 public:
  /// `clock` is moved on only by FaultRates::longest_call.
  explicit FakeSlurm(FakeClock& clock, FakeClusterOptions options = {},
                     ObserverOptions observer = {});

  FakeCluster& cluster() { return cluster_; }
  [[nodiscard]] const std::string& user() const { return user_; }

  // One-shot faults, first in, first out.
  void next_submit(SubmitFate fate, milliseconds late = seconds{20});
  void next_change(ChangeFate fate) { next_changes_.push_back(fate); }
  void next_observe_fails(ErrorKind kind = ErrorKind::Unavailable);
  void next_read_fails(ErrorKind kind = ErrorKind::Unavailable);
  void next_account_fails(ErrorKind kind = ErrorKind::Unavailable);

  // Lasting ones.
  void set_faults(const FaultRates& rates, std::uint64_t seed);
  /// Requests already on their way still arrive.
  void clear_faults() { rates_ = {}; }
  /// Slurm's lists lack jobs that were accepted less than this ago.
  void set_list_lag(seconds lag) { list_lag_ = lag; }
  /// Whether there is a list of states, as from Slurm 23.11 on and where nobody bars the way to it.
  void set_states_served(bool served) { states_served_ = served; }
  /// The process that asks is another from now on: what it had seen of Slurm is forgotten.
  void forget_all_seen();
  /// The credentials have expired: every call is Denied.
  void set_denied(bool denied) { denied_ = denied; }

  [[nodiscard]] int submits_sent() const { return submits_sent_; }
  [[nodiscard]] int changes_sent() const { return changes_sent_; }

  Result<Observation> observe(const ObserveScope& scope) override;
  Result<std::optional<SlurmJob>> read(JobId job) override;
  Result<std::optional<SlurmJob>> account(const Question& question) override;
  Result<Submitted> submit(const Submission& submission) override;
  Result<Done> update(JobId job, const JobFields& fields) override;
  Result<Done> set_hold(JobId job, bool hold) override;
  Result<Done> cancel(JobId job) override;
  Result<ClusterInfo> check() override;
  std::vector<SlurmRequest> take_requests() override;

 private:
  struct NextSubmit {
    SubmitFate fate;
    milliseconds late;
  };

  Result<JobList> list();
  Result<std::optional<StateList>> states();
  Result<std::vector<JobRecord>> records_of(JobId job);
  std::optional<Error> fate_of_list(const std::string& endpoint);
  std::vector<JobRecord> listed_records();
  Looks looks();

  std::optional<Error> out_of_order(const std::string& what) const;
  Error failing(ErrorKind kind, const std::string& what) const;
  void spend_time();
  NextSubmit fate_of_submit();
  ChangeFate fate_of_change();
  template <typename Change>
  Result<Done> change(const std::string& what, const Change& apply);
  std::optional<Error> fate_of_question(std::deque<ErrorKind>& next, double rate,
                                        const std::string& what);
  void note(const std::string& endpoint, const std::string& code);

  FakeClock& clock_;
  FakeCluster cluster_;
  std::string user_{"alice"};
  mutable std::mutex mutex_;

  FaultRates rates_{};
  Dice dice_{0};
  std::deque<NextSubmit> next_submits_;
  std::deque<ChangeFate> next_changes_;
  std::deque<ErrorKind> next_observes_;
  std::deque<ErrorKind> next_reads_;
  std::deque<ErrorKind> next_accounts_;
  seconds list_lag_{0};
  bool denied_{false};
  bool states_served_{true};
  ObserverOptions observer_options_;
  std::optional<Observer> observer_{};
  int submits_sent_{0};
  int changes_sent_{0};
  std::vector<SlurmRequest> requests_;
};

}  // namespace sconverge::test
