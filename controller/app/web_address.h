#pragma once

#include <optional>

#include "controller/app/config.h"
#include "controller/core/result.h"
#include "controller/http/listen_address.h"

namespace sconverge {

/// Where `sconverge run` serves.
struct WebAddresses {
  ListenAddress listen{};
  std::optional<ListenAddress> health{};  ///< for the probes alone
};

/// The addresses that the configuration says; waits for a host's name to be resolved. Rejected,
/// with what to do about it: pages would be served beyond the loopback without TLS or without
/// tokens, and nobody said that something else guards them; or the two addresses are one.
/// Unavailable: a host's name is not known.
Result<WebAddresses> web_addresses(const WebConfig& config);

}  // namespace sconverge
