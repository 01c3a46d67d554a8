#include "controller/app/words.h"

#include <cstdlib>

namespace sconverge {

std::string_view to_text(OutcomeKind kind) {
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
  std::abort();
}

std::string_view to_text(CancelCause cause) {
  switch (cause) {
    case CancelCause::Removed:
      return "Removed";
    case CancelCause::Superseded:
      return "Superseded";
    case CancelCause::Duplicate:
      return "Duplicate";
  }
  std::abort();
}

std::string_view because_text(CancelCause cause) {
  switch (cause) {
    case CancelCause::Removed:
      return "its spec was removed";
    case CancelCause::Superseded:
      return "a newer generation is wanted";
    case CancelCause::Duplicate:
      return "it is a second job of one run";
  }
  std::abort();
}

}  // namespace sconverge
