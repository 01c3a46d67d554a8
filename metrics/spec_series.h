#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "controller/core/status.h"
#include "metrics/spec_limits.h"

namespace sconverge {

/// The families that have a series for each spec, ready to be shown. A spec that is no longer
/// declared has none, and neither has what carries no spec's name. One thread at a time.
///
/// PROMISES:
///   - at most `SpecLimits::most` specs have series: the first ones by namespace and name, then by
///     cluster, whatever the order in which clusters report;
///   - a series left out is counted once, until it has been shown or gone in between.
class SpecSeries {
 public:
  /// Which specs have series, from now on.
  void limit(SpecLimits limits);
  /// Replaces all that was told of the cluster.
  void record(const std::string& cluster, const std::vector<SpecStatus>& statuses);
  void remove_cluster(const std::string& cluster);

  /// The lines of each family in Prometheus' text format 0.0.4, sorted; by the family's name.
  using Lines = std::map<std::string, std::shared_ptr<const std::string>>;
  [[nodiscard]] const Lines& lines() const { return lines_; }

  [[nodiscard]] bool shown() const { return limits_.per_spec; }
  /// Series left out since the start, and whether there are any now.
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }
  [[nodiscard]] bool drops_some() const { return !left_out_.empty(); }

 private:
  struct Row {
    SpecName name;
    bool ready{false};
    std::optional<TimePoint> succeeded_at{};
    friend bool operator==(const Row&, const Row&) = default;
  };
  struct Cluster {
    std::string label{};      ///< as it appears in a line
    std::vector<Row> rows{};  ///< sorted by name
  };
  using Place = std::pair<const Row*, const Cluster*>;
  using Series = std::tuple<SpecName, std::string, bool>;  ///< spec, cluster, is of its success

  void write();
  [[nodiscard]] std::vector<Place> by_name() const;
  void count_left_out(std::vector<Series> left_out);

  SpecLimits limits_{};
  std::map<std::string, Cluster> clusters_{};
  std::vector<Series> left_out_{};  ///< sorted
  std::uint64_t dropped_{0};
  Lines lines_{};
};

}  // namespace sconverge
