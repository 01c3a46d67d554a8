#pragma once

#include <array>
#include <map>
#include <set>
#include <string>

#include "controller/core/report.h"
#include "metrics/series.h"

namespace sconverge {

/// The series about the watched directory, which all clusters share. One thread at a time.
class SourceMetrics {
 public:
  SourceMetrics();

  /// Nothing happens if the tick did not look at the directory.
  void record(const TickReport& report);
  void remove_cluster(const std::string& cluster);

  [[nodiscard]] const SeriesSet& series() const { return series_; }

 private:
  /// A problem's identity: lines move when a file is edited above it.
  using ProblemKey = std::array<std::string, 4>;

  /// What one cluster's last tick saw.
  struct View {
    bool scanned{false};
    bool complete{false};
    std::set<ProblemKey> problems{};
  };

  static ProblemKey key_of(const Problem& problem);
  void record_scan(const SourceScan& scan, bool complete);
  void record_revision(const TickReport& report);
  void count_new_problems(const TickReport& report);
  void set_complete();

  SeriesSet series_{};
  std::map<std::string, View> views_{};
  std::string revision_{};
  TimePoint revision_read_at_{};
};

}  // namespace sconverge
