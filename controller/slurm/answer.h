#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "controller/core/job_record.h"
#include "controller/core/slurm_job.h"
#include "controller/core/state_list.h"
#include "controller/ports/transport.h"
#include "controller/slurm/job_row.h"

namespace sconverge {

/// One of an answer's `errors[]`, or the failure that it reports for one job (`results[]`,
/// `status[]`). Text is one line without control characters.
struct SlurmComplaint {
  int number{0};       ///< Slurm's errno; 0 where it gave none
  std::string text{};  ///< what Slurm says, source included where it points into the request
  friend bool operator==(const SlurmComplaint&, const SlurmComplaint&) = default;
};

/// All of an answer that we can use.
struct AnswerBody {
  bool whole{false};    ///< a JSON object, well formed to its last byte
  std::string start{};  ///< the first bytes, one line, for messages about an answer that is none

  bool has_jobs{false};       ///< `jobs` is a list
  std::size_t all_jobs{0};    ///< its length
  std::size_t unreadable{0};  ///< of those without a job id or a state
  std::vector<JobRecord> jobs{};
  std::vector<JobId> ids{};  ///< of all readable ones, kept or not
  StateList states{};        ///< of rows of RowKind::State, none of which are kept

  std::vector<SlurmComplaint> errors{};
  std::vector<SlurmComplaint> job_failures{};
  std::vector<std::string> warnings{};
  /// What the warnings say was thrown away: fields that this API version does not know.
  std::vector<std::string> dropped_fields{};
  bool no_change{false};  ///< Slurm left the jobs out because nothing changed: they are not none

  std::optional<JobId> submitted{};  ///< answer to a submit
  std::string slurm_version{};
  std::string cluster_name{};
  std::optional<TimePoint> server_time{};  ///< answer to a diag
};

/// Which rows to keep; the others are only counted.
using KeepRow = std::function<bool(const JobRecord&)>;
inline bool keep_all(const JobRecord&) { return true; }
inline bool keep_marked(const JobRecord& record) { return record.job.mark.has_value(); }

/// Reads an answer of API v0.0.38 to v0.0.46 while it arrives, in every shape these give a field
/// (numbers plain, as {set, infinite, number}, as text or null; states as a word or a list; exit
/// codes as wait status or taken apart), with bytes that are not UTF-8. Total; needs memory only
/// for the rows it keeps.
AnswerBody read_answer(ByteSource& body, RowKind kind, const KeepRow& keep);

}  // namespace sconverge
