#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

#include "controller/app/runtime.h"

namespace sconverge {

/// Called on a cluster's thread after each tick, with what made it.
using TickListener = std::function<void(ClusterRuntime&, const TickReport&)>;

/// Keeps one cluster as declared, on a thread of its own. What it does that with can be changed
/// while it works: a tick under way goes through with the old parts, then the new ones read their
/// memory and take over, so that two ticks of one cluster never overlap. Nobody waits for that.
///
/// All functions may be called from any thread; none blocks but the destructor.
class ClusterWorker {
 public:
  struct Events {
    TickListener on_tick;
    std::function<void()> on_end;  ///< once, on the cluster's thread
  };

  ClusterWorker(std::unique_ptr<ClusterRuntime> parts, const Clock& clock, Events events);
  ClusterWorker(const ClusterWorker&) = delete;
  ClusterWorker& operator=(const ClusterWorker&) = delete;
  /// Stops it, and waits for the end of the tick under way.
  ~ClusterWorker();

  /// What it works with, or will once the tick under way is over.
  [[nodiscard]] ClusterSetup setup() const;
  [[nodiscard]] const std::shared_ptr<Heartbeat>& heartbeat() const { return heartbeat_; }

  /// Goes on with other parts, which beat this worker's heart; those that wait for their turn
  /// already never get it. False, and nothing taken, if the worker has ended.
  bool change(std::unique_ptr<ClusterRuntime>& parts);
  /// Ticks soon, whether or not anything seems to call for it.
  void look_now() { asked_ = true; }
  /// Ends after the tick under way, unless it is given other parts before.
  void stop();
  [[nodiscard]] bool ended() const;

 private:
  void work();
  bool read_memory(ClusterRuntime& parts, const std::stop_token& stop);
  /// The parts whose turn is next; none if it is to end.
  std::unique_ptr<ClusterRuntime> next_parts();
  std::stop_token stop_token() const;

  const Clock& clock_;
  const Events events_;
  const std::shared_ptr<Heartbeat> heartbeat_;
  std::atomic<bool> asked_{false};

  mutable std::mutex mutex_{};
  ClusterSetup setup_;
  std::unique_ptr<ClusterRuntime> next_;  ///< waits for its turn
  std::stop_source stop_{};               ///< of the parts at work
  bool ended_{false};

  std::thread thread_{};
};

}  // namespace sconverge
