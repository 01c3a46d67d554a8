#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "specs/job_spec.h"

namespace sconverge {

/// A job as slurmctld shows it, in the fields with which it would be submitted again.
struct DescribedFields {
  JobFields fields{};
  bool is_array_begun{false};  ///< some tasks are records of their own: the array is not all told
};

/// What accounting keeps of a job's submission.
struct AccountedSubmission {
  std::string script{};
  std::string standard_output{};  ///< a pattern, not expanded
  std::string standard_error{};
};

/// From /slurm/.../job/{job_id}, v0.0.40 to v0.0.45; nothing if it tells no job of this id.
std::optional<DescribedFields> described_fields_in(std::string_view answer, std::int64_t job);

/// From /slurmdb/.../jobs/?step={job_id}&show_batch_script=true; nothing if it tells no such job.
std::optional<AccountedSubmission> accounted_submission_in(std::string_view answer,
                                                           std::int64_t job);

}  // namespace sconverge
