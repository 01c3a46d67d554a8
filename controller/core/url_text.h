#pragma once

#include <string>
#include <string_view>

namespace sconverge {

/// `text` as part of a URL's query: all but letters, digits and "-._~" as %XX.
std::string percent_encoded(std::string_view text);

}  // namespace sconverge
