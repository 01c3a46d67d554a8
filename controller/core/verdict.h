#pragma once

#include "controller/core/history.h"
#include "controller/core/status.h"

namespace sconverge {

/// Where an attempt with a live job stands, from what Slurm showed of it.
Verdict verdict_of_live(const Attempt& attempt);

/// Where an ended attempt leaves its spec.
/// REQUIRES: attempt.outcome
Verdict verdict_of_outcome(const Attempt& attempt);

/// The tasks of the attempt's job array, for people; all zero if it is none.
TaskSummary summary_of(const Attempt& attempt);

/// Where an attempt without a job stands: sent and unanswered, or waiting to be sent again.
Verdict verdict_of_intent(const Attempt& attempt);

}  // namespace sconverge
