#pragma once

#include <span>

#include "specs/job_field_text.h"

namespace sconverge {

/// The part of job_field_texts() about what a job asks for: nodes, tasks, CPUs, memory, GPUs and
/// how they are laid out and bound. In no order.
std::span<const JobFieldText> job_resource_texts();

}  // namespace sconverge
