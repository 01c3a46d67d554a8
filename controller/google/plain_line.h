#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sconverge {

/// Text from outside, fit for a message: one line of visible ASCII (the rest becomes blanks, runs
/// of blanks one), cut after `most` bytes.
std::string plain_line(std::string_view text, std::size_t most = 300);

/// `text` with every occurrence of a secret replaced by "...".
std::string without(const std::vector<std::string>& secrets, std::string text);

/// Whether it can stand in a header: visible ASCII only, and some.
bool fits_a_header(std::string_view text);

/// Without the blanks at its end, or at both ends.
std::string_view trimmed_at_end(std::string_view text);
std::string_view trimmed(std::string_view text);

}  // namespace sconverge
