#include "controller/app/loop.h"

#include <algorithm>
#include <utility>

namespace sconverge {
namespace {

bool somebody_asked(Store& store) {
  const auto requests = store.requests();
  return requests && !requests->empty();
}

}  // namespace

void run_loop(Reconciler& reconciler, SpecSource& source, Store& store, const Clock& clock,
              const LoopOptions& options, const std::stop_token& stop,
              const std::function<void(const TickReport&)>& on_tick) {
  bool asked = false;
  while (!stop.stop_requested()) {
    const TimePoint began = clock.now();
    if (options.on_ticking) options.on_ticking(true);
    TickReport report = reconciler.tick();
    if (options.on_ticking) options.on_ticking(false);
    if (std::exchange(asked, false)) report.scan.trigger = ScanTrigger::Signal;
    on_tick(report);
    if (reconciler.unfinished()) continue;
    TimePoint due = began + options.interval;
    if (reconciler.wake_at()) due = std::min(due, *reconciler.wake_at());
    // A tick that is always overdue must not spin.
    due = std::max(due, clock.now() + options.glance);
    while (!stop.stop_requested() && clock.now() < due) {
      const auto rest = std::min(due - clock.now(), options.glance);
      if (source.wait(std::max(rest, milliseconds{1}), stop) || somebody_asked(store)) break;
      asked = options.asked && options.asked();
      if (asked) break;
    }
  }
}

}  // namespace sconverge
