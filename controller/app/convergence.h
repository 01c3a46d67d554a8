#pragma once

#include <string>
#include <vector>

#include "controller/app/exit_code.h"
#include "controller/core/report.h"

namespace sconverge {

/// How far a set of specs has come.
struct Convergence {
  int total{0};
  int settled{0};  ///< nothing more will happen by itself
  int failed{0};   ///< settled, and the job did not succeed
  int invalid{0};
  int blocked{0};                      ///< settled until somebody approves
  std::vector<std::string> trouble{};  ///< one line for each that failed, is invalid or blocked

  /// There is nothing left to wait for.
  [[nodiscard]] bool done() const { return settled == total; }

  /// "3/20 settled: 12 Running, 5 Pending".
  std::string progress{};
};

/// Pure.
Convergence convergence_of(const std::vector<SpecStatus>& statuses);

/// How `apply` ends, from its last report of each cluster. With `waited` what became of the jobs
/// counts, too; without it only what this tick did. Pure.
ExitCode code_of(const std::vector<TickReport>& reports, bool waited);

}  // namespace sconverge
