#pragma once

#include <string>

#include "controller/core/submission.h"
#include "specs/job_spec.h"

namespace sconverge {

/// The body of a submit: `{"job": {...}, "script": "..."}`.
std::string submit_body(const Submission& submission);

/// The body of an update: the bare job description with these fields alone. Numbers are written as
/// each field wants them (job_field.h), never as null: Slurm reads null as 0. Of `array` it
/// holds the throttle.
std::string update_body(const JobFields& fields);

/// The body of an update that holds a pending job, or releases it.
std::string hold_body(bool hold);

}  // namespace sconverge
