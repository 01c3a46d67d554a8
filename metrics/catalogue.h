#pragma once

#include <span>
#include <string_view>

namespace sconverge {

enum class MetricType { Counter, Gauge, Histogram };

std::string_view to_text(MetricType type);  ///< "counter", "gauge", "histogram"

/// One family: what it is called, and what it means.
struct MetricInfo {
  std::string_view name;
  MetricType type;
  std::string_view labels;  ///< names, joined by commas; closed value sets only
  std::string_view help;    ///< one line
  std::span<const double> buckets{};
};

/// Every family there is, sorted by name. Nothing else can be exposed.
std::span<const MetricInfo> metric_catalogue();

/// REQUIRES: the catalogue has it.
const MetricInfo& metric_info(std::string_view name);

}  // namespace sconverge
