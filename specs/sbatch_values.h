#pragma once

#include "specs/job_spec.h"
#include "specs/sbatch_text.h"

namespace sconverge {

// How sbatch reads numbers, times and sizes. Facts: Slurm 24.11, proc_args.c and parse_time.c,
// tried with sbatch. Every function is total and linear.

/// A whole number of at least `least` (0 or 1) and less than 2^31 - 1, with nothing behind it.
/// Empty text is a zero where that is allowed.
SbatchValue<std::int64_t> sbatch_count(std::string_view text, int least);

/// A number of at most 65533, as --segment wants it.
SbatchValue<std::int64_t> sbatch_small_count(std::string_view text);

/// --time and --time-min: minutes, rounded up, or Unlimited (UNLIMITED, INFINITE, -1, 0). The forms
/// are M, M:S, H:M:S, D-H, D-H:M, D-H:M:S and D-.
SbatchValue<FieldValue> sbatch_minutes(std::string_view text);

/// --delay-boot and the wait of --switches: seconds, in the same forms (a plain number is
/// minutes, zero is zero).
SbatchValue<FieldValue> sbatch_seconds(std::string_view text);

/// MiB: a whole number with K (rounded up), M, G or T in any case, and B behind it or not.
SbatchValue<std::int64_t> sbatch_mebibytes(std::string_view text);

/// --nice without a value is 100. What is behind the number, sbatch does not look at.
SbatchValue<std::int64_t> sbatch_nice(const std::optional<std::string>& text);

}  // namespace sconverge
