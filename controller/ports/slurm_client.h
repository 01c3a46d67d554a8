#pragma once

#include <string>
#include <vector>

#include "controller/core/observation.h"
#include "controller/core/questions.h"
#include "controller/core/report.h"
#include "controller/core/result.h"
#include "controller/core/submission.h"

namespace sconverge {

struct Submitted {
  JobId job;
  std::vector<std::string>
      warnings{};  ///< harmless ones; a dropped field is an Error, not a warning
};

/// A cluster as it answers now; for `check`, metrics and logs.
struct ClusterInfo {
  std::string api_version{};    ///< e.g. "v0.0.42"
  std::string slurm_version{};  ///< e.g. "24.11.5"
  std::string cluster_name{};
  std::string endpoint{};                   ///< the URL asked
  std::string user{};                       ///< empty: not known
  std::string credentials{};                ///< whose they are and where they come from
  std::optional<TimePoint> token_expiry{};  ///< of a token that does not renew itself
  std::optional<TimePoint> server_time{};
  bool accounting{false};  ///< slurmdbd answered
  std::string accounting_error{};
};

/// One cluster's Slurm, in our words. All calls block, each bounded by the configured timeout; one
/// thread calls at a time except where said. No exception leaves it.
class SlurmClient {
 public:
  virtual ~SlurmClient() = default;

  /// What there is of marked jobs, at least what `scope` asks for, or an Error: there is no partial
  /// view (see Observation::whole). "No change" and "cannot say" are never "no jobs". The first one
  /// is whole.
  virtual Result<Observation> observe(const ObserveScope& scope) = 0;

  /// One job alone; nullopt only if Slurm itself says that it has no such job (errno 2017). May be
  /// called from several threads at once.
  virtual Result<std::optional<SlurmJob>> read(JobId job) = 0;

  /// The accounting record that answers `question`: the one whose mark carries the token, else
  /// (Slurm keeps comments only with AccountingStoreFlags=job_comment) the one with the same id,
  /// name, user and a submit time not before `submitted_after`. nullopt only if accounting answered
  /// and has no record that could be it: without an id, one that fits but for a comment, and that
  /// slurmctld knows nothing of, is an Error.
  virtual Result<std::optional<SlurmJob>> account(const Question& question) = 0;

  /// Not idempotent: after ErrorKind::Unknown the job may exist, and only observe() can tell. Sent
  /// at most once, on a connection of its own. A job id in any answer is success. May be called
  /// from several threads at once.
  virtual Result<Submitted> submit(const Submission& submission) = 0;

  /// Changes fields of a pending job. Rejected if Slurm does not allow it (it has started, ...). Of
  /// `array` only the throttle is changed. Of an array with several records Slurm 24.11 changes
  /// (and holds) only the one with the array's id.
  virtual Result<Done> update(JobId job, const JobFields& fields) = 0;

  /// Holds or releases a pending job.
  virtual Result<Done> set_hold(JobId job, bool hold) = 0;

  /// Asks Slurm to end a job, of an array all tasks; asynchronous, so success is not the end. A job
  /// that is gone or done is a success. May be called from several threads at once.
  virtual Result<Done> cancel(JobId job) = 0;

  /// Reaches Slurm with real credentials: a ping alone proves no token (Slurm 24.11).
  virtual Result<ClusterInfo> check() = 0;

  /// The requests made since the last call.
  virtual std::vector<SlurmRequest> take_requests() = 0;
};

}  // namespace sconverge
