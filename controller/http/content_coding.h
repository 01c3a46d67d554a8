#pragma once

#include <string>
#include <string_view>

#include "controller/ports/http_exchange.h"

namespace sconverge {

/// Whether a client with this Accept-Encoding header wants gzip (RFC 9110, 12.5.3): it is listed,
/// or "*" is, and not with a lower weight than "identity". What cannot be read counts as not there.
bool wants_gzip(std::string_view accept_encoding);

/// `text` in gzip's format, quickly rather than small.
std::string gzip(std::string_view text);

/// Compresses the body of `answer` if that is worth it and the client wants it, and says in
/// "Vary" that it depends on that.
void encode(HttpAnswer& answer, std::string_view accept_encoding);

}  // namespace sconverge
