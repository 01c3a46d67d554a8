#pragma once

#include <cstddef>

namespace sconverge {

/// Which specs have series of their own.
struct SpecLimits {
  bool per_spec{true};     ///< false: none
  std::size_t most{1000};  ///< those with the first names

  friend bool operator==(const SpecLimits&, const SpecLimits&) = default;
};

}  // namespace sconverge
