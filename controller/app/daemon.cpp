#include "controller/app/daemon.h"

#include <unistd.h>

#include <set>

#include "controller/app/connection.h"
#include "controller/app/console_log.h"
#include "controller/app/descriptor_limit.h"
#include "controller/app/render_get.h"
#include "controller/app/tick_teller.h"
#include "controller/app/verbs.h"

namespace sconverge {
namespace {

// While a tick is finished before the end: so often it is said that this takes time, and how much.
constexpr milliseconds kBetweenPleas{5000};
constexpr milliseconds kPlea{15000};

constexpr milliseconds kWebPatience{1000};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

std::set<std::string> names_of(const std::vector<ClusterConfig>& clusters) {
  std::set<std::string> names;
  for (const auto& cluster : clusters) names.insert(cluster.name);
  return names;
}

LogLine cluster_line(const ClusterConfig& cluster) {
  return {LogLevel::Info,
          "main",
          "keeping a cluster as declared",
          {{"cluster", cluster.name}, {"url", address_text(cluster)}, {"user", cluster.user()}}};
}

}  // namespace

Daemon::Daemon(Config config, Reread reread, const Console& console)
    : console_(console),
      clock_(console.clock),
      config_(std::move(config)),
      reread_(std::move(reread)),
      metrics_(build_info()),
      log_(open_log(config_, console,
                    [this](LogLevel level) { metrics_.count_log_message(level); })),
      notifier_(console.variables, ::getpid(), [this](const std::string& why) {
        log_->write(
            {LogLevel::Warning, "main", "service manager cannot be told", {{"error", why}}});
      }) {
  metrics_.limit_specs(config_.spec_metrics);
}

void Daemon::hang_up() {
  hung_up_ = true;
  bell_.ring();
}

ExitCode Daemon::run(const std::stop_token& stop) {
  const auto addresses = web_addresses(config_.web);
  if (!addresses) {
    const bool wrong = addresses.error().kind == ErrorKind::Rejected;
    return fail(console_, addresses.error().message, wrong ? ExitCode::Usage : ExitCode::Error);
  }
  raise_descriptor_limit();
  if (const auto started = start(*addresses); !started) {
    return fail(console_, started.error().message);
  }
  const std::stop_callback on_stop(stop, [&] { draining_ = true; });
  work(stop);
  wind_up();
  return ExitCode::Ok;
}

Result<Done> Daemon::start(const WebAddresses& addresses) {
  auto runtime = build_runtime(config_, clock_, say());
  if (!runtime) return runtime.error();
  config_.controller_id = runtime->controller_id;
  clusters_.emplace(std::move(*runtime), Clusters::Options{clock_, say(),
                                                           [this](const std::string& cluster) {
                                                             return listener_of(cluster);
                                                           },
                                                           [this] { bell_.ring(); }});
  auto web = serve_pages(addresses);
  if (!web) return web.error();
  web_ = std::move(*web);
  log_start();
  show(config_, {});
  clusters_->begin();
  return Done{};
}

Say Daemon::say() {
  return [this](const std::string& message) {
    log_->write({LogLevel::Warning, "files", "watching is limited", {{"error", message}}});
  };
}

/// On the cluster's thread.
TickListener Daemon::listener_of(const std::string& cluster) {
  metrics_.add_cluster(cluster);
  const auto teller =
      std::make_shared<TickTeller>(TickAudience{*log_, metrics_, board_, status_line_}, clock_);
  return [this, teller](ClusterRuntime& parts, const TickReport& report) {
    teller->take(parts, report);
    bell_.ring();
  };
}

Result<std::unique_ptr<Web>> Daemon::serve_pages(const WebAddresses& addresses) {
  return Web::open(config_.web, addresses,
                   {clock_, [this] { return health(); },
                    [this] { return metrics_.exposition(clusters_->activities()); },
                    [this] { return board_.clusters(); }, [this] { return patience_.load(); }},
                   {[this](const std::string& handler, int status) {
                      metrics_.count_http_answer(handler, status);
                    },
                    [this](const LogLine& line) { log_->write(line); }});
}

void Daemon::log_start() {
  LogLine line{LogLevel::Info,
               "main",
               "started",
               {{"version", build_info().version},
                {"controller", config_.controller_id},
                {"source", config_.specs},
                {"state", config_.state},
                {"metrics", web_->url() + "/metrics"}}};
  if (!web_->health_url().empty()) line.fields.push_back({"health", web_->health_url()});
  log_->write(line);
  for (const auto& cluster : config_.clusters) log_->write(cluster_line(cluster));
}

void Daemon::work(const std::stop_token& stop) {
  // Twice in each period that somebody waits for a sign of life.
  const milliseconds pulse = notifier_.watchdog_period().value_or(milliseconds{0}) / 2;
  while (!stop.stop_requested()) {
    if (hung_up_.exchange(false)) reload();
    tell_status();
    if (pulse > milliseconds{0} && alive()) notifier_.alive();
    bell_.wait(pulse, stop);
  }
}

void Daemon::wind_up() {
  log_->write({LogLevel::Info, "main", "stopping, finishing what is in flight", {}});
  notifier_.stopping("finishing what is in flight");
  clusters_->stop();
  while (!clusters_->ended()) {
    if (alive()) {
      notifier_.needs_time(kPlea);
      notifier_.alive();
    }
    bell_.wait(kBetweenPleas, {});
  }
  log_->write({LogLevel::Info, "main", "stopped; the jobs in Slurm go on", {}});
}

void Daemon::reload() {
  if (ready_told_) notifier_.reloading();
  const bool good = try_reload();
  metrics_.record_reload(good, clock_.now());
  if (!ready_told_) return;
  told_status_ = status_line_.text();
  notifier_.ready(told_status_);
}

bool Daemon::try_reload() {
  const auto refuse = [this](const std::string& why) {
    log_->write({LogLevel::Error,
                 "main",
                 "configuration refused, the old one stays in force",
                 {{"error", why}}});
    return false;
  };
  const ConfigReading reading = reread_();
  for (const auto& problem : reading.problems) refuse(to_text(problem));
  if (!reading.problems.empty()) return false;
  const Reload reload = reload_of(config_, reading.config);
  const auto changes = clusters_->change(reload.config);
  if (!changes) return refuse(changes.error().message);
  take(reload, *changes);
  clusters_->look_now();
  return true;
}

void Daemon::take(const Reload& reload, const ClusterChanges& changes) {
  metrics_.limit_specs(reload.config.spec_metrics);
  log_->set(reload.config.log_level, log_format_of(reload.config, console_));
  for (const auto& cluster : changes.added) metrics_.add_cluster(cluster);
  for (const auto& cluster : changes.removed) metrics_.remove_cluster(cluster);
  show(reload.config, changes.removed);
  if (reload.config == config_) {
    log_->write(
        {LogLevel::Info, "main", "configuration is as before, looking at everything again", {}});
  } else {
    log_->write({LogLevel::Info,
                 "main",
                 "configuration reloaded",
                 {{"clusters_added", joined(changes.added)},
                  {"clusters_changed", joined(changes.changed)},
                  {"clusters_removed", joined(changes.removed)}}});
  }
  if (!reload.needs_restart.empty()) {
    log_->write({LogLevel::Warning,
                 "main",
                 "some of the new configuration needs a restart",
                 {{"settings", joined(reload.needs_restart)}}});
  }
  config_ = reload.config;
}

/// What pages and the service manager are told of.
void Daemon::show(const Config& config, const std::vector<std::string>& removed) {
  for (const auto& cluster : removed) board_.remove(cluster);
  for (const auto& cluster : config.clusters) board_.add(cluster.name, address_text(cluster));
  status_line_.show(names_of(config.clusters));
  patience_ = patience_of(config);
}

HealthState Daemon::health() const {
  HealthState state = clusters_->health();
  state.draining = draining_;
  return state;
}

bool Daemon::alive() const {
  return livez(health(), clock_.now(), false).status == 200 && web_->responds(kWebPatience);
}

void Daemon::tell_status() {
  if (!notifier_.is_service()) return;
  const std::string status = status_line_.text();
  if (ready_told_ && status == told_status_) return;
  if (ready_told_) {
    notifier_.status(status);
  } else if (health().source_scanned) {
    notifier_.ready(status);
    ready_told_ = true;
  } else {
    return;
  }
  told_status_ = status;
}

}  // namespace sconverge
