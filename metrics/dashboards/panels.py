"""What the dashboards show. `generate` makes the JSON of it.

In expressions `{S` begins a selector of the chosen controllers, `{C` one of their chosen clusters, and [R] stands for
the interval that fits the resolution of the graph.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Panel:
    kind: str  # stat, timeseries, heatmap or table
    title: str
    unit: str
    description: str
    queries: dict[str, str]  # by legend
    width: int = 8  # of 24
    stacked: bool = False
    words: dict[float, tuple[str, str]] = field(default_factory=dict)  # what a value is called, and its colour
    steps: dict[float, str] = field(default_factory=dict)  # from which value on it has which colour
    colours: dict[str, str] = field(default_factory=dict)  # of lines, by legend; the others get any
    empty: str = ""  # shown when there is nothing to show
    columns: dict[str, str] = field(default_factory=dict)  # of a table, in order: the label, and its heading


def stat(title, unit, description, expr, **more):
    return Panel("stat", title, unit, description, {"": expr}, width=more.pop("width", 4), **more)


def graph(title, unit, description, queries, **more):
    return Panel("timeseries", title, unit, description, queries, **more)


def heatmap(title, description, histogram):
    return Panel("heatmap", title, "s", description, {"{{le}}": f"sum by (le) (increase({histogram}_bucket{{C}}[R]))"})


def table(title, unit, description, expr, columns, **more):
    return Panel("table", title, unit, description, {"": expr}, columns=columns, **more)


def quantiles(histogram, labels=("cluster",), selector="{C}", of=(0.5, 0.95, 0.99)):
    names = " ".join(f"{{{{{label}}}}}" for label in labels)
    return {
        f"{names} p{round(q * 100)}".strip():
            f"histogram_quantile({q}, sum by ({', '.join((*labels, 'le'))}) (rate({histogram}_bucket{selector}[R])))"
        for q in of
    }


UP_OR_DOWN = {0: ("Down", "red"), 1: ("Up", "green")}
YES_OR_NO = {0: ("No", "red"), 1: ("Yes", "green")}
NONE_IS_GOOD = {0: "green", 1: "red"}

PHASES = {"Succeeded": "green", "Running": "blue", "Completing": "light-blue", "Pending": "yellow", "Submitting": "light-yellow",
          "Waiting": "light-orange", "Retrying": "orange", "Suspended": "purple", "Cancelled": "text", "Failed": "red", "Lost": "dark-red",
          "Blocked": "dark-orange", "Invalid": "light-red"}
STATES = {"completed": "green", "running": "blue", "pending": "yellow", "suspended": "purple", "cancelled": "text", "failed": "red",
          "timeout": "orange", "out_of_memory": "dark-orange", "node_fail": "dark-red"}
OUTCOMES = STATES | {"succeeded": "green", "cancelled_by_us": "light-blue", "cancelled_by_others": "text", "lost": "dark-red", "rejected": "light-red"}
DISAGREEMENTS = {"missing": "red", "drifted": "yellow", "orphaned": "purple", "unknown": "text"}
LEVELS = {"debug": "text", "info": "blue", "warning": "yellow", "error": "red", "critical": "dark-red"}
FILES = {"valid": "green", "invalid": "red", "ignored": "text"}

FAILED = 'outcome=~"failed|timeout|out_of_memory|node_fail|boot_fail|deadline|lost|rejected"'

OVERVIEW = {
    "Now": [
        stat("Controller", "short", "Whether every chosen controller answers its scrapes.",
             "min(up{S})", words=UP_OR_DOWN),
        stat("Slurm", "short", "Whether the last tick of every chosen cluster could observe it.",
             "min(sconverge_slurm_up{C})", words=UP_OR_DOWN),
        stat("Age of the source", "s", "Time since all of the watched directory was last read.",
             "time() - min(sconverge_source_last_success_timestamp_seconds{S})", steps={0: "green", 600: "red"}),
        stat("Token ends in", "s", "Time until the first token for a chosen cluster ends; tokens that are renewed by themselves do not count.",
             "min(sconverge_slurm_token_expiry_timestamp_seconds{C}) - time()",
             steps={-1e12: "red", 3600: "green"}, empty="no end known"),
        stat("Held back by guards", "short", "Removed specs whose jobs a guard keeps from being cancelled.",
             "sum(sconverge_prune_blocked{C})", steps=NONE_IS_GOOD),
        stat("Files with problems", "short", "Spec files with problems; what they declared before stays in force.",
             'sum(sconverge_source_files{S, state="invalid"})', steps=NONE_IS_GOOD),
    ],
    "Alerts": [
        table("Firing alerts", "short", "Alerts of sconverge that fire, as Prometheus evaluates them. An absent controller has no instance.",
              'count by (alertname, severity, instance, cluster) (ALERTS{alertname=~"Sconverge.+", alertstate="firing", job=~"$job"})',
              {"alertname": "Alert", "severity": "Severity", "instance": "Instance", "cluster": "Cluster", "Value": "Alerts"}, empty="No alert fires.", width=24),
    ],
    "Specs": [
        graph("Specs by phase", "short", "How many specs stand in each phase.",
              {"{{phase}}": "sum by (phase) (sconverge_specs{C})"}, width=12, stacked=True, colours=PHASES),
        graph("Out of sync", "short", "Specs that Slurm does not have as declared, by how it differs.",
              {"{{reason}}": "sum by (reason) (sconverge_specs_out_of_sync{C})"}, width=12, stacked=True, colours=DISAGREEMENTS),
        table("Specs that are not ready", "short", "Specs that need somebody's attention, or are being worked on.",
              "sconverge_spec_ready{C} == 0", {"cluster": "Cluster", "spec_namespace": "Namespace", "spec": "Spec"}, empty="All specs are ready.", width=12),
        table("Longest without success", "s", "Time since a job of the spec last ended in success.",
              "topk(20, time() - sconverge_spec_last_success_timestamp_seconds{C})",
              {"cluster": "Cluster", "spec_namespace": "Namespace", "spec": "Spec", "Value": "Since"}, empty="No job has succeeded yet.", width=12),
    ],
    "Convergence": [
        graph("Time to converge", "s", "Time from the acceptance of a change to Slurm agreeing with it.",
              quantiles("sconverge_convergence_seconds"), width=12),
        heatmap("Times to converge", "How many changes took how long to reach Slurm.", "sconverge_convergence_seconds"),
        stat("Age of the revision", "s", "Time since the content of the directory that is in force was first seen.",
             "time() - max(sconverge_source_revision_timestamp_seconds{S})"),
    ],
}

CONTROLLER = {
    "Ticks": [
        graph("Ticks by result", "ops", "Ticks a second, by whether they went through.",
              {"{{cluster}} {{result}}": "sum by (cluster, result) (rate(sconverge_reconciles_total{C}[R]))"}),
        graph("Ticks that failed", "percentunit", "Share of the ticks that ended early.",
              {"{{cluster}}": 'sum by (cluster) (rate(sconverge_reconciles_total{C, result="error"}[R])) '
                              "/ sum by (cluster) (rate(sconverge_reconciles_total{C}[R]))"}),
        graph("What stopped ticks", "ops", "Ticks a second that ended early, by reason.",
              {"{{cluster}} {{reason}}": "sum by (cluster, reason) (rate(sconverge_reconcile_errors_total{C}[R]))"}),
        graph("Duration of a tick", "s", "Time a tick takes, failed ones included.",
              quantiles("sconverge_reconcile_duration_seconds")),
        graph("Since the last tick", "s", "Time since the last tick of a cluster ended.",
              {"{{cluster}}": "time() - max by (cluster) (sconverge_reconcile_last_completion_timestamp_seconds{C})"}),
        graph("Ticks under way", "short", "Clusters that are in the midst of a tick.",
              {"{{cluster}}": "sum by (cluster) (sconverge_active_workers{C})"}),
    ],
    "Watched directory": [
        stat("Whole", "short", "Whether the last scan read all of the directory.",
             "min(sconverge_source_complete{S})", words=YES_OR_NO),
        graph("Files", "short", "Files in the directory; ignored ones are no spec files.",
              {"{{state}}": "sum by (state) (sconverge_source_files{S})"}, width=10, stacked=True, colours=FILES),
        graph("Scans", "ops", "Scans a second, by what called for them and whether they read everything.",
              {"{{trigger}} {{result}}": "sum by (trigger, result) (rate(sconverge_source_scans_total{S}[R]))"}, width=10),
        graph("Duration of a scan", "s", "Time a scan takes.",
              quantiles("sconverge_source_scan_duration_seconds", labels=(), selector="{S}")),
        graph("Events", "ops", "What the kernel told of the directory, a second; after an overflow only the next scan finds the changes.",
              {"{{type}}": "sum by (type) (rate(sconverge_source_watch_events_total{S}[R]))"}),
        graph("New problems", "short", "Problems in spec files, each counted when it appears.",
              {"{{reason}}": "sum by (reason) (increase(sconverge_spec_errors_total{S}[R]))"}),
    ],
    "Memory of the controller": [
        graph("Writes", "ops", "Writes to the state directory a second, by whether they succeeded.",
              {"{{cluster}} {{result}}": "sum by (cluster, result) (rate(sconverge_state_store_writes_total{C}[R]))"}, width=12),
        graph("Size", "bytes", "Size of the memory on disk.",
              {"{{instance}}": "max by (instance) (sconverge_state_store_size_bytes{C})"}, width=12),
    ],
    "Process": [
        stat("Configuration in force", "short", "Whether the configuration on disk, as last read, is in force.",
             "min(sconverge_config_last_reload_successful{S})", words=YES_OR_NO),
        stat("Age of the configuration", "s", "Time since the configuration in force was taken.",
             "time() - max(sconverge_config_last_reload_success_timestamp_seconds{S})"),
        stat("Running for", "s", "Time since the youngest process was started.",
             "time() - max(process_start_time_seconds{S})"),
        graph("Reloads", "short", "Times the configuration was read again.",
              {"{{result}}": "sum by (result) (increase(sconverge_config_reloads_total{S}[R]))"}, width=12),
        graph("Processor", "percentunit", "Processors in use; 1 is one whole processor.",
              {"{{instance}}": "rate(process_cpu_seconds_total{S}[R])"}),
        graph("Memory", "bytes", "Resident memory.", {"{{instance}}": "process_resident_memory_bytes{S}"}),
        graph("File descriptors", "percentunit", "Open file descriptors, as a share of those allowed.",
              {"{{instance}}": "process_open_fds{S} / process_max_fds{S}"}),
        graph("Threads", "short", "Threads of the process.", {"{{instance}}": "process_threads{S}"}),
        graph("Log", "ops", "Lines logged a second, by level.",
              {"{{level}}": "sum by (level) (rate(sconverge_log_messages_total{S}[R]))"}, colours=LEVELS),
        graph("HTTP", "reqps", "Requests answered a second, by route and status.",
              {"{{handler}} {{code}}": "sum by (handler, code) (rate(sconverge_http_requests_total{S}[R]))"}),
        graph("Gathering metrics", "s", "Time it takes to gather a part of these metrics.",
              {"{{collector}}": "max by (collector) (sconverge_collector_duration_seconds{S})"}),
        stat("Metrics are whole", "short", "Whether every part of these metrics could be gathered.",
             "min(sconverge_collector_success{S})", words=YES_OR_NO),
        stat("Specs without metrics", "short", "Series of single specs that were left out because there are too many, within the time shown.",
             "sum(increase(sconverge_metric_series_dropped_total{S}[$__range]))", steps=NONE_IS_GOOD),
        table("Build", "short", "What runs.", "sconverge_build_info{S}",
              {"instance": "Instance", "version": "Version", "revision": "Revision", "compiler": "Compiler"}, width=8),
    ],
    "Gateway": [
        graph("Calls", "reqps", "Calls to the gateway a second, by what they ask of Slurm and the status given.",
              {"{{method}} {{route}} {{code}}":
               "sum by (method, route, code) (rate(sconverge_gateway_requests_total{S}[R]))"}),
        graph("Duration of a call", "s", "Time the gateway takes for a call, Slurm's included.",
              quantiles("sconverge_gateway_request_duration_seconds", labels=(), selector="{S}")),
        graph("Without an answer of Slurm", "ops", "Calls a second that slurmrestd gave no usable answer to.",
              {"{{kind}}": "sum by (kind) (rate(sconverge_gateway_upstream_errors_total{S}[R]))"}),
        graph("Calls in flight", "short", "Calls that the gateway is answering.",
              {"{{instance}}": "sconverge_gateway_in_flight{S}"}, width=6),
        graph("Refused tokens files", "short", "Readings of the tokens file that failed; the last good tokens stay in force.",
              {"{{instance}}": "increase(sconverge_gateway_tokens_reload_failures_total{S}[R])"}, width=6),
        stat("Bearer tokens", "short", "Bearer tokens in force.", "sum(sconverge_gateway_tokens{S})", empty="no gateway"),
        stat("Tokens file in force", "short", "Whether the tokens file, as it is now, is in force.",
             "min(sconverge_gateway_tokens_valid{S})", words=YES_OR_NO, empty="no gateway"),
        stat("Age of the tokens", "s", "Time since the tokens in force were read.",
             "time() - max(sconverge_gateway_tokens_reload_timestamp_seconds{S})", empty="no gateway"),
    ],
}

JOBS = {
    "Slurm": [
        graph("Requests", "reqps", "Requests to Slurm a second, by route and status.",
              {"{{endpoint}} {{code}}": "sum by (endpoint, code) (rate(sconverge_slurm_requests_total{C}[R]))"}),
        graph("Requests that failed", "percentunit", "Share of the requests without an answer or with a server error.",
              {"{{cluster}}": 'sum by (cluster) (rate(sconverge_slurm_requests_total{C, code=~"5..|transport_error"}[R])) '
                              "/ sum by (cluster) (rate(sconverge_slurm_requests_total{C}[R]))"}),
        graph("Duration of a request", "s", "Time requests to Slurm take, by route.",
              quantiles("sconverge_slurm_request_duration_seconds", labels=("endpoint",), of=(0.5, 0.99))),
        graph("No answer", "ops", "Requests a second that brought no answer of Slurm's, by what stopped them.",
              {"{{cluster}} {{reason}}": "sum by (cluster, reason) (rate(sconverge_slurm_transport_errors_total{C}[R]))"}),
        graph("Complaints", "ops", "Answers of Slurm a second that complain, by what their error number means.",
              {"{{cluster}} {{reason}}": "sum by (cluster, reason) (rate(sconverge_slurm_api_errors_total{C}[R]))"}),
        graph("In flight", "short", "Requests that wait for Slurm's answer.",
              {"{{cluster}}": "sum by (cluster) (sconverge_slurm_requests_in_flight{C})"}),
        graph("Sent again", "ops", "Requests a second that were sent once more.",
              {"{{cluster}}": "sum by (cluster) (rate(sconverge_slurm_request_retries_total{C}[R]))"}),
        graph("Since Slurm was observed", "s", "Time since a cluster was last observed.",
              {"{{cluster}}": "time() - max by (cluster) (sconverge_slurm_last_success_timestamp_seconds{C})"}),
        table("Versions", "short", "What the clusters run.", "sconverge_slurm_info{C}",
              {"cluster": "Cluster", "slurm_version": "Slurm", "api_version": "API"}, empty="No cluster has answered yet."),
    ],
    "Jobs": [
        graph("Jobs by state", "short", "The controller's jobs that Slurm holds, by Slurm's state.",
              {"{{state}}": "sum by (state) (sconverge_jobs{C})"}, width=12, stacked=True, colours=STATES),
        graph("Operations", "short", "What was asked of Slurm about single jobs, and how it answered.",
              {"{{operation}} {{result}}": "sum by (operation, result) (increase(sconverge_job_operations_total{C}[R]))"}, width=12),
        graph("Ends", "short", "Jobs that ended, by how.",
              {"{{outcome}}": "sum by (outcome) (increase(sconverge_job_terminations_total{C}[R]))"}, width=12, stacked=True, colours=OUTCOMES),
        graph("Jobs that failed", "percentunit", "Share of the jobs that ended within the last hour and failed. Cancelled and preempted jobs are no failures.",
              {"{{cluster}}": f"sum by (cluster) (increase(sconverge_job_terminations_total{{C, {FAILED}}}[1h])) "
                              "/ sum by (cluster) (increase(sconverge_job_terminations_total{C}[1h]))"}, width=12),
        heatmap("Time in the queue", "How many jobs waited how long in Slurm's queue.", "sconverge_job_queue_wait_seconds"),
        heatmap("Time running", "How many jobs ran how long.", "sconverge_job_run_seconds"),
        graph("Held back by guards", "short", "Removed specs whose jobs a guard keeps from being cancelled.",
              {"{{cluster}} {{guard}}": "sum by (cluster, guard) (sconverge_prune_blocked{C})"}),
        graph("Adopted jobs", "short", "Jobs of the controller found in Slurm that it did not know of.",
              {"{{cluster}}": "sum by (cluster) (increase(sconverge_adoptions_total{C}[R]))"}, width=12),
        graph("Second jobs of one run", "short", "Second live jobs of one run, which are cancelled; anything but 0 is a bug, or somebody's copy of a job.",
              {"{{cluster}}": "sum by (cluster) (increase(sconverge_duplicates_total{C}[R]))"}, width=12),
    ],
}

DASHBOARDS = {
    "overview": ("sconverge / Overview", "Are the jobs as declared, and is anybody needed?", OVERVIEW),
    "controller": ("sconverge / Controller", "How the controller itself is: ticks, directory, memory, process, gateway.", CONTROLLER),
    "jobs": ("sconverge / Slurm and jobs", "What Slurm answers, and what becomes of the jobs.", JOBS),
}
