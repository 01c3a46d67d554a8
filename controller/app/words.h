#pragma once

#include <string_view>

#include "controller/core/history.h"

namespace sconverge {

// The words people and scripts see.

std::string_view to_text(OutcomeKind kind);   ///< "Succeeded", ...
std::string_view to_text(CancelCause cause);  ///< "Removed", ...

/// A clause that completes "cancelled, because ...".
std::string_view because_text(CancelCause cause);

}  // namespace sconverge
