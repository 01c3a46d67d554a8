#include "tests/support/google_jwt.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/rsa_key.h"

namespace sconverge::test {
namespace {

using nlohmann::json;

/// The header (0) or the claims (1).
json part_of(const std::string& jwt, int part) {
  std::istringstream text(jwt);
  std::string piece;
  for (int i = 0; i <= part; ++i) {
    piece.clear();
    std::getline(text, piece, '.');
  }
  return json::parse(base64url_decoded(piece).value_or(""), nullptr, false);
}

std::string trouble_with_signature(const std::string& jwt, const JwtRules& rules) {
  const json head = part_of(jwt, 0);
  const json claims = part_of(jwt, 1);
  const auto end = jwt.rfind('.');
  if (!head.is_object() || !claims.is_object() || head.value("alg", "") != "RS256" ||
      head.value("typ", "") != "JWT") {
    return "Invalid JWT: not a signed token.";
  }
  if (claims.value("iss", "") != rules.issuer) return "Invalid grant: account not found";
  const auto signature = base64url_decoded(jwt.substr(end + 1));
  const bool good = head.value("kid", rules.key_id) == rules.key_id && signature &&
                    is_signed_by(rules.public_pem, jwt.substr(0, end), *signature);
  return good ? "" : "Invalid JWT Signature.";
}

std::string trouble_with_times(const json& claims, TimePoint now) {
  const auto second = std::chrono::floor<seconds>(now).time_since_epoch().count();
  const auto issued = claims.value("iat", std::int64_t{0});
  const auto expiry = claims.value("exp", std::int64_t{0});
  const bool good = issued <= second + 300 && expiry > second && expiry <= issued + 3600;
  return good ? ""
              : "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable "
                "timeframe. Check your iat and exp values in the JWT claim.";
}

}  // namespace

std::string trouble_with_assertion(const std::string& jwt, const JwtRules& rules) {
  const std::string trouble = trouble_with_signature(jwt, rules);
  if (!trouble.empty()) return trouble;
  const json claims = part_of(jwt, 1);
  const std::string audience = claims.value("aud", "");
  // google-auth before 2.0 names the URL that it sends to.
  if (audience != "https://oauth2.googleapis.com/token" && audience != rules.token_url) {
    return "Invalid JWT: Failed audience check.";
  }
  return trouble_with_times(claims, rules.now);
}

std::string trouble_with_bearer(const std::string& jwt, const JwtRules& rules) {
  const std::string trouble = trouble_with_signature(jwt, rules);
  if (!trouble.empty()) return trouble;
  const json claims = part_of(jwt, 1);
  if (claims.contains("scope") == claims.contains("aud") ||
      claims.value("sub", "") != rules.issuer) {
    return "Invalid JWT: a bearer names its subject and either a scope or an audience.";
  }
  return trouble_with_times(claims, rules.now);
}

std::string claim_of(const std::string& jwt, const std::string& name) {
  const json claims = part_of(jwt, 1);
  return claims.is_object() ? claims.value(name, "") : "";
}

TimePoint expiry_of(const std::string& jwt) {
  return TimePoint(seconds(part_of(jwt, 1).value("exp", std::int64_t{0})));
}

}  // namespace sconverge::test
