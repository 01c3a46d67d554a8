#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "controller/core/diff.h"
#include "controller/core/guard.h"
#include "controller/core/history.h"
#include "controller/core/observation.h"
#include "controller/core/policy.h"
#include "controller/core/status.h"
#include "specs/desired.h"

namespace sconverge {

/// Send a new job, or an old intent that provably never arrived once more (same token).
struct Submit {
  SpecName spec;
  JobSpecPtr content;
  Generation generation;
  int run{1};
  int attempt{1};
  bool resend{false};
  friend bool operator==(const Submit&, const Submit&) = default;
};

/// Change a pending job in place to a new generation.
struct Update {
  SpecName spec;
  JobId job;
  std::string token;
  JobSpecPtr content;
  Generation generation;
  std::vector<FieldChange> changes;
  friend bool operator==(const Update&, const Update&) = default;
};

/// Hold (`suspend: true`) or release a pending job.
struct SetHold {
  SpecName spec;
  JobId job;
  std::string token;
  bool hold{true};
  friend bool operator==(const SetHold&, const SetHold&) = default;
};

struct Cancel {
  SpecName spec;
  JobId job;
  std::string token;
  CancelCause cause{CancelCause::Removed};
  std::vector<FieldChange> changes{};  ///< Superseded: what made it unfit
  friend bool operator==(const Cancel&, const Cancel&) = default;
};

using Action = std::variant<Submit, Update, SetHold, Cancel>;

const SpecName& spec_of(const Action& action);

/// A change that waits for a running job to end, and then runs as a new job.
struct QueuedChange {
  JobId after;
  std::vector<FieldChange> changes;
  friend bool operator==(const QueuedChange&, const QueuedChange&) = default;
};

/// What to do now, where each spec stands, and when to look again at the latest.
struct Plan {
  std::vector<Action> actions{};
  std::map<SpecName, Verdict> verdicts{};
  std::map<SpecName, QueuedChange> queued{};
  std::vector<GuardHit> guards{};  ///< what was held back, and how to lift it
  std::optional<TimePoint> wake_at{};
};

/// Decides what brings the cluster closer to `desired`. Pure and total: the same arguments give the
/// same plan; it never throws, logs, waits or reads a clock.
///
/// REQUIRES: `history` has absorbed `desired` and `observed` (absorb.h).
/// PROMISES, each held by a test in tests/core/plan_test.cpp or tests/sim/:
///   - no Submit beside a job of the same spec that may be alive, or beside an unanswered intent;
///   - a finished generation is not submitted again unless somebody asked for a rerun;
///   - a job is cancelled for a missing spec only after two complete snapshots at least
///   `prune_grace`
///     apart, and only within the guards (guard.h);
///   - a running job is cancelled only as removed or as a duplicate;
///   - nothing to do when the cluster already is as desired.
Plan plan(const Desired& desired, const Observation& observed, const History& history,
          const Policy& policy, TimePoint now);

}  // namespace sconverge
