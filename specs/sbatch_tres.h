#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "specs/sbatch_text.h"

namespace sconverge {

// Texts of trackable resources as sbatch writes and reads them. Facts: Slurm 24.11,
// slurm_protocol_defs.c, slurm_opt.c, gres.c, tried with sbatch. Every function is total and
// linear.

/// `2,a100:1` behind --gpus and its like: `gres/gpu:2,gres/gpu:a100:1`.
std::string gpus_as_tres(std::string_view gpus);

/// The value of --gres with `gres/` in front of each part, also of none; `none` asks for nothing
/// and is empty.
std::string gres_as_tres(std::string_view gres);

/// One generic resource of a text like `gres/gpu:a100:2,gres/shard=1`.
struct SbatchGres {
  std::string name{};
  std::string type{};  ///< empty: any
  std::int64_t count{1};
};

/// The generic resources of the text, those of count zero left out, and all that is no generic
/// resource (`cpu=4`). A count may have K, M, G, T or P behind it.
SbatchValue<std::vector<SbatchGres>> generic_resources(std::string_view tres);

/// --tres-per-task in the form in which sbatch sends it: `gres:gpu=1` is `gres/gpu=1`.
std::string tres_per_task_form(std::string_view text);

/// The name of the first kind of resource that --tres-per-task may not have (mem, node, ...);
/// empty if all are fine.
std::string_view forbidden_per_task(std::string_view tres);

/// The first part of --tres-per-task, in the form above, that is neither CPUs nor a generic
/// resource nor a licence; empty if there is none.
std::string_view unknown_per_task(std::string_view tres);

/// The text behind the first `name`, whatever its case, as sbatch looks for it; nothing if it is
/// not there.
std::optional<std::string_view> behind_name(std::string_view tres, std::string_view name);

/// What --gpus-per-task comes to in --tres-per-task: `gres/gpu` or `gres/gpu:TYPE`, and a number.
/// sbatch only looks at the first type.
struct SbatchGpusPerTask {
  std::string name{};
  std::int64_t count{0};
};
SbatchGpusPerTask gpus_per_task(std::string_view text);

/// The binding that sbatch adds for each generic resource of --tres-per-task that `tres_bind`
/// does not name: `gres/gpu:per_task:1`.
std::string with_task_binding(std::string tres_bind, std::string_view tres_per_task);

}  // namespace sconverge
