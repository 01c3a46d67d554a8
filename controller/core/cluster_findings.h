#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "specs/job_spec.h"
#include "specs/problem.h"

namespace sconverge {

/// What a check against a cluster finds in one spec, field by field.
class ClusterFindings {
 public:
  /// REQUIRES: `spec` lives as long.
  explicit ClusterFindings(const JobSpec& spec) : spec_(spec) {}

  void add(std::string_view field, std::string what, std::string remedy);

  /// The field's value; nothing if the spec does not set it, or as something else.
  [[nodiscard]] const std::string* text(std::string_view field) const;
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view field) const;
  [[nodiscard]] const std::vector<std::string>* list(std::string_view field) const;

  [[nodiscard]] const JobSpec& spec() const { return spec_; }

  /// All of them, in the order in which they were added. In an sbatch script a problem is at the
  /// line of the directive that gave the field its value; else at the line of the spec.
  std::vector<Problem> problems() &&;

 private:
  const JobSpec& spec_;
  std::vector<Problem> problems_{};
  std::vector<std::string> fields_{};  ///< of each problem
};

/// How a word that is none of the `known` names is mended: by the one that is meant most likely,
/// or any of them.
std::string known_or_near(std::string_view word, const std::vector<std::string_view>& known);

/// The same for the elements of a set, or the keys of a map.
template <typename Known>
std::string known_or_near(std::string_view word, const Known& known) {
  std::vector<std::string_view> names;
  names.reserve(known.size());
  for (const auto& entry : known) {
    if constexpr (requires { entry.first; }) {
      names.emplace_back(entry.first);
    } else {
      names.emplace_back(entry);
    }
  }
  return known_or_near(word, names);
}

/// Names for a message: "a, b, c and 7 more".
std::string listed(const std::vector<std::string>& names);

}  // namespace sconverge
