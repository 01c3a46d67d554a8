#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "controller/core/time.h"

namespace sconverge {

/// Tells whoever started this process as a service how it stands, in the way of sd_notify(3): a
/// datagram of KEY=VALUE lines to the socket that NOTIFY_SOCKET names, a path or (with "@" in
/// front) an abstract name. Without that variable nothing is sent. A datagram that cannot be sent
/// within a second is lost. One thread.
class ServiceNotifier {
 public:
  /// `variables`: the process's environment. `process`: its id. `on_failure` gets one line when
  /// sending begins to fail.
  ServiceNotifier(const std::map<std::string, std::string>& variables, int process,
                  std::function<void(const std::string& why)> on_failure);

  /// It does its work, after the start and after a reload.
  void ready(const std::string& status);
  /// A reload begins; `ready` ends it.
  void reloading();
  void stopping(const std::string& status);
  /// One line for people.
  void status(const std::string& status);
  /// It is alive. To be sent twice in each `watchdog_period`; without one nothing is sent.
  void alive();
  /// What it is doing takes until so long from now, at most.
  void needs_time(milliseconds time);

  [[nodiscard]] bool is_service() const { return !socket_.empty(); }
  /// How long nobody misses `alive`: WATCHDOG_USEC, if WATCHDOG_PID is this process or not set.
  [[nodiscard]] std::optional<milliseconds> watchdog_period() const { return watchdog_; }

 private:
  void send(const std::string& text);
  [[nodiscard]] std::string try_to_send(const std::string& text) const;

  std::string socket_;
  std::optional<milliseconds> watchdog_;
  std::function<void(const std::string&)> on_failure_;
  bool failing_{false};
};

}  // namespace sconverge
