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

/// What one look at a cluster showed. There are no partial views: an observation that could not be
/// completed is an Error, not an Observation.
struct Observation {
  TimePoint began{};  ///< before the first request was sent
  TimePoint ended{};
  std::vector<SlurmJob> jobs{};  ///< every live or recently ended job that carries a mark
  std::size_t all_jobs{0};       ///< how many jobs Slurm holds in all
  std::map<std::string, Answer> answers{};  ///< by token
};

}  // namespace sconverge
