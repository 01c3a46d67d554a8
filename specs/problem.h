#pragma once

#include <string>
#include <string_view>

namespace sconverge {

/// The closed set of kinds a problem can have; metric label values come from here.
enum class ProblemKind { Syntax, Schema, Duplicate, TooLarge, Permission, Io, Policy };

/// One thing wrong with what a user wrote, and how to mend it.
///
/// `what` and `remedy` are lower case without a final period. All problems of an input are
/// reported, never only the first.
struct Problem {
  std::string file;    ///< relative to the watched directory; empty for flags and variables
  int line{0};         ///< 1-based; 0: the file as a whole
  int column{0};       ///< 1-based; 0: unknown
  std::string field;   ///< e.g. "spec.job.time_limit"; empty: none in particular
  std::string what;    ///< e.g. "\"2hh\" is not a duration"
  std::string remedy;  ///< e.g. "write 90m, 2h, 1-12:00:00, a number of minutes or UNLIMITED"
  ProblemKind kind{ProblemKind::Schema};

  friend bool operator==(const Problem&, const Problem&) = default;
};

/// `file:line:column: field: what (remedy)`, leaving out what is unknown. Control characters in any
/// part are shown as `\xNN`, so that a file cannot write to a terminal.
std::string to_text(const Problem& problem);

/// "syntax", "schema", ...
std::string_view to_text(ProblemKind kind);

}  // namespace sconverge
