#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "controller/core/guard.h"
#include "controller/core/history.h"
#include "controller/core/plan.h"
#include "controller/core/slurm_failure.h"
#include "controller/core/status.h"
#include "controller/core/time.h"
#include "specs/problem.h"

namespace sconverge {

enum class Operation { Submit, Cancel, Update, Hold, Release };
enum class OperationResult { Success, Rejected, Error, Uncertain };
std::string_view to_text(Operation operation);     ///< "submit", ...
std::string_view to_text(OperationResult result);  ///< "success", ...

/// What became of one action.
struct ActionReport {
  Operation operation{Operation::Submit};
  OperationResult result{OperationResult::Success};
  SpecName spec{};
  std::optional<JobId> job{};
  std::string message{};  ///< error text, or what changed
  std::optional<CancelCause> cause{};
};

/// A change of phase or reason.
struct Transition {
  SpecStatus now{};
  std::optional<Verdict> before{};
};

/// One request to Slurm.
struct SlurmRequest {
  std::string endpoint;  ///< route template, e.g. "GET /slurm/job/{job_id}"; a small closed set
  std::string code;      ///< HTTP status, or "transport_error"; empty: it was not even sent
  double seconds{0};
  std::optional<TransportFailure> transport_failure{};  ///< why no answer of Slurm's came
  std::optional<ApiFailure> api_failure{};              ///< what Slurm's answer complains of
  int repeats{0};  ///< sends after the first, and that first one if it repeats another request
};

/// Why the watched directory was looked at.
enum class ScanTrigger {
  Startup,
  Event,   ///< the file system told of a change
  Poll,    ///< it told of none
  Signal,  ///< SIGHUP
};
std::string_view to_text(ScanTrigger trigger);  ///< "startup", ...

/// What the file system tells of.
enum class WatchEvent {
  Create,
  Modify,
  Delete,
  Move,
  Overflow,  ///< it lost events
};
std::string_view to_text(WatchEvent event);  ///< "create", ...

/// One look at the watched directory.
struct SourceScan {
  ScanTrigger trigger{ScanTrigger::Poll};
  double seconds{0};
  std::map<WatchEvent, int> events{};  ///< told since the scan before
};

/// Writes to the controller's memory.
struct StoreWrites {
  int done{0};
  int failed{0};
};

/// All that happened in one tick, as one value. Metrics, log and status are renderings of it and so
/// cannot disagree.
struct TickReport {
  std::string cluster{};
  TimePoint began{};
  TimePoint ended{};

  std::string revision{};
  bool source_complete{false};
  std::string source_reason{};
  int valid_files{0};
  int invalid_files{0};
  int ignored_files{0};
  SourceScan scan{};
  std::vector<Problem> problems{};

  std::optional<Error> failed{};          ///< what ended the tick early (observation or store)
  std::string failed_step{};              ///< "observe", "store"; empty if it went through
  std::size_t jobs_seen{0};               ///< all of Slurm's jobs
  std::map<std::string, int> our_jobs{};  ///< by lower-case base state

  std::vector<ActionReport> actions{};
  std::vector<Transition> transitions{};
  std::vector<Termination> terminations{};
  std::vector<SpecStatus> statuses{};
  std::vector<GuardHit> guards{};
  std::vector<double>
      convergence_seconds{};                 ///< of specs that agreed with Slurm for the first time
  std::vector<double> queue_wait_seconds{};  ///< of jobs seen for the first time to have begun
  std::vector<double> run_seconds{};         ///< of jobs whose end was learnt
  int adoptions{0};
  int duplicates{0};  ///< second jobs of one run, seen in this tick for the first time
  std::vector<SlurmRequest> requests{};

  StoreWrites store_writes{};
  std::optional<std::uint64_t> store_bytes{};  ///< on disk; unknown: none
};

}  // namespace sconverge
