#pragma once

#include <string>

#include "controller/core/result.h"

namespace sconverge {

/// A JSON Web Token signed with RS256 (RFC 7515). Denied, with words that fit behind the key's
/// name, if `private_key` is no RSA key in PEM.
Result<std::string> signed_jwt(const std::string& header, const std::string& claims,
                               const std::string& private_key);

}  // namespace sconverge
