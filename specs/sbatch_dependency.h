#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sconverge {

// What sbatch hands on as it is and Slurm's controller then refuses whatever the cluster: nothing
// if the text is in order. Facts: Slurm 24.11, job_scheduler.c. Both functions are total and linear
// (but for the features, which are at most 64 KiB).

/// --dependency: KIND:ID[:ID...], singleton, or an id alone, parted by commas or question marks.
std::optional<std::string> wrong_dependency(std::string_view text);

/// --batch beside --constraint: a feature that the nodes of the job need not have.
std::optional<std::string> wrong_batch_features(std::string_view batch,
                                                std::string_view constraints);

}  // namespace sconverge
