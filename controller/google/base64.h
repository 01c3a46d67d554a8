#pragma once

#include <string>
#include <string_view>

namespace sconverge {

std::string base64(std::string_view bytes);

/// For URLs and tokens (RFC 4648 section 5), without padding.
std::string base64url(std::string_view bytes);

}  // namespace sconverge
