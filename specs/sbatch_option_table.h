#pragma once

#include <span>
#include <string>
#include <string_view>

#include "specs/sbatch_getopt.h"

namespace sconverge {

/// Every option that sbatch of Slurm 24.11 knows, sorted by name, aliases included.
std::span<const OptionRow> sbatch_option_table();

/// What to write instead of an option that sbatch does not know, given with its dashes (`--share`,
/// `-I`): its new name, or where it belongs. Empty if nothing is known of it.
std::string_view sbatch_option_replacement(std::string_view option);

}  // namespace sconverge
