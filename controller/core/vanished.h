#pragma once

#include <vector>

#include "controller/core/history.h"
#include "controller/core/policy.h"

namespace sconverge {

/// Our jobs that left Slurm together without anybody saying how they ended, if they are more than
/// the policy lets pass (more than `vanish_minimum` and more than `vanish_percent` of our jobs,
/// within an hour): a lost state directory or a wrong cluster, not so many ends. Empty otherwise.
/// Stays until each is approved.
std::vector<SpecName> vanished_together(const History& history, const Policy& policy);

}  // namespace sconverge
