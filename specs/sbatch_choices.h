#pragma once

#include "specs/sbatch_text.h"

namespace sconverge {

// How sbatch reads the options whose values are words of its own. Facts: Slurm 24.11, proc_args.c,
// slurm_opt.c and others, tried with sbatch. Every function is total and linear. Words come out as
// the REST API spells them.

/// --signal=[R][B][:]SIGNAL[@SECONDS].
struct SbatchSignal {
  std::string name{};  ///< `USR1`, or the number where it has no name
  std::int64_t delay{60};
  std::vector<std::string> flags{};
};
SbatchValue<SbatchSignal> sbatch_signal(std::string_view text);

/// --mail-type: the kinds in the order of the REST API; none for NONE. Words that sbatch does not
/// know are odd, and refused where nothing else is left.
SbatchValue<std::vector<std::string>> sbatch_mail_types(std::string_view text);

/// --profile. sbatch only looks for the words within the text.
SbatchValue<std::vector<std::string>> sbatch_profile(std::string_view text);

/// --exclusive.
SbatchValue<std::string> sbatch_exclusive(const std::optional<std::string>& text);

/// --open-mode, of which only the first letter counts.
SbatchValue<std::string> sbatch_open_mode(std::string_view text);

/// --gres-flags as words of the field `flags`.
SbatchValue<std::vector<std::string>> sbatch_gres_flags(std::string_view text);

/// --no-kill: whether to keep the job when a node fails.
SbatchValue<bool> sbatch_no_kill(const std::optional<std::string>& text);

/// --kill-on-invalid-dep.
SbatchValue<bool> sbatch_yes_or_no(std::string_view text);

/// --hint: the words in lower case, of compute_bound, memory_bound, multithread, nomultithread.
SbatchValue<std::vector<std::string>> sbatch_hints(std::string_view text);

}  // namespace sconverge
