#pragma once

#include <vector>

#include "specs/job_spec.h"
#include "specs/script.h"

namespace sconverge {

/// What reading the directives of a script found.
struct DirectiveFindings {
  std::vector<ScriptProblem> problems{};
  std::vector<ScriptProblem> notes{};
};

/// What a spec says in YAML about things that directives can ask for, too.
struct Said {
  bool suspend{false};
  bool inherit_environment{false};
};

/// Whose script it is. Of a Document a script without directives asks for nothing; an Sbatch file
/// gets what sbatch gives to any script, such as variables for launchers of MPI.
enum class ScriptForm { Document, Sbatch };

/// Lays what the directives of `spec.script` ask for (`#SBATCH`, `#PBS`, `#BSUB`, as sbatch reads
/// them) beneath what `spec` says: a field of `spec.job` wins over the option that sets the same
/// thing, before anything is derived from that option; a variable of `spec.job`'s environment wins
/// over the same variable of the directives; `said` wins over `--hold` and `--export`.
///
/// PROMISES: `spec.script` stays as it is. With a problem, `spec` is of no use.
DirectiveFindings apply_directives(JobSpec& spec, const Said& said, ScriptForm form);

/// What is wrong with the script of a body for job/submit. slurmrestd does not read directives, so
/// one that asks for something the body does not is a problem.
std::vector<ScriptProblem> check_body_script(const JobSpec& spec);

}  // namespace sconverge
