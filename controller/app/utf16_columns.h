#pragma once

#include <string_view>
#include <vector>

#include "specs/problem.h"

namespace sconverge {

// Problems count columns in bytes, as compilers do. What shows them beside the lines of a change
// counts UTF-16 code units, as editors and browsers do.

/// The column in `line` of the byte at `column`, both 1-based. A byte that is not UTF-8 counts as
/// one unit; behind the end of the line, so does each column.
int utf16_column(std::string_view line, int column);

/// Counts the columns of problems anew, with the lines of the files they name. A column whose line
/// cannot be read stays what it is.
void count_in_utf16(std::vector<Problem>& problems);

}  // namespace sconverge
