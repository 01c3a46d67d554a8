#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "specs/sbatch_words.h"

namespace sconverge {

enum class TakesValue {
  No,
  Required,  ///< attached, or the next word whatever it is: `-N4`, `-N 4`, `--nodes=4`, `--nodes 4`
  Optional   ///< only attached: `-k5`, `--nice=5`
};

/// An option of a table like those of getopt_long().
struct OptionRow {
  std::string_view name;  ///< long, without dashes
  char letter{'\0'};      ///< short; NUL: none
  TakesValue takes{TakesValue::No};
  std::string_view alias_of{};  ///< the name of the option it stands for; empty: none
};

/// Options of one kind of directive.
struct OptionGrammar {
  std::string_view directive;       ///< "#SBATCH"
  std::span<const OptionRow> rows;  ///< in static storage
  /// What to write instead of an option not in `rows`, dashes included; empty: not known.
  std::string_view (*replacement)(std::string_view option);
};

/// An option found in words.
struct GivenOption {
  const OptionRow* row;
  std::optional<std::string> value{};
  int line{0};
  int column{0};
  std::string text{};  ///< as written, a value of its own behind a blank
};

/// Reads `words` as GNU getopt_long() does with a leading "+" in its option string: unambiguous
/// abbreviations of long names, clusters of short ones, and an end at the first word that is no
/// option or behind `--`. What ends it there, or is no option of the table, is refused; then the
/// reading goes on behind it. More than kMaxSbatchWords options (a word can hold many) are refused.
std::vector<GivenOption> read_options(std::span<const SbatchWord> words,
                                      const OptionGrammar& grammar, SbatchFindings& findings);

}  // namespace sconverge
