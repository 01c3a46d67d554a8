#pragma once

#include <map>
#include <string>

namespace sconverge {

/// What a cluster's threads are doing at one moment, which no report can tell.
struct ClusterActivity {
  bool ticking{false};
  int requests_in_flight{0};

  friend bool operator==(const ClusterActivity&, const ClusterActivity&) = default;
};

using ClusterActivities = std::map<std::string, ClusterActivity>;  ///< by cluster

}  // namespace sconverge
