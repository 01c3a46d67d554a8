#pragma once

#include "controller/core/history.h"
#include "controller/core/slurm_job.h"

namespace sconverge {

/// What a job in a final state means for its attempt.
/// REQUIRES: job.state.final()
Outcome outcome_of(const SlurmJob& job);

/// The same of a job array, from all that is known of its tasks: any failed makes it failed, else
/// any lost lost, else any cancelled cancelled.
/// REQUIRES: no task is pending or running
Outcome outcome_of(const SlurmJob& job, const ArrayTasks& tasks);

/// Takes what Slurm shows of the attempt's job into the attempt, its outcome excepted.
/// `observed_at` is when the look began: a job seen alive after a cancel should have worked shows
/// that it did not.
void see(Attempt& attempt, const SlurmJob& job, TimePoint observed_at);

}  // namespace sconverge
