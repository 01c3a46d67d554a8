#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sconverge {

/// Offset of the first byte that is not part of well-formed UTF-8 (surrogates, overlong forms and
/// values above U+10FFFF are none); nothing if all is well.
std::optional<std::size_t> first_invalid_utf8(std::string_view text);

/// `text` in double quotes for a message, cut after 60 bytes, never within a character.
std::string in_quotes(std::string_view text);

}  // namespace sconverge
