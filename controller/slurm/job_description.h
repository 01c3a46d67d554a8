#pragma once

#include <memory>
#include <string>
#include <vector>

#include "controller/core/result.h"
#include "controller/core/slurm_job.h"
#include "controller/ports/transport.h"
#include "specs/job_spec.h"

namespace sconverge {

/// What a job was submitted with, as far as Slurm tells.
struct JobDescription {
  JobFields fields{};    ///< canonical; only what differs from what a job has that asks for nothing
  std::string script{};  ///< empty: Slurm does not tell (AccountingStoreFlags without job_script)
  std::vector<std::string> notes{};  ///< what could not be told, each a sentence for people
};

/// Reads a job that slurmctld still knows, and what accounting has kept of it. Slurm 24.11 shows of
/// no job: signal, open mode, distribution, overcommit, no-kill, wait-all-nodes and the
/// environment. `pinned`: the API version to use; empty: the newest that both sides know. An Error
/// if slurmctld does not tell of such a job.
Result<JobDescription> read_job_description(std::unique_ptr<Transport> transport,
                                            const std::string& pinned, JobId job);

}  // namespace sconverge
