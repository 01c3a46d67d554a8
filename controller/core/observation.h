#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "controller/core/slurm_job.h"

namespace sconverge {

/// What `GET /job/{id}` says about one job.
enum class JobLookup { NotAsked, Found, NotFound, Unanswered };

/// What accounting says about one attempt.
enum class AccountingLookup {
  NotAsked,
  Found,
  NotFound,    ///< accounting answered: it has no such job
  Unanswered,  ///< down, or this cluster keeps none: nobody knows
};

/// The answers to one Question (questions.h), by the token of the attempt it is about.
struct Answer {
  JobLookup live{JobLookup::NotAsked};
  std::optional<SlurmJob> live_job{};  ///< set when Found
  AccountingLookup accounting{AccountingLookup::NotAsked};
  std::optional<SlurmJob> accounted_job{};  ///< set when Found
};

/// What an observation must be able to tell, so that an implementation may do less than list
/// everything.
struct ObserveScope {
  std::vector<JobId> known{};  ///< open attempts' jobs
  bool new_jobs{false};        ///< a submit without an answer may come to light: new ids matter
  bool sweep{false};  ///< whether a job is nowhere matters: everything is to be looked at, if that
                      ///< costs Slurm not too much
};

/// What one look at a cluster showed. There are no partial views: an observation that could not be
/// completed is an Error, not an Observation.
struct Observation {
  TimePoint began{};  ///< before the first request was sent
  TimePoint ended{};
  /// `jobs` holds every live or recently ended job that carries a mark. Else it may lack some that
  /// were never seen before, but none that were, nor any of the scope's `known` ones (and, if the
  /// scope asks for new jobs, none that came since the look before): what is not in it and was is
  /// gone, and what was never seen may be there.
  bool whole{true};
  std::vector<SlurmJob> jobs{};
  std::size_t all_jobs{0};                  ///< how many jobs Slurm holds in all
  std::map<std::string, Answer> answers{};  ///< by token
};

}  // namespace sconverge
