#pragma once

#include <optional>
#include <string>
#include <vector>

#include "controller/core/history.h"
#include "controller/core/observation.h"
#include "controller/core/policy.h"

namespace sconverge {

/// Something a list of jobs leaves open about one attempt and that must be asked before anything
/// may be concluded: is its job really gone, and how did it end.
struct Question {
  std::string token;
  std::optional<JobId> job{};  ///< ask for this job alone first
  bool ask_accounting{false};
  /// The list shows the job, an array, and that what it shows of it has ended; but not all tasks.
  bool tasks_missing{false};
  std::string job_name{};  ///< accounting is asked by name, user and submit time
  TimePoint submitted_after{};
};

/// What to ask after `observed`. Pure. Asks nothing while every open attempt is in the list.
std::vector<Question> questions(const History& history, const Observation& observed,
                                const Policy& policy);

}  // namespace sconverge
