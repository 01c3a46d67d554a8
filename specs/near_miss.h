#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sconverge {

/// The candidate closest to `word` by edit distance, if it is close enough to be a slip of the hand
/// (distance at most 2, and less than half of the word); empty otherwise.
std::string_view near_miss(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace sconverge
