#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "specs/job_spec.h"
#include "specs/sbatch_options.h"

namespace sconverge {

/// What sbatch would ask of Slurm for a script's options, in the fields of the REST API.
///
/// Values are canonical (job_spec.h, job_field.h). Facts: Slurm 24.11, sbatch's option processing
/// (sbatch/opt.c, common/slurm_opt.c, common/proc_args.c, the client's check of GRES).
struct SbatchRequest {
  /// Never `environment` and never `hold`, which have members of their own. Only what the options
  /// ask for and what sbatch derives from them; none of sbatch's defaults for a script without
  /// options (name, working directory, `slurm-%j.out`).
  JobFields fields{};

  /// Field (also `environment` and `hold`) to the line of the last directive that set it, or that
  /// it is derived from.
  std::map<std::string, int, std::less<>> lines{};

  /// KEY=value, sorted by key: what --export sets, and what sbatch adds of its own for the batch
  /// step (SLURM_NTASKS, SLURM_GPUS, the launcher variables of MPI, ...). Not what depends on the
  /// machine and the process that submits: SLURM_RLIMIT_*, SLURM_SUBMIT_DIR, SLURM_SUBMIT_HOST,
  /// SLURM_PRIO_PROCESS, SLURM_UMASK, SLURM_CONF.
  std::vector<std::string> environment{};

  /// Whether `environment` is laid over the submitter's environment (--export=ALL, or none given);
  /// else it is, with `inherited_names`, the whole.
  bool inherits_environment{true};

  /// --export=A,B without ALL: names taken from the submitter's environment where it has them.
  std::vector<std::string> inherited_names{};

  bool hold{false};

  /// What sbatch or Slurm's own rules between options refuse, and what the REST API cannot carry.
  /// While there are any, the rest is not to be used.
  std::vector<ScriptProblem> problems{};

  /// Dropped with a reason, or changed as sbatch would (-N 4 -n 2 asks for two nodes).
  std::vector<ScriptProblem> notes{};
};

/// Total: any option names, values and lines; never throws. Linear in the length of the options
/// but for lists of hosts, of which at most 65536 are counted.
///
/// `script.problems` and `script.notes` are the caller's: they are not repeated here. An option
/// name that is not sbatch's is a problem. Reads the local time zone (--begin, --deadline) and
/// nothing else of the machine; the same options give the same request at any time of day.
SbatchRequest sbatch_request(const SbatchOptions& script);

}  // namespace sconverge
