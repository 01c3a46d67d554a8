#pragma once

#include "controller/core/mark.h"
#include "controller/core/policy.h"
#include "specs/job_spec.h"

namespace sconverge {

/// Exactly what is sent: the spec's fields, what sbatch would have filled in, and the mark.
struct Submission {
  JobFields fields{};
  std::string script{};

  friend bool operator==(const Submission&, const Submission&) = default;
};

/// The defaults that `submission_of` adds for this spec (name, environment, working directory), for
/// showing them in a plan. `environment` is the whole one where the spec inherits any of it, and
/// then stands in place of the spec's own; so does the working directory where a directive gives
/// one that is relative to the configured one.
JobFields default_fields(const JobSpec& spec, const SubmitDefaults& defaults);

Submission submission_of(const JobSpec& spec, const Mark& mark, const SubmitDefaults& defaults);

/// The Slurm job name and comment that such a submission carries.
std::string job_name_of(const JobSpec& spec);
std::string comment_of(const JobSpec& spec, const Mark& mark);

/// The tasks of a job array, in canonical text; empty if the spec is no job array.
std::string array_of(const JobSpec& spec);

/// SHA-256 over all that is sent for `spec` but the mark.
std::string digest_of(const JobSpec& spec, const SubmitDefaults& defaults);

}  // namespace sconverge
