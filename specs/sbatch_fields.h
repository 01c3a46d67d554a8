#pragma once

#include <string_view>

namespace sconverge {

/// The field of the REST API's job description that an option of sbatch sets first of all, by the
/// option's long name without dashes. Empty for options that set several, none, or the environment.
std::string_view field_of_option(std::string_view option);

}  // namespace sconverge
