#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <variant>

#include "controller/core/plan.h"
#include "controller/core/result.h"
#include "controller/core/status.h"

// Readable failures. GoogleTest finds these by the namespace of the type.
namespace sconverge {

inline void PrintTo(const SpecName& name, std::ostream* out) { *out << to_text(name); }
inline void PrintTo(const JobId& id, std::ostream* out) { *out << "job " << id.value; }

inline void PrintTo(const Verdict& verdict, std::ostream* out) {
  *out << to_text(verdict.phase) << "/" << to_text(verdict.reason) << " \"" << verdict.message
       << "\"";
}

inline const char* name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Unavailable:
      return "Unavailable";
    case ErrorKind::Unknown:
      return "Unknown";
    case ErrorKind::Rejected:
      return "Rejected";
    case ErrorKind::Denied:
      return "Denied";
  }
  return "?";
}

inline const char* name_of(CancelCause cause) {
  switch (cause) {
    case CancelCause::Removed:
      return "Removed";
    case CancelCause::Superseded:
      return "Superseded";
    case CancelCause::Duplicate:
      return "Duplicate";
  }
  return "?";
}

inline const char* name_of(OutcomeKind kind) {
  switch (kind) {
    case OutcomeKind::Succeeded:
      return "Succeeded";
    case OutcomeKind::Failed:
      return "Failed";
    case OutcomeKind::Cancelled:
      return "Cancelled";
    case OutcomeKind::Rejected:
      return "Rejected";
    case OutcomeKind::Abandoned:
      return "Abandoned";
    case OutcomeKind::Lost:
      return "Lost";
  }
  return "?";
}

inline void PrintTo(const Error& error, std::ostream* out) {
  *out << name_of(error.kind) << " \"" << error.message << "\"";
  if (error.slurm_errno != 0) *out << " errno " << error.slurm_errno;
  if (error.retry_slowly) *out << " retry slowly";
}

inline void PrintTo(const Done&, std::ostream* out) { *out << "done"; }

template <typename T>
void PrintTo(const Result<T>& result, std::ostream* out) {
  if (result) {
    *out << testing::PrintToString(result.value());
  } else {
    PrintTo(result.error(), out);
  }
}

inline void PrintTo(const Outcome& outcome, std::ostream* out) {
  *out << name_of(outcome.kind) << " " << outcome.state;
  if (outcome.exit_code) *out << " exit code " << *outcome.exit_code;
  if (!outcome.message.empty()) *out << " \"" << outcome.message << "\"";
}

inline void PrintTo(const JobState& state, std::ostream* out) { *out << state.words; }

inline void PrintTo(const SlurmJob& job, std::ostream* out) {
  *out << "job " << job.id.value << " \"" << job.name << "\" of " << job.user << ", "
       << job.state.words;
  if (job.held) *out << ", held";
  if (!job.reason.empty()) *out << ", " << job.reason;
  if (job.mark) {
    *out << ", mark of " << job.mark->controller << " for " << to_text(job.mark->spec) << "@"
         << job.mark->generation << " run " << job.mark->run << " attempt " << job.mark->attempt
         << " token " << job.mark->token;
  }
}

inline void PrintTo(const Attempt& attempt, std::ostream* out) {
  *out << "run " << attempt.run << " attempt " << attempt.attempt << " of " << attempt.generation
       << " token " << attempt.token;
  if (attempt.in_doubt) *out << ", in doubt";
  if (attempt.job) *out << ", job " << attempt.job->value << " " << attempt.state.words;
  if (attempt.unseen > 0) *out << ", unseen " << attempt.unseen << " times";
  if (attempt.cancel) *out << ", cancel asked (" << name_of(attempt.cancel->cause) << ")";
  if (attempt.outcome) *out << ", ended " << testing::PrintToString(*attempt.outcome);
}

inline void PrintTo(const std::vector<FieldChange>& changes, std::ostream* out) {
  for (const FieldChange& change : changes) {
    *out << " " << change.field << ": " << change.from << " -> " << change.to << ";";
  }
}

inline void PrintTo(const Submit& submit, std::ostream* out) {
  *out << (submit.resend ? "send again " : "submit ") << to_text(submit.spec) << "@"
       << submit.generation << " run " << submit.run << " attempt " << submit.attempt;
}

inline void PrintTo(const Update& update, std::ostream* out) {
  *out << "update " << to_text(update.spec) << "@" << update.generation << " job "
       << update.job.value << ":";
  PrintTo(update.changes, out);
}

inline void PrintTo(const SetHold& hold, std::ostream* out) {
  *out << (hold.hold ? "hold " : "release ") << to_text(hold.spec) << " job " << hold.job.value;
}

inline void PrintTo(const Cancel& cancel, std::ostream* out) {
  *out << "cancel " << to_text(cancel.spec) << " job " << cancel.job.value << " ("
       << name_of(cancel.cause) << ")";
  PrintTo(cancel.changes, out);
}

inline void PrintTo(const GuardHit& hit, std::ostream* out) {
  *out << to_text(hit.guard) << " for " << testing::PrintToString(hit.specs) << " \"" << hit.message
       << "\"";
}

}  // namespace sconverge

namespace sconverge::test {

/// A Verdict of this phase and reason, whatever its message.
MATCHER_P2(Stands, phase, reason,
           "stands at " + std::string(to_text(phase)) + "/" + std::string(to_text(reason))) {
  return arg.phase == phase && arg.reason == reason;
}

MATCHER(Works, negation ? "fails" : "works") { return arg.ok(); }

MATCHER_P(FailsWith, kind, "fails with " + std::string(name_of(kind))) {
  return !arg.ok() && arg.error().kind == kind;
}

MATCHER_P(Submits, name, "submits " + to_text(name)) {
  const auto* action = std::get_if<Submit>(&arg);
  return action != nullptr && action->spec == name && !action->resend;
}

MATCHER_P(SendsAgain, name, "sends " + to_text(name) + " again") {
  const auto* action = std::get_if<Submit>(&arg);
  return action != nullptr && action->spec == name && action->resend;
}

MATCHER_P2(Updates, name, job, "updates " + to_text(name) + "'s job") {
  const auto* action = std::get_if<Update>(&arg);
  return action != nullptr && action->spec == name && action->job == job;
}

MATCHER_P2(Holds, name, job, "holds " + to_text(name) + "'s job") {
  const auto* action = std::get_if<SetHold>(&arg);
  return action != nullptr && action->spec == name && action->job == job && action->hold;
}

MATCHER_P2(Releases, name, job, "releases " + to_text(name) + "'s job") {
  const auto* action = std::get_if<SetHold>(&arg);
  return action != nullptr && action->spec == name && action->job == job && !action->hold;
}

MATCHER_P2(Cancels, job, cause,
           "cancels job " + std::to_string(job.value) + " as " + name_of(cause)) {
  const auto* action = std::get_if<Cancel>(&arg);
  return action != nullptr && action->job == job && action->cause == cause;
}

}  // namespace sconverge::test
