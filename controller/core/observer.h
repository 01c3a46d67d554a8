#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "controller/core/job_memory.h"
#include "controller/core/observation.h"
#include "controller/core/result.h"
#include "controller/core/submission.h"
#include "controller/core/time.h"

namespace sconverge {

/// All of Slurm's records.
struct JobList {
  std::vector<JobRecord> marked{};
  std::vector<JobId> ids{};  ///< of all, marked or not
};

/// The ways to look at a cluster. Each gives the whole answer or an Error.
struct Looks {
  std::function<Result<JobList>()> list;
  /// nullopt: this cluster, or the way to it, knows no such list.
  std::function<Result<std::optional<StateList>>()> states;
  /// All records of a job; none only if Slurm itself says that it has no such job.
  std::function<Result<std::vector<JobRecord>>(JobId)> read;
};

struct ObserverOptions {
  /// Everything is looked at that often, for what the cheap looks do not show: marks that people
  /// write or erase, jobs of ours that nobody remembers, ids that were given out again.
  seconds sweep{300};
  /// ... but lists of all jobs take at most one part in so many of the time.
  int sweep_share{100};
  /// The same for lists that a scope asks for.
  int demanded_share{20};
  /// How long a missing list of states is taken for missing.
  seconds states_missing{3600};
  /// Why a job waits is read again at most that often, of so many jobs at each look.
  seconds waiting_good{5};
  std::size_t waiting_reads{4};
  /// So many new jobs are read at each look though nobody asks for new ones: a second job of a run
  /// is to be seen soon, wherever it comes from.
  std::size_t new_reads{8};
};

/// Observes a cluster as cheaply as what is to be known allows, in three tiers:
///   all jobs     the list of all: at first, at sweeps, where there is no list of states, and where
///                reading the changed ones singly would cost more
///   changed jobs the list of states, and each job of ours whose state is another than before
///   new jobs     the same, and each job that was not there before: while a submit may come to
///   light
/// One observation at a time; `submitted` and `changed` may be called from several threads.
class Observer {
 public:
  Observer(Looks looks, std::function<TimePoint()> now, ObserverOptions options = {});

  Result<Observation> observe(const ObserveScope& scope);

  /// Slurm has accepted the job: it need not be read only to learn what we have sent.
  void submitted(JobId job, const Submission& submission, const std::string& user);

  /// We asked Slurm to change this job, whatever came of it.
  void changed(JobId job);

 private:
  enum class Sweep { No, Should, Must };

  [[nodiscard]] Sweep sweep_due(const ObserveScope& scope, TimePoint now) const;
  Result<Observation> list_all(TimePoint began);
  std::optional<Error> read_all(const std::vector<JobId>& jobs);
  void take_news();

  Looks looks_;
  std::function<TimePoint()> now_;
  ObserverOptions options_;
  JobMemory memory_{};
  std::optional<TimePoint> listed_at_{};  ///< the last list of all
  JobId newest_{};                        ///< in the last list of states
  TimePoint sweep_due_{};
  TimePoint demand_due_{};
  TimePoint ask_states_again_{};

  std::mutex news_mutex_{};  ///< of what is not yet passed on to the memory
  std::vector<JobRecord> submitted_{};
  std::vector<JobId> changed_{};
};

}  // namespace sconverge
