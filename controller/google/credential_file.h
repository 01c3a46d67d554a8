#pragma once

#include <string>

#include "controller/core/result.h"
#include "controller/google/credential.h"

namespace sconverge {

struct CredentialFile {
  Credential credential{};
  std::string quota_project{};  ///< empty: not said
};

/// Reads credentials in Google's JSON formats (AIP-4112 to AIP-4117). Denied with one line that
/// begins with `name` and names every field that is missing or wrong, but no value, or says that
/// the type is not supported and which ones are.
Result<CredentialFile> parse_credentials(const std::string& name, const std::string& text);

}  // namespace sconverge
