#pragma once

#include <gmock/gmock.h>

#include "controller/core/history.h"

namespace sconverge::test {

/// Equal in all but the addresses of the specs.
inline bool same_entry(SpecHistory a, SpecHistory b) {
  const auto same_spec = [](const JobSpecPtr& x, const JobSpecPtr& y) {
    return x == nullptr || y == nullptr ? x == y : *x == *y;
  };
  if (!same_spec(a.accepted, b.accepted) || !same_spec(a.submitted, b.submitted)) return false;
  a.accepted = b.accepted = a.submitted = b.submitted = nullptr;
  return a == b;
}

/// A Result<History> that holds `expected`.
MATCHER_P(HoldsHistory, expected, "holds the same history") {
  if (!arg.ok()) return false;
  return std::equal(arg->begin(), arg->end(), expected.begin(), expected.end(),
                    [](const auto& a, const auto& b) {
                      return a.first == b.first && same_entry(a.second, b.second);
                    });
}

}  // namespace sconverge::test
