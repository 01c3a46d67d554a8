#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "specs/job_spec.h"

namespace sconverge {

/// The guards between a plan and the world, in the order in which they are asked.
enum class Guard {
  SourceIncomplete,
  SourceUnidentified,
  Vanished,
  NotOurMark,
  Protected,
  PruneBudget
};
inline constexpr Guard kAllGuards[] = {Guard::SourceIncomplete, Guard::SourceUnidentified,
                                       Guard::Vanished,         Guard::NotOurMark,
                                       Guard::Protected,        Guard::PruneBudget};

std::string_view to_text(Guard guard);  ///< "SourceIncomplete", ...; metric label values

/// What one guard held back.
struct GuardHit {
  Guard guard{Guard::SourceIncomplete};
  std::vector<SpecName> specs{};
  std::string message{};  ///< a sentence, with the exact command that lifts it where one does

  friend bool operator==(const GuardHit&, const GuardHit&) = default;
};

}  // namespace sconverge
