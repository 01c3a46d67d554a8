#include "metrics/catalogue.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace sconverge {
namespace {

using enum MetricType;

constexpr std::array kTickBuckets{0.005, 0.01, 0.025, 0.05, 0.1,  0.25,  0.5,  1.0,
                                  2.5,   5.0,  10.0,  30.0, 60.0, 120.0, 300.0};
constexpr std::array kRequestBuckets{0.005, 0.01, 0.025, 0.05, 0.1,  0.25,
                                     0.5,   1.0,  2.5,   5.0,  10.0, 30.0};
/// 1 s to 48 h
constexpr std::array kJobBuckets{1.0,    5.0,    15.0,   30.0,    60.0,    120.0,   300.0,   600.0,
                                 1800.0, 3600.0, 7200.0, 14400.0, 43200.0, 86400.0, 172800.0};
constexpr std::array kConvergenceBuckets{1.0,   2.0,   5.0,   10.0,   20.0,   30.0,  60.0,
                                         120.0, 300.0, 600.0, 1200.0, 1800.0, 3600.0};

constexpr std::array kCatalogue{
    MetricInfo{"process_cpu_seconds_total", Counter, "",
               "User and system CPU time spent by the controller."},
    MetricInfo{"process_max_fds", Gauge, "", "Most file descriptors the controller may open."},
    MetricInfo{"process_open_fds", Gauge, "", "File descriptors the controller has open."},
    MetricInfo{"process_resident_memory_bytes", Gauge, "", "Resident memory of the controller."},
    MetricInfo{"process_start_time_seconds", Gauge, "",
               "When the controller was started, in seconds since 1970."},
    MetricInfo{"process_threads", Gauge, "", "Threads of the controller."},
    MetricInfo{"process_virtual_memory_bytes", Gauge, "", "Virtual memory of the controller."},
    MetricInfo{"process_virtual_memory_max_bytes", Gauge, "",
               "Most virtual memory the controller may have; 1.8e19 if there is no limit."},
    MetricInfo{"sconverge_active_workers", Gauge, "cluster",
               "1 while a tick is under way, else 0."},
    MetricInfo{"sconverge_adoptions_total", Counter, "cluster",
               "Jobs of ours found in Slurm that the controller did not know of."},
    MetricInfo{"sconverge_build_info", Gauge, "version,revision,compiler",
               "Always 1; what this controller was built from."},
    MetricInfo{"sconverge_collector_duration_seconds", Gauge, "collector",
               "Time it last took to gather a part of these metrics."},
    MetricInfo{"sconverge_collector_success", Gauge, "collector",
               "1 if all of a part of these metrics could be gathered the last time, else 0."},
    MetricInfo{"sconverge_config_last_reload_success_timestamp_seconds", Gauge, "",
               "When the configuration in force was taken, in seconds since 1970."},
    MetricInfo{"sconverge_config_last_reload_successful", Gauge, "",
               "1 if the configuration as last read is in force, else 0."},
    MetricInfo{"sconverge_config_reloads_total", Counter, "result",
               "Times the configuration was read again; error: the old one stays in force."},
    MetricInfo{"sconverge_convergence_seconds", Histogram, "cluster",
               "Time from the acceptance of a generation to Slurm agreeing with it.",
               kConvergenceBuckets},
    MetricInfo{"sconverge_duplicates_total", Counter, "cluster",
               "Second live jobs of one run; anything but 0 is a bug."},
    MetricInfo{"sconverge_gateway_in_flight", Gauge, "",
               "Requests that the gateway is answering now."},
    MetricInfo{"sconverge_gateway_request_duration_seconds", Histogram, "method,route",
               "Time the gateway took for a request, Slurm's included.", kRequestBuckets},
    MetricInfo{"sconverge_gateway_requests_total", Counter, "method,route,code,slurm_status",
               "Requests to the gateway, by what they asked of Slurm, the HTTP status given and "
               "Slurm's (none: Slurm's answer was not passed on)."},
    MetricInfo{"sconverge_gateway_tokens", Gauge, "", "Bearer tokens in force."},
    MetricInfo{"sconverge_gateway_tokens_reload_failures_total", Counter, "",
               "Readings of the tokens file that failed; the last good tokens stay in force."},
    MetricInfo{"sconverge_gateway_tokens_reload_timestamp_seconds", Gauge, "",
               "When the tokens in force were read, in seconds since 1970."},
    MetricInfo{"sconverge_gateway_tokens_valid", Gauge, "",
               "1 if the tokens file as it is now is in force, else 0."},
    MetricInfo{"sconverge_gateway_upstream_errors_total", Counter, "kind",
               "Requests of the gateway that slurmrestd gave no usable answer to."},
    MetricInfo{"sconverge_http_requests_total", Counter, "handler,code",
               "HTTP requests answered by the controller, by route (other: no such route)."},
    MetricInfo{"sconverge_job_operations_total", Counter, "cluster,operation,result",
               "What was asked of Slurm about single jobs, and how it answered."},
    MetricInfo{"sconverge_job_queue_wait_seconds", Histogram, "cluster",
               "Time jobs waited in Slurm's queue, counted when they are seen to have begun.",
               kJobBuckets},
    MetricInfo{"sconverge_job_run_seconds", Histogram, "cluster",
               "Time jobs ran, counted when their end is learnt.", kJobBuckets},
    MetricInfo{"sconverge_job_terminations_total", Counter, "cluster,outcome",
               "Ended attempts, each counted once."},
    MetricInfo{"sconverge_jobs", Gauge, "cluster,state",
               "Our jobs that Slurm holds, by base state, as last seen."},
    MetricInfo{"sconverge_log_messages_total", Counter, "level", "Log lines written."},
    MetricInfo{"sconverge_metric_series_dropped_total", Counter, "",
               "Series left out because of metrics.maxSpecs, each counted when that begins."},
    MetricInfo{"sconverge_prune_blocked", Gauge, "cluster,guard",
               "Specs whose jobs a guard keeps from being cancelled."},
    MetricInfo{"sconverge_reconcile_duration_seconds", Histogram, "cluster",
               "Time a tick took, failed ones included.", kTickBuckets},
    MetricInfo{"sconverge_reconcile_errors_total", Counter, "cluster,reason",
               "Ticks that ended early, by what stopped them."},
    MetricInfo{
        "sconverge_reconcile_last_completion_timestamp_seconds", Gauge, "cluster",
        "When the last tick ended, failed or not, in seconds since 1970. Absent until then."},
    MetricInfo{"sconverge_reconciles_total", Counter, "cluster,result", "Ticks."},
    MetricInfo{"sconverge_slurm_api_errors_total", Counter, "cluster,reason",
               "Answers of Slurm that complain, by what its error number means."},
    MetricInfo{"sconverge_slurm_info", Gauge, "cluster,slurm_version,api_version",
               "Always 1; what the cluster runs. Absent until it answered."},
    MetricInfo{"sconverge_slurm_last_success_timestamp_seconds", Gauge, "cluster",
               "When the cluster was last observed, in seconds since 1970. Absent until then."},
    MetricInfo{"sconverge_slurm_request_duration_seconds", Histogram, "cluster,endpoint",
               "Time requests to Slurm took.", kRequestBuckets},
    MetricInfo{"sconverge_slurm_request_retries_total", Counter, "cluster",
               "Requests to Slurm that were sent once more."},
    MetricInfo{"sconverge_slurm_requests_in_flight", Gauge, "cluster",
               "Requests that wait for Slurm's answer now."},
    MetricInfo{"sconverge_slurm_requests_total", Counter, "cluster,endpoint,code",
               "Requests to Slurm, by route template and HTTP status or transport_error."},
    MetricInfo{"sconverge_slurm_token_expiry_timestamp_seconds", Gauge, "cluster",
               "When the token for the cluster expires, in seconds since 1970. Absent if unknown."},
    MetricInfo{"sconverge_slurm_transport_errors_total", Counter, "cluster,reason",
               "Requests that brought no answer of Slurm's, by what stopped them."},
    MetricInfo{"sconverge_slurm_up", Gauge, "cluster",
               "1 if the last tick could observe the cluster, else 0."},
    MetricInfo{"sconverge_source_complete", Gauge, "",
               "1 if the last scans of the watched directory read all of it, else 0."},
    MetricInfo{"sconverge_source_files", Gauge, "state",
               "Files in the watched directory, as last scanned."},
    MetricInfo{"sconverge_source_last_success_timestamp_seconds", Gauge, "",
               "When a scan last read all of the watched directory, in seconds since 1970. Absent "
               "until then."},
    MetricInfo{"sconverge_source_revision_timestamp_seconds", Gauge, "",
               "When the revision in force was first seen, in seconds since 1970. Absent until a "
               "scan was complete."},
    MetricInfo{"sconverge_source_scan_duration_seconds", Histogram, "",
               "Time scans of the watched directory took.", kTickBuckets},
    MetricInfo{"sconverge_source_scans_total", Counter, "trigger,result",
               "Scans of the watched directory; error: not all of it could be read."},
    MetricInfo{
        "sconverge_source_watch_events_total", Counter, "type",
        "Events of the file system that may change what is declared; overflow: it lost some."},
    MetricInfo{"sconverge_spec_errors_total", Counter, "reason",
               "Problems in spec files, each counted when it appears."},
    MetricInfo{"sconverge_spec_last_success_timestamp_seconds", Gauge,
               "cluster,spec_namespace,spec",
               "When a job of the spec last ended in success, in seconds since 1970. Absent until "
               "then."},
    MetricInfo{"sconverge_spec_ready", Gauge, "cluster,spec_namespace,spec",
               "1 if the spec can be left alone (see below), else 0."},
    MetricInfo{"sconverge_specs", Gauge, "cluster,phase", "Specs, by phase."},
    MetricInfo{"sconverge_specs_out_of_sync", Gauge, "cluster,reason",
               "Specs that Slurm does not have as declared, by how it differs."},
    MetricInfo{"sconverge_state_store_size_bytes", Gauge, "cluster",
               "Size of the controller's memory on disk, which all clusters share."},
    MetricInfo{"sconverge_state_store_writes_total", Counter, "cluster,result",
               "Writes to the controller's memory."},
};
static_assert(std::is_sorted(kCatalogue.begin(), kCatalogue.end(),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));

}  // namespace

std::string_view to_text(MetricType type) {
  switch (type) {
    case Counter:
      return "counter";
    case Gauge:
      return "gauge";
    case Histogram:
      return "histogram";
  }
  std::abort();
}

std::span<const MetricInfo> metric_catalogue() { return kCatalogue; }

const MetricInfo& metric_info(std::string_view name) {
  const auto* found =
      std::lower_bound(kCatalogue.begin(), kCatalogue.end(), name,
                       [](const auto& info, auto wanted) { return info.name < wanted; });
  if (found == kCatalogue.end() || found->name != name) std::abort();
  return *found;
}

}  // namespace sconverge
