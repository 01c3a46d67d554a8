#pragma once

#include <atomic>
#include <memory>

#include "controller/ports/clock.h"
#include "controller/ports/slurm_client.h"
#include "controller/ports/spec_source.h"

namespace sconverge {

/// When a cluster's loop last did something. Written by its thread, read by any.
class Heartbeat {
 public:
  void beat(TimePoint now) { last_ = now.time_since_epoch().count(); }
  void scanned() { scanned_ = true; }

  [[nodiscard]] TimePoint last() const { return TimePoint(milliseconds(last_.load())); }
  /// The watched directory has been looked at once.
  [[nodiscard]] bool has_scanned() const { return scanned_; }

 private:
  std::atomic<milliseconds::rep> last_{0};
  std::atomic<bool> scanned_{false};
};

// A tick may rightly take long (a thousand submits to a slow Slurm), and so may the pause between
// two. What must not last is a single call, so the heart beats at each.

std::unique_ptr<SpecSource> with_heartbeat(std::unique_ptr<SpecSource> source, Heartbeat& heartbeat,
                                           const Clock& clock);
std::unique_ptr<SlurmClient> with_heartbeat(std::unique_ptr<SlurmClient> slurm,
                                            Heartbeat& heartbeat, const Clock& clock);

}  // namespace sconverge
