#pragma once

#include <optional>
#include <string>

namespace sconverge::test {

/// An RSA key of 2048 bits, made when asked for and kept nowhere.
struct RsaKey {
  std::string private_pem{};  ///< PKCS#8, as in Google's key files
  std::string public_pem{};
};
RsaKey make_rsa_key();

/// An elliptic curve's key, which RS256 cannot use.
std::string make_ec_private_pem();

/// With or without padding.
std::optional<std::string> base64url_decoded(std::string text);

/// Whether `signature` is RS256's of `text`.
bool is_signed_by(const std::string& public_pem, const std::string& text,
                  const std::string& signature);

}  // namespace sconverge::test
