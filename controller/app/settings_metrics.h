#pragma once

#include <span>

#include "controller/app/settings.h"

namespace sconverge {

/// The rows of `settings` about metrics.
std::span<const Setting> metrics_settings();

}  // namespace sconverge
