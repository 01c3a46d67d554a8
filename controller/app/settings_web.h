#pragma once

#include <span>

#include "controller/app/settings.h"

namespace sconverge {

/// The rows of `settings` about what is served over HTTP.
std::span<const Setting> web_settings();

}  // namespace sconverge
