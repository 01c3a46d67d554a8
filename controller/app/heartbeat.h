#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "controller/ports/clock.h"
#include "controller/ports/spec_source.h"
#include "controller/ports/transport.h"
#include "metrics/cluster_activity.h"

namespace sconverge {

/// What a cluster's threads do, and when they last did something. Written by them, read by any.
class Heartbeat {
 public:
  /// Has the first scan told, on the cluster's thread. To be called before that begins.
  void tell_first_scan(std::function<void()> tell) { tell_first_scan_ = std::move(tell); }

  void beat(TimePoint now) { last_ = now.time_since_epoch().count(); }
  void scanned() {
    if (!scanned_.exchange(true) && tell_first_scan_) tell_first_scan_();
  }

  [[nodiscard]] TimePoint last() const { return TimePoint(milliseconds(last_.load())); }
  /// The watched directory has been looked at once.
  [[nodiscard]] bool has_scanned() const { return scanned_; }

  void set_ticking(bool ticking) { ticking_ = ticking; }
  void begin_request() { ++requests_; }
  void end_request() { --requests_; }
  [[nodiscard]] ClusterActivity activity() const { return {ticking_, requests_}; }

 private:
  std::atomic<milliseconds::rep> last_{0};
  std::atomic<bool> scanned_{false};
  std::atomic<bool> ticking_{false};
  std::atomic<int> requests_{0};
  std::function<void()> tell_first_scan_{};
};

// A tick may rightly take long (a thousand submits to a slow Slurm), and so may the pause between
// two. What must not last is a single request, so the heart beats at each.

std::unique_ptr<SpecSource> with_heartbeat(std::unique_ptr<SpecSource> source, Heartbeat& heartbeat,
                                           const Clock& clock);
std::unique_ptr<Transport> with_heartbeat(std::unique_ptr<Transport> transport,
                                          Heartbeat& heartbeat, const Clock& clock);

}  // namespace sconverge
