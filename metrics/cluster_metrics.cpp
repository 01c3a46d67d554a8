#include "metrics/cluster_metrics.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <map>
#include <utility>

#include "controller/core/agreement.h"

namespace sconverge {
namespace {

constexpr std::array kOperations{Operation::Submit, Operation::Cancel, Operation::Update,
                                 Operation::Hold, Operation::Release};
constexpr std::array kResults{OperationResult::Success, OperationResult::Rejected,
                              OperationResult::Error, OperationResult::Uncertain};
constexpr std::array kTickErrors{"api_unavailable", "api_timeout", "api_auth",
                                 "api_rejected",    "state_store", "internal"};
constexpr std::array kOutcomes{
    "succeeded", "failed",    "timeout",  "out_of_memory",   "node_fail",
    "preempted", "boot_fail", "deadline", "cancelled_by_us", "cancelled_by_others",
    "lost",      "rejected",  "abandoned"};

std::string_view tick_error(const TickReport& report) {
  if (report.failed_step == "store") return "state_store";
  if (report.failed_step != "observe") return "internal";
  switch (report.failed->kind) {
    case ErrorKind::Unavailable:
      return "api_unavailable";
    case ErrorKind::Unknown:
      return "api_timeout";
    case ErrorKind::Denied:
      return "api_auth";
    case ErrorKind::Rejected:
      return "api_rejected";
  }
  std::abort();
}

/// How a job failed, from Slurm's words, e.g. "OUT_OF_MEMORY".
std::string_view failure(const std::string& state) {
  const JobState read = job_state_from({state.substr(0, state.find('+'))});
  switch (read.base) {
    case BaseState::Timeout:
    case BaseState::OutOfMemory:
    case BaseState::NodeFail:
    case BaseState::Preempted:
    case BaseState::BootFail:
    case BaseState::Deadline:
      return to_text(read.base);
    case BaseState::Pending:
    case BaseState::Running:
    case BaseState::Suspended:
    case BaseState::Completed:
    case BaseState::Cancelled:
    case BaseState::Failed:
    case BaseState::Other:
      return "failed";
  }
  std::abort();
}

std::string_view outcome_label(const Termination& termination) {
  switch (termination.outcome.kind) {
    case OutcomeKind::Succeeded:
      return "succeeded";
    case OutcomeKind::Failed:
      return failure(termination.outcome.state);
    case OutcomeKind::Cancelled:
      return termination.cancel ? "cancelled_by_us" : "cancelled_by_others";
    case OutcomeKind::Rejected:
      return "rejected";
    case OutcomeKind::Abandoned:
      return "abandoned";
    case OutcomeKind::Lost:
      return "lost";
  }
  std::abort();
}

std::string code_label(const std::string& code) {
  const bool http = code.size() == 3 && std::all_of(code.begin(), code.end(), [](unsigned char c) {
                      return std::isdigit(c) != 0;
                    });
  return http || code == "transport_error" ? code : "other";
}

std::string text(std::string_view view) { return std::string(view); }

}  // namespace

double unix_seconds(TimePoint time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

ClusterMetrics::ClusterMetrics(const std::string& cluster)
    : series_(MetricLabels{{"cluster", cluster}}) {
  create_known_series();
}

void ClusterMetrics::set_activity(std::optional<ClusterActivity> activity) {
  constexpr auto kWorkers = "sconverge_active_workers";
  constexpr auto kInFlight = "sconverge_slurm_requests_in_flight";
  if (activity) {
    series_.set(kWorkers, {}, activity->ticking ? 1 : 0);
    series_.set(kInFlight, {}, activity->requests_in_flight);
  } else {
    series_.forget(kWorkers);
    series_.forget(kInFlight);
  }
}

void ClusterMetrics::create_known_series() {
  for (const auto operation : kOperations) {
    for (const auto result : kResults) {
      series_.create("sconverge_job_operations_total",
                     {{"operation", text(to_text(operation))}, {"result", text(to_text(result))}});
    }
  }
  for (const char* reason : kTickErrors) {
    series_.create("sconverge_reconcile_errors_total", {{"reason", reason}});
  }
  for (const char* outcome : kOutcomes) {
    series_.create("sconverge_job_terminations_total", {{"outcome", outcome}});
  }
  for (const char* result : {"success", "error"}) {
    series_.create("sconverge_reconciles_total", {{"result", result}});
    series_.create("sconverge_state_store_writes_total", {{"result", result}});
  }
  for (const auto failure : kAllTransportFailures) {
    series_.create("sconverge_slurm_transport_errors_total", {{"reason", text(to_text(failure))}});
  }
  for (const auto failure : kAllApiFailures) {
    series_.create("sconverge_slurm_api_errors_total", {{"reason", text(to_text(failure))}});
  }
  for (const char* name : {"sconverge_adoptions_total", "sconverge_convergence_seconds",
                           "sconverge_duplicates_total", "sconverge_job_queue_wait_seconds",
                           "sconverge_job_run_seconds", "sconverge_reconcile_duration_seconds",
                           "sconverge_slurm_request_retries_total", "sconverge_slurm_up"}) {
    series_.create(name, {});
  }
  record_specs({});
  record_jobs({});
  record_guards({});
}

void ClusterMetrics::record(const TickReport& report) {
  record_tick(report);
  record_requests(report.requests);
  for (const ActionReport& action : report.actions) {
    series_.add("sconverge_job_operations_total", {{"operation", text(to_text(action.operation))},
                                                   {"result", text(to_text(action.result))}});
  }
  for (const Termination& termination : report.terminations) {
    series_.add("sconverge_job_terminations_total",
                {{"outcome", text(outcome_label(termination))}});
  }
  record_job_times(report);
  record_store(report);
  series_.add("sconverge_adoptions_total", {}, report.adoptions);
  series_.add("sconverge_duplicates_total", {}, report.duplicates);

  if (!report.failed || !report.statuses.empty()) record_specs(report.statuses);
  if (!report.failed) {
    record_jobs(report.our_jobs);
    record_guards(report.guards);
  }
}

void ClusterMetrics::record_job_times(const TickReport& report) {
  const auto observe = [&](const char* name, const std::vector<double>& times) {
    for (const double time : times) series_.observe(name, {}, std::max(0.0, time));
  };
  observe("sconverge_convergence_seconds", report.convergence_seconds);
  observe("sconverge_job_queue_wait_seconds", report.queue_wait_seconds);
  observe("sconverge_job_run_seconds", report.run_seconds);
}

void ClusterMetrics::record_store(const TickReport& report) {
  constexpr auto kWrites = "sconverge_state_store_writes_total";
  series_.add(kWrites, {{"result", "success"}}, report.store_writes.done);
  series_.add(kWrites, {{"result", "error"}}, report.store_writes.failed);
  if (report.store_bytes) {
    series_.set("sconverge_state_store_size_bytes", {}, static_cast<double>(*report.store_bytes));
  }
}

void ClusterMetrics::record_tick(const TickReport& report) {
  const std::chrono::duration<double> took = report.ended - report.began;
  series_.observe("sconverge_reconcile_duration_seconds", {}, std::max(0.0, took.count()));
  series_.add("sconverge_reconciles_total", {{"result", report.failed ? "error" : "success"}});
  series_.set("sconverge_reconcile_last_completion_timestamp_seconds", {},
              unix_seconds(report.ended));
  if (report.failed) {
    series_.add("sconverge_reconcile_errors_total", {{"reason", text(tick_error(report))}});
  }
  const bool observed = !report.failed || report.failed_step == "store";
  series_.set("sconverge_slurm_up", {}, observed ? 1 : 0);
  if (observed) {
    series_.set("sconverge_slurm_last_success_timestamp_seconds", {}, unix_seconds(report.ended));
  }
}

void ClusterMetrics::record_requests(const std::vector<SlurmRequest>& requests) {
  for (const SlurmRequest& request : requests) {
    if (!request.code.empty()) record_sent(request);
    series_.add("sconverge_slurm_request_retries_total", {}, std::max(0, request.repeats));
    if (request.transport_failure) {
      series_.add("sconverge_slurm_transport_errors_total",
                  {{"reason", text(to_text(*request.transport_failure))}});
    }
    if (request.api_failure) {
      series_.add("sconverge_slurm_api_errors_total",
                  {{"reason", text(to_text(*request.api_failure))}});
    }
  }
}

void ClusterMetrics::record_sent(const SlurmRequest& request) {
  const std::string endpoint = endpoints_.of(request.endpoint);
  series_.add("sconverge_slurm_requests_total",
              {{"endpoint", endpoint}, {"code", codes_.of(code_label(request.code))}});
  series_.observe("sconverge_slurm_request_duration_seconds", {{"endpoint", endpoint}},
                  request.seconds);
}

void ClusterMetrics::record_specs(const std::vector<SpecStatus>& statuses) {
  std::array<int, kPhaseCount> count{};
  std::map<Disagreement, int> differing;
  for (const auto disagreement : kAllDisagreements) differing.emplace(disagreement, 0);
  for (const SpecStatus& status : statuses) {
    ++count.at(static_cast<std::size_t>(status.verdict.phase));
    if (const auto disagreement = disagreement_of(status)) ++differing[*disagreement];
  }
  for (const auto& [disagreement, specs] : differing) {
    series_.set("sconverge_specs_out_of_sync", {{"reason", text(to_text(disagreement))}}, specs);
  }
  for (std::size_t phase = 0; phase < count.size(); ++phase) {
    series_.set("sconverge_specs", {{"phase", text(to_text(static_cast<Phase>(phase)))}},
                count.at(phase));
  }
}

void ClusterMetrics::record_jobs(const std::map<std::string, int>& jobs) {
  constexpr auto kStates = static_cast<std::size_t>(BaseState::Other) + 1;
  std::map<std::string, int> count;
  for (std::size_t state = 0; state < kStates; ++state) {
    count.emplace(to_text(static_cast<BaseState>(state)), 0);
  }
  for (const auto& [state, number] : jobs) {
    const auto known = count.find(state);
    (known == count.end() ? count["other"] : known->second) += number;
  }
  for (const auto& [state, number] : count) {
    series_.set("sconverge_jobs", {{"state", state}}, number);
  }
}

void ClusterMetrics::record_guards(const std::vector<GuardHit>& guards) {
  std::map<Guard, std::size_t> held_back;
  for (const Guard guard : kAllGuards) held_back.emplace(guard, 0);
  for (const GuardHit& hit : guards) held_back[hit.guard] += hit.specs.size();
  for (const auto& [guard, specs] : held_back) {
    series_.set("sconverge_prune_blocked", {{"guard", text(to_text(guard))}},
                static_cast<double>(specs));
  }
}

void ClusterMetrics::set_slurm_info(const std::string& slurm_version,
                                    const std::string& api_version) {
  series_.forget("sconverge_slurm_info");
  series_.set("sconverge_slurm_info",
              {{"slurm_version", slurm_version}, {"api_version", api_version}}, 1);
}

void ClusterMetrics::set_token_expiry(std::optional<TimePoint> expiry) {
  constexpr auto kName = "sconverge_slurm_token_expiry_timestamp_seconds";
  if (expiry) {
    series_.set(kName, {}, unix_seconds(*expiry));
  } else {
    series_.forget(kName);
  }
}

}  // namespace sconverge
