#pragma once

#include <string>

#include "controller/core/time.h"

namespace sconverge {

/// A duration as kubectl writes ages: "5s", "3m12s", "15m", "4h10m", "9h", "2d3h", "30d". Never
/// negative: a clock that went back shows "0s".
std::string age_text(milliseconds duration);

/// "2026-01-31T12:00:00Z".
std::string time_text(TimePoint time);

/// "2026-01-31T12:00:00.123Z".
std::string time_text_with_milliseconds(TimePoint time);

}  // namespace sconverge
