#pragma once

#include <string>
#include <vector>

#include "controller/core/time.h"

namespace sconverge {

/// What sbatch would take from its caller's surroundings and REST does not (slurmrestd refuses a
/// job without environment or working directory).
struct SubmitDefaults {
  std::string working_directory{"/tmp"};
  std::vector<std::string> environment{};  ///< "KEY=value"

  friend bool operator==(const SubmitDefaults&, const SubmitDefaults&) = default;
};

/// The numbers and names a plan depends on besides the world.
struct Policy {
  std::string controller_id;
  SubmitDefaults defaults{};
  seconds prune_grace{30};
  seconds request_timeout{60};   ///< after this long a request has been answered or never will be
  milliseconds interval{10000};  ///< between two observations
  int prune_minimum{5};          ///< removals an hour that are always allowed
  int prune_percent{20};
  int vanish_minimum{5};
  int vanish_percent{30};

  friend bool operator==(const Policy&, const Policy&) = default;
};

}  // namespace sconverge
