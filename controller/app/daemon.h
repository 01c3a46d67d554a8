#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "controller/app/bell.h"
#include "controller/app/clusters.h"
#include "controller/app/console.h"
#include "controller/app/exit_code.h"
#include "controller/app/log.h"
#include "controller/app/reload.h"
#include "controller/app/service_notifier.h"
#include "controller/app/status_board.h"
#include "controller/app/status_line.h"
#include "controller/app/web.h"
#include "metrics/metrics.h"

namespace sconverge {

/// The controller as a long-running process: keeps all clusters as declared, serves its pages,
/// tells a service manager how it stands, and takes a new configuration when asked to.
///
/// A reload reads the configuration again, as at the start. If it is not valid, or cannot be put to
/// work (a file that cannot be read), the old one stays in force, and log and metrics say so. Else
/// each cluster that it changes ends its tick and goes on with the new one; others do not notice.
/// The pages, the state directory's lock and the metrics live on. Keys that only a restart changes
/// are named in the log.
class Daemon {
 public:
  /// No thread is begun yet. `console` must outlive it.
  Daemon(Config config, Reread reread, const Console& console);
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;

  /// Asks for a reload. Asked several times before it begins, there is one. Any thread, before
  /// `run` and while it runs.
  void hang_up();

  /// Works until `stop` is asked for, then finishes the ticks under way. Not 0 if it could not
  /// start; what is wrong is told in one line.
  ExitCode run(const std::stop_token& stop);

 private:
  Result<Done> start(const WebAddresses& addresses);
  Result<std::unique_ptr<Web>> serve_pages(const WebAddresses& addresses);
  Say say();
  TickListener listener_of(const std::string& cluster);
  void log_start();
  void work(const std::stop_token& stop);
  void wind_up();

  void reload();
  bool try_reload();
  void take(const Reload& reload, const ClusterChanges& changes);
  void show(const Config& config, const std::vector<std::string>& removed);

  [[nodiscard]] HealthState health() const;
  [[nodiscard]] bool alive() const;
  void tell_status();

  const Console& console_;
  const Clock& clock_;
  Config config_;  ///< in force; read by the thread of `run` alone
  const Reread reread_;
  Metrics metrics_;
  const std::unique_ptr<Log> log_;
  ServiceNotifier notifier_;
  Bell bell_{};
  std::atomic<bool> hung_up_{false};
  std::atomic<bool> draining_{false};
  StatusLine status_line_{};
  StatusBoard board_{};
  std::atomic<milliseconds> patience_{milliseconds{0}};
  bool ready_told_{false};
  std::string told_status_{};
  std::optional<Clusters> clusters_{};
  std::unique_ptr<Web> web_{};  ///< ends first: its pages ask the clusters
};

}  // namespace sconverge
