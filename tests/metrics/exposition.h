#pragma once

#include <map>
#include <string>
#include <vector>

namespace sconverge::test {

struct Sample {
  std::string name;
  std::map<std::string, std::string> labels{};
  double value{0};
};

struct ExposedFamily {
  std::string type{};
  std::string help{};
  std::vector<Sample> samples{};
};

/// What a text in Prometheus' text format 0.0.4 says, and everything that is wrong with it: read as
/// strictly as the format is written, and held to the naming rules that `promtool check metrics`
/// checks.
struct Exposition {
  std::map<std::string, ExposedFamily> families{};
  std::vector<std::string> errors{};

  /// The value of one series, given as it is written: `name{label="value",...}`; labels in any
  /// order. NaN if there is none.
  [[nodiscard]] double value(const std::string& series) const;
  [[nodiscard]] bool has(const std::string& series) const;
};

Exposition read_exposition(const std::string& text);

}  // namespace sconverge::test
