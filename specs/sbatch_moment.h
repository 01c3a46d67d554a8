#pragma once

#include "specs/sbatch_text.h"

namespace sconverge {

/// --begin and --deadline: UNIX seconds of an absolute time, read in the local time zone as sbatch
/// reads it: YYYY-MM-DD[THH:MM[:SS]], MMDDYY, MM/DD/YY or MM.DD.YY with HH:MM[:SS] [AM|PM], noon,
/// midnight, teatime, ... beside it, or `uts` and UNIX seconds.
///
/// A time that moves with the moment of submission (now+1hour, 16:00, tomorrow, a date without a
/// year) is refused: a spec is declared once and read again and again. The text alone decides
/// which it is; the clock is not read.
///
/// Facts: Slurm 24.11, parse_time.c. Total and linear.
SbatchValue<std::int64_t> sbatch_moment(std::string_view text);

}  // namespace sconverge
