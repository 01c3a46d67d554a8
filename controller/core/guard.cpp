#include "controller/core/guard.h"

#include <cstdlib>

namespace sconverge {

std::string_view to_text(Guard guard) {
  switch (guard) {
    case Guard::SourceIncomplete:
      return "SourceIncomplete";
    case Guard::SourceUnidentified:
      return "SourceUnidentified";
    case Guard::Vanished:
      return "Vanished";
    case Guard::NotOurMark:
      return "NotOurMark";
    case Guard::Protected:
      return "Protected";
    case Guard::PruneBudget:
      return "PruneBudget";
  }
  std::abort();
}

}  // namespace sconverge
