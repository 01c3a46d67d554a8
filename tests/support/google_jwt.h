#pragma once

#include <optional>
#include <string>

#include "controller/core/time.h"

namespace sconverge::test {

/// Whose JWTs are good, and where.
struct JwtRules {
  std::string issuer{};
  std::string key_id{};
  std::string public_pem{};
  std::string token_url{};
  TimePoint now{};
};

/// What Google's token endpoint says against `jwt` as an assertion (RFC 7523); empty: nothing.
std::string trouble_with_assertion(const std::string& jwt, const JwtRules& rules);

/// What Google's APIs have against it as a bearer token (AIP-4111); empty: nothing.
std::string trouble_with_bearer(const std::string& jwt, const JwtRules& rules);

/// The claim of that name, if it is a text.
std::string claim_of(const std::string& jwt, const std::string& name);

/// The claim "exp".
TimePoint expiry_of(const std::string& jwt);

}  // namespace sconverge::test
