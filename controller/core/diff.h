#pragma once

#include <string>
#include <vector>

#include "specs/job_spec.h"

namespace sconverge {

/// One field's change, for people. A script or an environment is only said to have changed: their
/// content must not reach logs.
struct FieldChange {
  std::string field;
  std::string from;  ///< empty: not set
  std::string to;    ///< empty: not set
  friend bool operator==(const FieldChange&, const FieldChange&) = default;
};

struct SpecDiff {
  std::vector<FieldChange> changes{};
  bool in_place{true};  ///< Slurm can make all of them on a pending job
};

/// What differs in the work (job fields and script) from `before` to `after`.
SpecDiff diff(const JobSpec& before, const JobSpec& after);

/// A field's value as a person would write it.
std::string to_text(const FieldValue& value);

}  // namespace sconverge
