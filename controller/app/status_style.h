#pragma once

#include <string_view>

namespace sconverge {

/// The style sheet of the status page.
std::string_view status_style();

}  // namespace sconverge
