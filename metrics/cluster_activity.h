#pragma once

#include <atomic>

namespace sconverge {

/// What a cluster's threads are doing right now, which no report can tell. Written by them, read by
/// any.
struct ClusterActivity {
  std::atomic<bool> ticking{false};
  std::atomic<int> requests_in_flight{0};
};

}  // namespace sconverge
