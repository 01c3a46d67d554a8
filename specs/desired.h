#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "specs/job_spec.h"
#include "specs/problem.h"

namespace sconverge {

/// One consistent snapshot of everything declared. Unavailable is never empty: unless `complete`,
/// nothing may be concluded from a spec's absence.
struct Desired {
  std::map<SpecName, JobSpecPtr> specs{};

  /// Names that are declared, but whose present text cannot be used, with what is wrong. They are
  /// still declared: their last accepted spec stays in force.
  std::map<SpecName, std::vector<Problem>> invalid{};

  /// Files with a problem. A spec last accepted from one of them counts as declared.
  std::set<std::string> invalid_files{};

  /// False if some refused file does not even tell the names it declares (a syntax error): then a
  /// name that is missing here may be declared in that file.
  bool names_known{true};

  std::vector<Problem> problems{};
  std::vector<Problem> notes{};  ///< of all files that were read (SpecFile::notes)

  /// Every file was read in one consistent state. False by default: proof comes first.
  bool complete{false};
  std::string incomplete_reason{};  ///< a sentence; empty when complete

  std::string
      revision{};  ///< git-sync's link target, else .git/HEAD's commit, else a content digest

  int valid_files{0};
  int ignored_files{0};
};

}  // namespace sconverge
