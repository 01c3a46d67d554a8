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
/// showing them in a plan.
JobFields default_fields(const JobSpec& spec, const SubmitDefaults& defaults);

Submission submission_of(const JobSpec& spec, const Mark& mark, const SubmitDefaults& defaults);

/// SHA-256 of a submission, mark excluded.
std::string digest_of(const Submission& submission);

}  // namespace sconverge
