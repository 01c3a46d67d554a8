#pragma once

#include <optional>

#include "specs/job_field.h"
#include "specs/job_spec.h"
#include "specs/walk.h"

namespace sconverge {

/// The value of a job field in canonical form; what is wrong with it is reported.
std::optional<FieldValue> read_job_value(const JobField& field, const DocumentNode& node,
                                         const Place& place, ProblemSink& problems);

/// Reads the map `spec.job`, all fields and the rules between them.
JobFields read_job(const DocumentNode& node, const Place& place, ProblemSink& problems);

}  // namespace sconverge
