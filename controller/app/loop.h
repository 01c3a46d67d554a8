#pragma once

#include <functional>
#include <stop_token>

#include "controller/app/reconciler.h"
#include "controller/ports/clock.h"
#include "controller/ports/spec_source.h"
#include "controller/ports/store.h"

namespace sconverge {

struct LoopOptions {
  milliseconds interval{
      10000};                ///< between the starts of two ticks, when nothing calls for one sooner
  milliseconds glance{250};  ///< how often requests of people are looked for
  /// Whether somebody wants a tick at once, by a signal; asked with each glance, and true once each
  /// time.
  std::function<bool()> asked{};
  /// Told when a tick begins, and when it has ended.
  std::function<void(bool ticking)> on_ticking{};
};

/// Ticks until asked to stop: at once, then when the source may have changed, a person asked for
/// something, the plan wants to look again, or the interval is over. A stop finishes the tick under
/// way. `on_tick` gets every report, on this thread; one of a tick that was `asked` for says that
/// it was caused by a signal.
void run_loop(Reconciler& reconciler, SpecSource& source, Store& store, const Clock& clock,
              const LoopOptions& options, const std::stop_token& stop,
              const std::function<void(const TickReport&)>& on_tick);

}  // namespace sconverge
