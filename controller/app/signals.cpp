#include "controller/app/signals.h"

#include <pthread.h>
#include <unistd.h>

namespace sconverge {
namespace {

constexpr int kEndOfThread = SIGUSR2;

sigset_t handled_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, kEndOfThread}) sigaddset(&set, signal);
  return set;
}

}  // namespace

Signals::Signals(std::function<void()> on_hangup) : on_hangup_(std::move(on_hangup)) {
  const sigset_t set = handled_signals();
  pthread_sigmask(SIG_BLOCK, &set, &former_mask_);
  thread_ = std::thread([this] { wait_for_signals(); });
}

Signals::~Signals() {
  pthread_kill(thread_.native_handle(), kEndOfThread);
  thread_.join();
  pthread_sigmask(SIG_SETMASK, &former_mask_, nullptr);
}

void Signals::wait_for_signals() {
  const sigset_t set = handled_signals();
  bool asked = false;
  for (;;) {
    int signal = 0;
    if (sigwait(&set, &signal) != 0) continue;
    if (signal == kEndOfThread) return;
    if (signal == SIGHUP) {
      if (on_hangup_) on_hangup_();
      continue;
    }
    if (asked) ::_exit(128 + signal);
    asked = true;
    stop_.request_stop();
  }
}

}  // namespace sconverge
