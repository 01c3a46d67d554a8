#pragma once

#include <string>

#include "controller/app/status_view.h"

namespace sconverge {

/// The status page for a terminal; any text in it is made printable.
std::string status_text(const StatusView& view, const std::string& version);

/// "http://host:6820, Slurm 24.11.5, API v0.0.42, as alice", as far as it is known.
std::string connection_text(const ClusterView& cluster);

/// "5 files read, 1 refused, 2 left alone", without what there is none of.
std::string files_text(const TickView& tick);

/// "3s ago, took 120ms"; "none yet" before the first.
std::string tick_text(const TickView& tick, TimePoint now);

}  // namespace sconverge
