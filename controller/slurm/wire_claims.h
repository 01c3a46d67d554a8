#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "controller/core/time.h"

namespace sconverge {

struct TokenClaims {
  std::optional<TimePoint> expiry{};  ///< `exp`
  std::string user{};                 ///< `sun`, Slurm's user name
};

/// What a JWT says about itself. Nothing is verified, and what cannot be read is left out: only
/// Slurm decides what a token is worth.
TokenClaims claims_of_jwt(std::string_view jwt);

}  // namespace sconverge
