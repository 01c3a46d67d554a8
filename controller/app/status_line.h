#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>

#include "controller/core/report.h"

namespace sconverge {

/// How a controller stands, in one line for a service manager: "3 specs: 1 Running, 2 Succeeded",
/// and which clusters' last tick failed. Any thread.
class StatusLine {
 public:
  /// A report that still comes from a cluster that is not shown (any more) is dropped.
  void take(const TickReport& report);
  /// Which clusters are shown from now on; none at first.
  void show(std::set<std::string> clusters);
  [[nodiscard]] std::string text() const;

 private:
  struct View {
    std::map<Phase, int> specs{};
    std::string failed_step{};
  };

  mutable std::mutex mutex_{};
  std::set<std::string> shown_{};
  std::map<std::string, View> views_{};
};

}  // namespace sconverge
