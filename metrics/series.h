#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sconverge {

using MetricLabels = std::map<std::string, std::string>;

/// The series of one scope: the process, or one cluster. With it all its series go.
///
/// Families are those of the catalogue, and each call gives all of the family's labels (those that
/// are the same for the whole scope are added). Values are made safe for the text format: bytes
/// that are not UTF-8 become U+FFFD, and nothing is longer than 128 bytes. One thread at a time.
class SeriesSet {
 public:
  explicit SeriesSet(MetricLabels fixed = {});
  SeriesSet(SeriesSet&&) noexcept;
  SeriesSet& operator=(SeriesSet&&) noexcept;
  ~SeriesSet();

  void add(std::string_view counter, const MetricLabels& labels, double amount = 1);
  void set(std::string_view gauge, const MetricLabels& labels, double value);
  void observe(std::string_view histogram, const MetricLabels& labels, double value);

  /// Makes the series exist, at 0.
  void create(std::string_view family, const MetricLabels& labels);
  /// Removes all series of a gauge.
  void forget(std::string_view gauge);

 private:
  friend std::string text_of(const std::vector<const SeriesSet*>& sets);
  struct Registered;
  std::unique_ptr<Registered> registered_;
};

/// All series in Prometheus' text format 0.0.4: families sorted by name, each once, series sorted
/// by labels.
std::string text_of(const std::vector<const SeriesSet*>& sets);

/// The value as it appears in a label; see SeriesSet.
std::string label_value(std::string_view text);

}  // namespace sconverge
