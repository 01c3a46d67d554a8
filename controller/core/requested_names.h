#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sconverge {

// What names the texts of a job description mention. Facts: Slurm 24.11, slurmctld's readers of
// features and licences, tried with sbatch. Total; linear time and memory.

/// One feature of a constraint.
struct RequestedFeature {
  std::string name{};
  std::optional<std::int64_t> nodes{};  ///< `a*4`: so many of the nodes must have it
};

struct RequestedFeatures {
  std::vector<RequestedFeature> features{};
  /// Why Slurm takes the text for no constraint: "..." (lower case); empty: it is one. An operator
  /// at the end is fine.
  std::string fault{};
};

/// Of a text like `a100&[rack1*2&rack2*2]|(big&fast)`. A count behind a bracket is passed over.
/// What stands behind a `*` and is no number above zero is a part of the name, since no feature is
/// called so.
RequestedFeatures requested_features(std::string_view constraint);

/// One licence of a list.
struct RequestedLicense {
  std::string name{};                   ///< with the server, if there is one: "matlab@flex"
  std::optional<std::int64_t> count{};  ///< nothing: what is written there is no number
};

struct RequestedLicenses {
  std::vector<RequestedLicense> licenses{};
  bool is_choice{false};  ///< one of several will do: `a|b`
  bool is_list{false};    ///< all of them are needed: `a,b`; Slurm takes no text that is both
};

/// Of a text like `matlab:2,ansys` (`;` parts, too, and `=` stands before a count like `:`). Blanks
/// count as a part of the name.
RequestedLicenses requested_licenses(std::string_view text);

}  // namespace sconverge
