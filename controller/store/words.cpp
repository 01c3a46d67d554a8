#include "controller/store/words.h"

#include <iterator>

namespace sconverge {

std::string_view word_of(OutcomeKind kind) {
  switch (kind) {
    case OutcomeKind::Succeeded:
      return "Succeeded";
    case OutcomeKind::Failed:
      return "Failed";
    case OutcomeKind::Cancelled:
      return "Cancelled";
    case OutcomeKind::Rejected:
      return "Rejected";
    case OutcomeKind::Abandoned:
      return "Abandoned";
    case OutcomeKind::Lost:
      return "Lost";
  }
  return {};
}

std::string_view word_of(CancelCause cause) {
  switch (cause) {
    case CancelCause::Removed:
      return "Removed";
    case CancelCause::Superseded:
      return "Superseded";
    case CancelCause::Duplicate:
      return "Duplicate";
  }
  return {};
}

std::string_view word_of(OurHold hold) {
  switch (hold) {
    case OurHold::None:
      return "None";
    case OurHold::Requested:
      return "Requested";
    case OurHold::Seen:
      return "Seen";
    case OurHold::Overruled:
      return "Overruled";
  }
  return {};
}

std::string_view word_of(BaseState state) {
  switch (state) {
    case BaseState::Pending:
      return "Pending";
    case BaseState::Running:
      return "Running";
    case BaseState::Suspended:
      return "Suspended";
    case BaseState::Completed:
      return "Completed";
    case BaseState::Cancelled:
      return "Cancelled";
    case BaseState::Failed:
      return "Failed";
    case BaseState::Timeout:
      return "Timeout";
    case BaseState::NodeFail:
      return "NodeFail";
    case BaseState::Preempted:
      return "Preempted";
    case BaseState::BootFail:
      return "BootFail";
    case BaseState::Deadline:
      return "Deadline";
    case BaseState::OutOfMemory:
      return "OutOfMemory";
    case BaseState::Other:
      return "Other";
  }
  return {};
}

std::string_view word_of(RequestKind kind) {
  switch (kind) {
    case RequestKind::Rerun:
      return "Rerun";
    case RequestKind::ApproveRemoval:
      return "ApproveRemoval";
    case RequestKind::ApproveVanished:
      return "ApproveVanished";
  }
  return {};
}

std::string_view word_of(Phase phase) {
  if (static_cast<int>(phase) >= kPhaseCount) return {};
  return to_text(phase);
}

std::string_view word_of(Reason reason) {
  if (static_cast<std::size_t>(reason) >= all_reasons().size()) return {};
  return to_text(reason);
}

std::string_view word_of(Guard guard) {
  if (static_cast<std::size_t>(guard) >= std::size(kAllGuards)) return {};
  return to_text(guard);
}

}  // namespace sconverge
