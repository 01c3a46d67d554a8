#pragma once

#include "specs/job_spec.h"
#include "specs/walk.h"

namespace sconverge {

/// Holds the fields of `spec.job`, read from the map `node`, against each other, and reports what
/// Slurm would refuse or settle by chance; what it takes and hardly is meant is noted. Each is told
/// at the key of a field that it is about.
void check_field_rules(const JobFields& fields, const DocumentNode& node, const Place& place,
                       ProblemSink& problems);

}  // namespace sconverge
