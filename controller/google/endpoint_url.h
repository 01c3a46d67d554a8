#pragma once

#include <string>
#include <string_view>

namespace sconverge {

/// What speaks against sending secrets to `url`, in words that fit behind its field's name; empty:
/// nothing, it is https or on the loopback.
std::string trouble_with_endpoint(std::string_view url);

/// The same for a URL that subject tokens come from; clouds' metadata servers speak plain HTTP.
std::string trouble_with_token_source(std::string_view url);

/// Without what may be secret: its query.
std::string shown_url(std::string_view url);

}  // namespace sconverge
