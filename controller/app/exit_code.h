#pragma once

namespace sconverge {

/// How every verb ends. Scripts depend on these numbers: they never change their meaning.
enum class ExitCode {
  Ok = 0,
  Error = 1,             ///< something went wrong, or a job did not succeed
  Changes = 2,           ///< `plan --detailed-exitcode`: there is something to do
  Invalid = 3,           ///< a spec was refused
  Guarded = 4,           ///< held back by a guard until somebody approves
  TimedOut = 5,          ///< `apply --once --wait`: not done in time
  SlurmUnreachable = 7,  ///< Slurm did not answer
  Usage = 64,            ///< a wrong flag, variable or configuration file
};

}  // namespace sconverge
