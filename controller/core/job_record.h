#pragma once

#include <optional>
#include <vector>

#include "controller/core/questions.h"
#include "controller/core/slurm_job.h"

namespace sconverge {

/// One row of Slurm's lists. A job array and a heterogeneous job have several: Slurm splits off a
/// row with an id of its own for each task that starts, and has one for each component.
struct JobRecord {
  SlurmJob job{};
  JobId group{};     ///< the array's, else the heterogeneous job's, else its own id
  IndexSet tasks{};  ///< of the array: one task, or all that have not begun
  bool cut{false};   ///< Slurm named only the first of them (TaskGroup::rest); `tasks` is empty

  friend bool operator==(const JobRecord&, const JobRecord&) = default;
};

/// One job for all records with the same group and token, under the id that its submit was answered
/// with. Its state is that of the liveliest record: any that runs, else any that waits, and once
/// all have ended any that failed, else any that was cancelled; so it is final only when every
/// record is. Order of first appearance.
std::vector<SlurmJob> joined(const std::vector<JobRecord>& records);

/// The job that was submitted under `id`, from all of its records, whatever marks they carry:
/// somebody may have rewritten the comment of some of an array's tasks. Whose the job is, and so
/// its mark, the record with that very id says. nullopt: no record is of it.
std::optional<SlurmJob> whole_job(const std::vector<JobRecord>& records, JobId id);

/// What accounting says about the attempt that `question` asks for: the rows whose mark carries its
/// token; and rows without any mark (Slurm keeps comments only with AccountingStoreFlags=
/// job_comment, and only once a job has ended) that have the id of one of those, or the id asked
/// for, and the name, the user and a submit time not before `submitted_after`. A requeue adds a row
/// to the same id: the newest one counts.
std::optional<SlurmJob> accounted(const std::vector<JobRecord>& rows, const Question& question,
                                  const std::string& user);

/// The jobs that nothing in `rows` tells apart from the job of a submit without an answer: no mark,
/// and the name, the user and a submit time that fit.
std::vector<SlurmJob> possible_jobs(const std::vector<JobRecord>& rows, const Question& question,
                                    const std::string& user);

}  // namespace sconverge
