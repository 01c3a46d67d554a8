#pragma once

#include <string>

#include "controller/app/table.h"
#include "controller/core/report.h"

namespace sconverge {

/// What happened in a tick, for people at a terminal: one line a transition and failed action; ""
/// if nothing did.
std::string report_text(const TickReport& report, Paint paint);

}  // namespace sconverge
