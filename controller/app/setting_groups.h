#pragma once

#include "controller/app/settings.h"

namespace sconverge {

// Which verbs take a setting as a flag.

bool is_about_clusters(const Setting& setting);  ///< how one is reached, and which is the default
bool is_about_gateways(const Setting& setting);
/// Of verbs that run a controller, or look as one.
bool is_about_controllers(const Setting& setting);

}  // namespace sconverge
