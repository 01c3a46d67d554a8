#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "controller/core/time.h"

namespace sconverge {

/// A time of RFC 3339, with any number of digits behind the second and any offset.
std::optional<TimePoint> time_in(std::string_view text);

/// "2026-03-14T12:00:00Z"
std::string utc_text(TimePoint time);

}  // namespace sconverge
