#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sconverge {

std::string base64(std::string_view bytes);

/// The bytes that `text` stands for; none if it is not base64 with padding, or stands for nothing.
std::optional<std::string> from_base64(std::string_view text);

/// For URLs and tokens (RFC 4648 section 5), without padding.
std::string base64url(std::string_view bytes);

}  // namespace sconverge
