#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "specs/sbatch_text.h"

namespace sconverge {

/// The environment that --export asks for.
struct SbatchExport {
  bool inherits{true};            ///< the whole of the submitter's environment
  std::set<std::string> names{};  ///< taken from it one by one
  std::map<std::string, std::string, std::less<>> variables{};
};

/// `text` is the value of --export: ALL, NIL, NONE, or a list of NAME, NAME=VALUE and ALL, where
/// quotes hold a comma. All but ALL and NIL alone ask slurmd for the environment of a login
/// (SLURM_GET_USER_ENV=1), and all but ALL alone are handed on to srun (SLURM_EXPORT_ENV).
///
/// Facts: Slurm 24.11, sbatch.c and env.c. Never shows a value in a message: it may be secret.
/// Total and linear.
SbatchValue<SbatchExport> sbatch_export(std::string_view text);

}  // namespace sconverge
