#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "controller/core/array_tasks.h"
#include "controller/core/result.h"
#include "controller/core/slurm_job.h"
#include "controller/core/time.h"
#include "specs/desired.h"

namespace sconverge {

/// How an attempt ended.
enum class OutcomeKind {
  Succeeded,
  Failed,
  Cancelled,  ///< by us if `Attempt::cancel` is set, else by somebody else
  Rejected,   ///< Slurm refused the submit; there never was a job
  Abandoned,  ///< proven never to have reached Slurm, and no longer wanted
  Lost,       ///< it was there, and nobody can say how it ended
};

struct Outcome {
  OutcomeKind kind{OutcomeKind::Lost};
  std::string state{};  ///< Slurm's words, e.g. "OUT_OF_MEMORY"
  std::optional<int> exit_code{};
  std::optional<int> signal{};
  std::optional<TimePoint> ended{};
  std::string message{};  ///< Slurm's text of a refusal; who cancelled

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// Why we cancel a job.
enum class CancelCause { Removed, Superseded, Duplicate };

struct CancelRequest {
  CancelCause cause{CancelCause::Removed};
  TimePoint at{};
  /// A job seen alive after this time was not reached by the request, which is then forgotten.
  TimePoint effective_by{};

  friend bool operator==(const CancelRequest&, const CancelRequest&) = default;
};

/// What became of our own wish to hold the job (`suspend: true`). A hold without it is a person's.
enum class OurHold {
  None,
  Requested,  ///< written down before it is sent
  Seen,       ///< Slurm showed the job held afterwards
  Overruled,  ///< a person released it; not fought
};

/// One submission, written down before it is sent (the intent) and completed as answers come in.
struct Attempt {
  int run{1};
  int attempt{1};
  Generation generation{};
  std::string token{};
  std::string digest{};    ///< SHA-256 of what is sent
  std::string job_name{};  ///< Slurm's job name; accounting is asked by it
  TimePoint intended{};    ///< when it was first written down
  TimePoint sent{};        ///< when it was last about to be sent; the doubt window counts from here

  /// False once an answer proved that the last send did not reach Slurm: it may be sent again at
  /// once. True from the moment before sending until an answer.
  bool in_doubt{true};
  int refusals{0};                        ///< sends in a row that a limit turned away
  std::optional<TimePoint> not_before{};  ///< do not send again earlier
  std::string send_error{};               ///< why the last send failed

  std::optional<JobId> job{};
  std::optional<TimePoint> submitted{};  ///< Slurm's submit time
  std::optional<TimePoint> started{};
  JobState state{};      ///< as last seen
  std::string reason{};  ///< Slurm's own, as last seen
  bool held{false};
  OurHold our_hold{OurHold::None};
  int restarts{0};

  std::string array{};  ///< the tasks it asked for, in canonical text; empty: it is no job array
  ArrayTasks tasks{};   ///< as last seen; an end once seen is kept, though Slurm forgets it

  int unseen{0};  ///< complete observations in a row without it; counted up to 2
  std::optional<TimePoint> unseen_since{};
  bool accounting_unanswered{false};  ///< it is gone, and accounting could not be asked

  std::optional<CancelRequest> cancel{};
  std::optional<Outcome> outcome{};
  std::optional<Generation>
      update_refused{};                     ///< Slurm refused to change the job into this in place
  std::map<JobId, TimePoint> duplicates{};  ///< further jobs with this token; when last cancelled

  friend bool operator==(const Attempt&, const Attempt&) = default;
};

/// Everything durable about one spec. Of `attempts` the newest `kKeptAttempts` are kept; `done`
/// keeps what the others finished. A removed spec's entry stays, so that a restored file runs
/// nothing twice.
struct SpecHistory {
  JobSpecPtr accepted{};  ///< the last valid spec read; it stays in force while its file is invalid
  JobSpecPtr submitted{};     ///< what the newest attempt was made from (or updated to)
  Generation wanted{};        ///< generation of `accepted`
  std::string file{};         ///< where `accepted` was read
  TimePoint accepted_at{};    ///< first time this name was accepted
  TimePoint generation_at{};  ///< when the present generation was first accepted
  std::optional<TimePoint> converged_at{};  ///< when Slurm first agreed with the present generation

  std::vector<Attempt> attempts{};  ///< oldest first
  std::map<Generation, Attempt>
      done{};  ///< finished generations: they never run again by themselves

  std::optional<Generation> rerun{};  ///< somebody asked for this generation to run once more

  std::optional<TimePoint> missing_since{};    ///< first complete snapshot without it
  bool removal_approved{false};                ///< somebody approved cancelling it
  std::optional<TimePoint> vanish_approved{};  ///< somebody accepted that its job has vanished

  /// The attempt that stands for the newest run; null if there is none. A run has one, unless
  /// another controller of our id submitted it, too: then the one with the earliest of the live
  /// jobs.
  [[nodiscard]] const Attempt* newest() const;
  [[nodiscard]] Attempt* newest();

  friend bool operator==(const SpecHistory&, const SpecHistory&) = default;
};

inline constexpr std::size_t kKeptAttempts = 20;

/// The memory of one controller about one cluster.
using History = std::map<SpecName, SpecHistory>;

/// How an ended attempt counts; once per attempt.
struct Termination {
  SpecName spec{};
  Outcome outcome{};
  std::optional<CancelCause> cancel{};

  friend bool operator==(const Termination&, const Termination&) = default;
};

/// The newest attempt of `generation` that was no duplicate of another, and whether it finished
/// that generation for good: it ended, and not because we ended it or because it never reached
/// Slurm. Null if there is none.
const Attempt* last_attempt_of(const SpecHistory& entry, const Generation& generation);
bool finishes(const Attempt& attempt);

/// We cancelled its job as a second one of its run: it says nothing about the run.
bool ended_as_duplicate(const Attempt& attempt);

/// Slurm shows, or last showed, the attempt's job as not yet ended.
bool has_live_job(const Attempt& attempt);

/// An attempt that may have, or has, a job in Slurm whose end has not been seen.
bool is_open(const Attempt& attempt);

/// Its job waits, and no task of it can have begun.
bool is_untouched(const Attempt& attempt);

/// The tasks that the attempt asked for; empty if it is no job array, or that is not known.
IndexSet declared_tasks(const Attempt& attempt);

/// Those of them that Slurm does not show and whose end was not seen.
IndexSet missing_tasks(const Attempt& attempt);

}  // namespace sconverge
