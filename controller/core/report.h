#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "controller/core/guard.h"
#include "controller/core/history.h"
#include "controller/core/plan.h"
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
  std::string code;      ///< HTTP status, or "transport_error"
  double seconds{0};
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
      convergence_seconds{};  ///< of specs that agreed with Slurm for the first time
  int adoptions{0};
  int duplicates{0};  ///< second jobs of one run, seen in this tick for the first time
  std::vector<SlurmRequest> requests{};
};

}  // namespace sconverge
