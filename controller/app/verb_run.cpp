#include <atomic>
#include <thread>

#include "controller/app/connection.h"
#include "controller/app/descriptor_limit.h"
#include "controller/app/log.h"
#include "controller/app/loop.h"
#include "controller/app/render_get.h"
#include "controller/app/report_log.h"
#include "controller/app/runtime.h"
#include "controller/app/signals.h"
#include "controller/app/status_board.h"
#include "controller/app/verbs.h"
#include "controller/app/web.h"

namespace sconverge {
namespace {

constexpr seconds kBetweenChecks{300};

LogFormat format_of(const Config& config, const Console& console) {
  if (config.log_format != LogFormat::Auto) return config.log_format;
  return console.err_is_terminal ? LogFormat::Logfmt : LogFormat::Json;
}

/// What one cluster's thread does beside ticking: tells of each tick.
class Teller {
 public:
  Teller(ClusterRuntime& cluster, Log& log, Metrics& metrics, StatusBoard& board,
         std::string controller_id, const Clock& clock)
      : cluster_(cluster),
        log_(log),
        metrics_(metrics),
        board_(board),
        controller_id_(std::move(controller_id)),
        clock_(clock) {
    metrics_.add_cluster(cluster_.name);
  }

  void take(const TickReport& report) {
    metrics_.record(report);
    board_.take(report, controller_id_);
    for (const auto& line : report_log_.lines(report)) log_.write(line);
    if (!report.failed && clock_.now() >= next_check_) check();
  }

 private:
  /// Versions and the token's end change rarely, and no tick needs them.
  void check() {
    next_check_ = clock_.now() + kBetweenChecks;
    const auto info = cluster_.slurm->check();
    if (!info) return;  // the next tick says so if it matters
    board_.connected(cluster_.name, *info);
    metrics_.set_slurm_info(cluster_.name, info->slurm_version, info->api_version);
    metrics_.set_token_expiry(cluster_.name, info->token_expiry);
    const std::string found = info->slurm_version + " " + info->api_version;
    if (found == found_) return;
    found_ = found;
    log_.write({LogLevel::Info,
                "reconciler",
                "connected to slurm",
                {{"cluster", cluster_.name},
                 {"endpoint", info->endpoint},
                 {"user", info->user},
                 {"slurm_version", info->slurm_version},
                 {"api_version", info->api_version},
                 {"accounting", info->accounting}}});
  }

  ClusterRuntime& cluster_;
  Log& log_;
  Metrics& metrics_;
  StatusBoard& board_;
  const std::string controller_id_;
  const Clock& clock_;
  ReportLog report_log_{};
  TimePoint next_check_{};
  std::string found_{};
};

void reconcile(ClusterRuntime& cluster, Teller teller, const Clock& clock, milliseconds interval,
               const std::stop_token& stop) {
  run_loop(*cluster.reconciler, *cluster.source, *cluster.store, clock, {interval}, stop,
           [&](const TickReport& report) { teller.take(report); });
}

LogLine start_line(const Config& config, const Runtime& runtime, const Web& web) {
  LogLine line{LogLevel::Info,
               "main",
               "started",
               {{"version", build_info().version},
                {"controller", runtime.controller_id},
                {"specs", config.specs},
                {"state", config.state},
                {"metrics", web.url() + "/metrics"}}};
  if (!web.health_url().empty()) line.fields.push_back({"health", web.health_url()});
  for (const auto& cluster : config.clusters) {
    line.fields.push_back({"cluster_" + cluster.name, address_text(cluster)});
  }
  return line;
}

}  // namespace

ExitCode verb_run(const Config& config, const Console& console) {
  Metrics metrics(build_info());
  metrics.limit_specs(config.spec_metrics);
  Log log(console.err, config.log_level, format_of(config, console), console.clock,
          [&](LogLevel level) { metrics.count_log_message(level); });
  Signals signals([&] {
    log.write({LogLevel::Warning,
               "main",
               "reloading is not supported yet, restart to take a new configuration",
               {}});
  });
  const auto addresses = web_addresses(config.web);
  if (!addresses) {
    const bool wrong = addresses.error().kind == ErrorKind::Rejected;
    return fail(console, addresses.error().message, wrong ? ExitCode::Usage : ExitCode::Error);
  }
  raise_descriptor_limit();
  auto runtime = build_runtime(config, console.clock, [&](const std::string& message) {
    log.write({LogLevel::Warning, "files", "watching is limited", {{"message", message}}});
  });
  if (!runtime) return fail(console, runtime.error().message);

  StatusBoard board;
  for (const auto& cluster : config.clusters) board.add(cluster.name, address_text(cluster));
  std::atomic<bool> draining{false};
  auto web = Web::open(
      config.web, *addresses,
      {console.clock, [&] { return health_of(*runtime, draining); },
       [&] { return metrics.exposition(); }, [&] { return board.clusters(); }, patience_of(config)},
      {[&](const std::string& handler, int status) { metrics.count_http_answer(handler, status); },
       [&](const LogLine& line) { log.write(line); }});
  if (!web) return fail(console, web.error().message);

  log.write(start_line(config, *runtime, **web));
  std::vector<std::thread> threads;
  for (const auto& cluster : runtime->clusters) {
    threads.emplace_back([&, part = cluster.get()] {
      reconcile(*part, Teller(*part, log, metrics, board, runtime->controller_id, console.clock),
                console.clock, config.interval, signals.stop_token());
    });
  }
  const std::stop_callback on_stop(signals.stop_token(), [&] {
    draining = true;
    log.write({LogLevel::Info, "main", "stopping, finishing what is in flight", {}});
  });
  for (auto& thread : threads) thread.join();
  log.write({LogLevel::Info, "main", "stopped; the jobs in Slurm go on", {}});
  return ExitCode::Ok;
}

}  // namespace sconverge
