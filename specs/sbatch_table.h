#pragma once

#include <span>
#include <string_view>

#include "specs/sbatch_reading.h"

namespace sconverge {

/// What becomes of one option of sbatch.
struct SbatchRule {
  std::string_view option;  ///< the canonical long name
  void (*take)(SbatchReading&, const SbatchOption&, const SbatchRule&);
  std::string_view field{};  ///< of the REST API, that the option sets first of all; empty: several
  std::string_view what{};   ///< why it is refused, or dropped
  std::string_view remedy{};  ///< and what to do instead
  SbatchSettings::Number SbatchSettings::*number{nullptr};
  std::string SbatchSettings::*text{nullptr};
};

/// Every option of sbatch (Slurm 24.11), sorted by name.
std::span<const SbatchRule> sbatch_rules();

/// Null if sbatch has no such option.
const SbatchRule* find_sbatch_rule(std::string_view option);

}  // namespace sconverge
