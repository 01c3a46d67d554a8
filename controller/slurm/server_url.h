#pragma once

#include <optional>
#include <string>

#include "controller/core/result.h"

namespace sconverge {

/// Why `url` is not http://HOST[:PORT][/PATH] (or https); nothing if it is. The message does not
/// repeat a user or password in it.
std::optional<Error> trouble_with_server_url(const std::string& url);

}  // namespace sconverge
