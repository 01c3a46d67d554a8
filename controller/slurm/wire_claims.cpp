#include "controller/slurm/wire_claims.h"

#include <cstdint>
#include <nlohmann/json.hpp>

namespace sconverge {
namespace {

using nlohmann::json;

int base64url_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '-') return 62;
  if (c == '_') return 63;
  return -1;
}

/// Stops at the first character that is no digit, and so at padding.
std::string base64url_decoded(std::string_view text) {
  std::string bytes;
  unsigned bits = 0;
  int held = 0;
  for (const char c : text) {
    const int digit = base64url_digit(c);
    if (digit < 0) break;
    bits = (bits << 6U) | static_cast<unsigned>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes.push_back(static_cast<char>((bits >> static_cast<unsigned>(held)) & 0xFFU));
  }
  return bytes;
}

}  // namespace

TokenClaims claims_of_jwt(std::string_view jwt) {
  const auto first = jwt.find('.');
  const auto second = first == jwt.npos ? first : jwt.find('.', first + 1);
  if (second == jwt.npos) return {};
  const json payload =
      json::parse(base64url_decoded(jwt.substr(first + 1, second - first - 1)), nullptr, false);
  if (!payload.is_object()) return {};
  TokenClaims claims;
  constexpr double kLatest = 253402300799;  // the end of year 9999
  if (const auto exp = payload.find("exp"); exp != payload.end() && exp->is_number()) {
    const auto at = exp->get<double>();
    if (at > 0 && at <= kLatest) claims.expiry = TimePoint(seconds(static_cast<std::int64_t>(at)));
  }
  if (const auto sun = payload.find("sun"); sun != payload.end() && sun->is_string()) {
    claims.user = sun->get<std::string>();
  }
  return claims;
}

}  // namespace sconverge
