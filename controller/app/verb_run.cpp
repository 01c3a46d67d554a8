#include "controller/app/daemon.h"
#include "controller/app/signals.h"
#include "controller/app/verbs.h"

namespace sconverge {

ExitCode verb_run(const Config& config, const Reread& reread, const Console& console) {
  Daemon daemon(config, reread, console);
  Signals signals([&] { daemon.hang_up(); });
  return daemon.run(signals.stop_token());
}

}  // namespace sconverge
