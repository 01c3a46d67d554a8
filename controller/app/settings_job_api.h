#pragma once

#include <span>

#include "controller/app/settings.h"

namespace sconverge {

// The rows of `settings` that belong to the Slurm Job API: to its client, and to the gateway.

std::span<const Setting> job_api_settings();
std::span<const Setting> gateway_settings();

}  // namespace sconverge
