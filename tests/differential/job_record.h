#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace sconverge::test {

using Fields = std::map<std::string, std::string>;

/// One submitted job, as far as a submitter can have a say in it.
struct JobRecord {
  std::uint32_t id{0};
  Fields request{};      ///< what slurmctld got (slurmctld_log.h)
  Fields job{};          ///< what it made of it: a job of `GET /jobs/`, one text a field
  Fields environment{};  ///< of the batch script, as slurmctld keeps it
  std::string script{};  ///< likewise
};

struct Difference {
  std::string field{};   ///< "request.nice", "job.tasks", "environment.SLURM_NTASKS", "script"
  std::string theirs{};  ///< "(absent)" where there is none
  std::string ours{};

  friend bool operator==(const Difference&, const Difference&) = default;
  friend void PrintTo(const Difference& difference, std::ostream* out) {
    *out << difference.field << ": sbatch \"" << difference.theirs << "\", sconverge \""
         << difference.ours << "\"";
  }
};

/// A field that tells who submitted and when, not what; its name may end in `*`.
struct NotCompared {
  std::string_view field{};
  std::string_view because{};
};

const std::vector<NotCompared>& not_compared();

/// Every field in which two jobs differ, but for those of not_compared(), the controller's mark at
/// the end of a comment and each job's own id in the paths of its output.
std::vector<Difference> differences(const JobRecord& theirs, const JobRecord& ours);

/// The jobs in an answer of the REST API, by id. Empty if it is none.
std::map<std::uint32_t, Fields> jobs_in(std::string_view answer);

/// slurmctld's file of a job's environment: a count in four bytes, then texts that end with a null.
Fields environment_in(std::string_view file);

}  // namespace sconverge::test
