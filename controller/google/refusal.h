#pragma once

#include <string>

namespace sconverge {

/// What an answer that is no success says, in OAuth's form (RFC 6749 section 5.2) or Google's
/// (AIP-193). It may hold anything, secrets too.
struct Refusal {
  std::string code{};  ///< "invalid_grant", "PERMISSION_DENIED"; empty if it says none
  std::string subtype{};
  std::string text{};
};

Refusal refusal_in(const std::string& body);

/// Whether the same question may get another answer soon.
bool is_passing(int status, const Refusal& refusal);

}  // namespace sconverge
