#include "controller/app/cluster_worker.h"

#include "controller/app/loop.h"

namespace sconverge {

ClusterWorker::ClusterWorker(std::unique_ptr<ClusterRuntime> parts, const Clock& clock,
                             Events events)
    : clock_(clock),
      events_(std::move(events)),
      heartbeat_(parts->heartbeat),
      setup_(parts->setup),
      next_(std::move(parts)) {
  thread_ = std::thread([this] { work(); });
}

ClusterWorker::~ClusterWorker() {
  stop();
  thread_.join();
}

ClusterSetup ClusterWorker::setup() const {
  const std::lock_guard lock(mutex_);
  return setup_;
}

bool ClusterWorker::change(std::unique_ptr<ClusterRuntime>& parts) {
  const std::lock_guard lock(mutex_);
  if (ended_) return false;
  setup_ = parts->setup;
  next_ = std::move(parts);
  stop_.request_stop();
  return true;
}

void ClusterWorker::stop() {
  const std::lock_guard lock(mutex_);
  next_.reset();
  stop_.request_stop();
}

bool ClusterWorker::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

std::unique_ptr<ClusterRuntime> ClusterWorker::next_parts() {
  const std::lock_guard lock(mutex_);
  ended_ = next_ == nullptr;
  stop_ = {};
  return std::move(next_);
}

std::stop_token ClusterWorker::stop_token() const {
  const std::lock_guard lock(mutex_);
  return stop_.get_token();
}

/// A memory that cannot be read is a tick that failed, and tried again like one.
bool ClusterWorker::read_memory(ClusterRuntime& parts, const std::stop_token& stop) {
  while (!parts.loaded && !stop.stop_requested()) {
    TickReport report;
    report.cluster = parts.name();
    report.began = clock_.now();
    const auto loaded = parts.reconciler->load();
    parts.loaded = loaded.ok();
    if (parts.loaded) break;
    report.ended = clock_.now();
    report.failed = loaded.error();
    report.failed_step = "store";
    events_.on_tick(parts, report);
    parts.source->wait(parts.setup.options.policy.interval, stop);
  }
  return parts.loaded;
}

void ClusterWorker::work() {
  while (const auto parts = next_parts()) {
    const std::stop_token stop = stop_token();
    if (!read_memory(*parts, stop)) continue;
    LoopOptions options;
    options.interval = parts->setup.options.policy.interval;
    options.asked = [this] { return asked_.exchange(false); };
    options.on_ticking = [this](bool ticking) { heartbeat_->set_ticking(ticking); };
    run_loop(*parts->reconciler, *parts->source, *parts->store, clock_, options, stop,
             [&](const TickReport& report) { events_.on_tick(*parts, report); });
  }
  events_.on_end();
}

}  // namespace sconverge
