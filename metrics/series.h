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
  friend class Collected;
  struct Registered;
  std::unique_ptr<Registered> registered_;
};

/// Series as they are at one moment, apart from those that go on being recorded.
class Collected {
 public:
  Collected();
  Collected(Collected&&) noexcept;
  Collected& operator=(Collected&&) noexcept;
  ~Collected();

  void add(const SeriesSet& set);
  /// A family of the catalogue as its lines in Prometheus' text format 0.0.4, which nothing else
  /// has series of.
  void add(std::string_view family, std::shared_ptr<const std::string> lines);

  /// All of it in Prometheus' text format 0.0.4: families sorted by name, each once, series sorted
  /// by labels. Of two that cannot be told apart (their labels were made safe) there is one.
  [[nodiscard]] std::string text() &&;

 private:
  struct Families;
  std::unique_ptr<Families> families_;
};

/// The text of some sets.
std::string text_of(const std::vector<const SeriesSet*>& sets);

/// The value as it appears in a label; see SeriesSet.
std::string label_value(std::string_view text);
/// The same as it stands in the text format, between quotes.
std::string escaped_label(std::string_view text);

}  // namespace sconverge
