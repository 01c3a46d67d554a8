#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sconverge {

// What sbatch checks in values that it hands on as they are: nothing if the text is in order, else
// what is wrong with it. Facts: Slurm 24.11, cpu_frequency.c, tres_frequency.c, acct_gather.c,
// slurm_rlimits_info.c. Every function is total and linear.

/// --acctg-freq: intervals, e.g. `30` or `task=30,energy=10`.
std::optional<std::string> wrong_acctg_freq(std::string_view text);

/// --cpu-freq: P1[-P2][:P3]. A range without a governor is refused, as on a cluster that sets no
/// CpuFreqDef.
std::optional<std::string> wrong_cpu_freq(std::string_view text);

/// --gpu-freq: VALUE, memory=VALUE, verbose.
std::optional<std::string> wrong_gpu_freq(std::string_view text);

/// --propagate: ALL, NONE, or names of resource limits.
std::optional<std::string> wrong_propagate(std::string_view text);

}  // namespace sconverge
