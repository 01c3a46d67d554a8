#pragma once

#include <csignal>
#include <functional>
#include <stop_token>
#include <thread>

namespace sconverge {

/// Turns signals into a stop request, from its construction on: the first SIGTERM or SIGINT asks to
/// stop, the second ends the process at once with 128 + signal (safe: whatever is cut off is found
/// again at the next start). SIGHUP calls `on_hangup`, on the thread of the signals.
///
/// One at a time in a process. To be made before other threads are: they inherit the blocked
/// signals. The former mask is restored at the end.
class Signals {
 public:
  explicit Signals(std::function<void()> on_hangup = {});
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  ~Signals();

  [[nodiscard]] std::stop_token stop_token() const { return stop_.get_token(); }
  /// Asks to stop as a signal would.
  void request_stop() { stop_.request_stop(); }

 private:
  void wait_for_signals();

  std::function<void()> on_hangup_;
  std::stop_source stop_{};
  sigset_t former_mask_{};
  std::thread thread_{};
};

}  // namespace sconverge
