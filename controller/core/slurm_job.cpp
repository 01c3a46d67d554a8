#include "controller/core/slurm_job.h"

#include <algorithm>

namespace sconverge {

std::string to_text(JobId id) { return std::to_string(id.value); }

bool SlurmJob::untouched() const {
  return state.base == BaseState::Pending && !state.completing &&
         std::all_of(tasks.begin(), tasks.end(), [](const TaskGroup& group) {
           return group.state.base == BaseState::Pending && !group.state.completing;
         });
}

}  // namespace sconverge
