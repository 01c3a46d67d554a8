#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "specs/sbatch_lines.h"

namespace sconverge {

/// Directives with more words than this are refused.
constexpr std::size_t kMaxSbatchWords = 20'000;

/// A word of a directive, its quotes and backslashes resolved; never empty.
struct SbatchWord {
  std::string text{};
  int line{0};    ///< 1-based
  int column{0};  ///< 1-based, in bytes
};

/// The words of `directives`, one after the other, as sbatch splits them (Slurm 24.11):
///   - both kinds of quotes group, also in the middle of a word; a backslash takes the next byte
///     as it is, inside of both quotes too, but outside of them no blank other than a space;
///   - an unescaped `#` outside of quotes ends the line, even inside a word;
///   - a word that is empty as a whole (`""`) ends the line, and so does a `hetjob` in its middle.
/// Refuses a quote that is not closed and a word that begins with `:`; both end sbatch. Notes what
/// is lost without a word.
std::vector<SbatchWord> sbatch_words(std::span<const Directive> directives,
                                     SbatchFindings& findings);

}  // namespace sconverge
