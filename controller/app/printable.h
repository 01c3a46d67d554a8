#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sconverge {

/// `text` as one line that cannot drive a terminal: control characters (a newline, too), bytes that
/// are not UTF-8 and characters that turn the direction of writing are shown as \n, \t or \xNN.
std::string printable(std::string_view text);

/// How many columns `text` takes. REQUIRES: it is printable.
std::size_t columns_of(std::string_view text);

}  // namespace sconverge
