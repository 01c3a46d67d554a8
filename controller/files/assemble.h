#pragma once

#include <optional>
#include <string>
#include <vector>

#include "controller/files/spec_cache.h"
#include "specs/desired.h"

namespace sconverge {

/// One entry of a snapshot with what is known of it: either `file`, or the problem that kept it
/// from being read, or neither (it is still being written).
struct TakenEntry {
  const Entry* entry;
  const LoadedFile* file{nullptr};
  std::optional<Problem> problem{};
};

/// Joins files into what is declared. A name that two files declare is a problem of both, and a
/// file with a problem is refused whole: all its names become invalid. Fills everything but
/// `complete`, `incomplete_reason` and, where git knows better, `revision`.
Desired assemble(const std::vector<TakenEntry>& entries, int ignored_files);

}  // namespace sconverge
