#include "controller/http/in_flight.h"

namespace sconverge {

InFlight::Ticket InFlight::begin() {
  const std::lock_guard lock(mutex_);
  if (draining_) return nullptr;
  ++count_;
  return {this, [self = shared_from_this()](const void*) { self->end(); }};
}

bool InFlight::drain(milliseconds patience) {
  std::unique_lock lock(mutex_);
  draining_ = true;
  return none_left_.wait_for(lock, patience, [this] { return count_ == 0; });
}

void InFlight::end() {
  const std::lock_guard lock(mutex_);
  --count_;
  if (count_ == 0) none_left_.notify_all();
}

}  // namespace sconverge
