#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "controller/app/settings.h"

namespace sconverge {

using Refused = std::optional<Refusal>;

/// A whole number and nothing else.
std::optional<int> parse_int(std::string_view text);

/// Why `url` is no http or https URL that ends before /slurm/; a password in it is not repeated.
Refused url_refusal(std::string_view url);

// Each stores `text`, or says why not.

Refused set_bool(bool& member, const std::string& text);

Refused set_user_name(std::string& member, const std::string& text);

/// A name that stands in a URL and needs no escaping there (AIP-122).
Refused set_url_name(std::string& member, const std::string& text, const std::string& noun,
                     const std::string& example);

}  // namespace sconverge
