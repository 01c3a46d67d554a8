#include "controller/app/loop.h"

#include <algorithm>

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
  while (!stop.stop_requested()) {
    const TimePoint began = clock.now();
    on_tick(reconciler.tick());
    TimePoint due = began + options.interval;
    if (reconciler.wake_at()) due = std::min(due, *reconciler.wake_at());
    // A tick that is always overdue must not spin.
    due = std::max(due, clock.now() + options.glance);
    while (!stop.stop_requested() && clock.now() < due) {
      const auto rest = std::min(due - clock.now(), options.glance);
      if (source.wait(std::max(rest, milliseconds{1}), stop) || somebody_asked(store)) break;
    }
  }
}

}  // namespace sconverge
