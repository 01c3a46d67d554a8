#pragma once

#include <string_view>

namespace sconverge {

/// RFC 1123 label: 1 to 63 of a-z, 0-9 and `-`, not at either end.
bool is_dns_label(std::string_view text);

/// Kubernetes' label key: an optional DNS name of at most 253 and `/`, then a label value that is
/// not empty.
bool is_label_key(std::string_view text);

/// Kubernetes' label value: empty, or at most 63 of A-Z, a-z, 0-9, `-`, `_` and `.`, with a letter
/// or digit at either end.
bool is_label_value(std::string_view text);

}  // namespace sconverge
