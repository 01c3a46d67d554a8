#pragma once

#include <string>
#include <string_view>

namespace sconverge {

/// Text from outside, fit for a message: control characters become blanks, runs of blanks one, and
/// it is cut after `most` bytes, never within a character.
/// REQUIRES: `text` is UTF-8.
std::string one_line(std::string_view text, std::size_t most = 300);

}  // namespace sconverge
