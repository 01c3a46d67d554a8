#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "controller/core/time.h"

namespace sconverge {

/// An error of a Google API (AIP-193), as its JSON says it.
struct GoogleError {
  std::string status{};   ///< "PERMISSION_DENIED", ...; empty where there is none
  std::string message{};  ///< one line; the first bytes of a body that is no such JSON
  std::string reason{};   ///< of google.rpc.ErrorInfo
  std::string domain{};   ///< likewise
  std::optional<seconds> retry_delay{};  ///< of google.rpc.RetryInfo, rounded up
};

/// Total: any bytes give an error.
GoogleError google_error_in(std::string_view body);

}  // namespace sconverge
