#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sconverge {

/// As application/x-www-form-urlencoded; fields without a value are left out.
std::string form(const std::vector<std::pair<std::string, std::string>>& fields);

}  // namespace sconverge
