#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/differential/job_record.h"
#include "tests/e2e/lab.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {

/// What sbatch made of a script. Its exit code alone is the verdict: it prints "error:" about
/// scripts that it takes, too.
struct SbatchVerdict {
  int code{-1};
  std::string said{};    ///< on both streams
  std::uint32_t job{0};  ///< 0: none
};

/// What `sconverge validate` says about a script.
struct ValidateProblem {
  int line{0};
  std::string what{};
};

/// The corpus in the lab, and the two ways from a script to a job: sbatch as a user in the lab, and
/// `sconverge apply --once` with the same environment and working directory.
///
/// No job starts, since all nodes are drained meanwhile. Slurm still refuses what no node could
/// ever run, which it would not do with held jobs. Everything is undone at the end.
class TwoWays {
 public:
  TwoWays();
  TwoWays(const TwoWays&) = delete;
  TwoWays& operator=(const TwoWays&) = delete;
  ~TwoWays();

  /// By script. Each is submitted, whatever came of the others.
  std::map<std::string, SbatchVerdict> sbatch(const std::string& folder);
  /// The ids of the scripts that became jobs.
  std::map<std::string, std::uint32_t> apply(const std::string& folder);
  /// What `apply` said last, for a failure's message.
  [[nodiscard]] const std::string& told() const { return told_; }

  /// `sconverge validate --cluster`: the problems by script, of those that have any.
  std::map<std::string, std::vector<ValidateProblem>> validate(const std::string& folder);

  /// The jobs submitted since the last time, by id. They are cancelled then: jobs of the one way
  /// must not be what those of the other wait for.
  std::map<std::uint32_t, JobRecord> take_records();

 private:
  [[nodiscard]] std::vector<std::string> connection() const;
  void cancel();

  Lab& lab_{Lab::at_hand()};
  TempDirectory directory_{};
  std::string log_{};
  std::uintmax_t log_begins_{0};
  std::vector<std::uint32_t> jobs_{};
  std::string told_{};
};

}  // namespace sconverge::test
