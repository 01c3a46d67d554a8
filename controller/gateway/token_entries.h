#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "controller/core/result.h"

namespace sconverge {

using Sha256 = std::array<unsigned char, 32>;

Sha256 sha256_of(std::string_view text);

enum class TokenPermission {
  Read,  ///< HTTP_METHOD_GET only
  Run,   ///< everything that the gateway passes on
};

/// One bearer token that is taken. The token itself is not kept.
struct TokenEntry {
  Sha256 digest{};
  TokenPermission permission{TokenPermission::Read};
  std::string name{};  ///< for the log: as given, else "#3" for the third entry
  int line{0};
};

struct TokenEntries {
  std::vector<TokenEntry> entries{};
  bool plain{false};  ///< at least one token stands there itself, not as a digest
};

/// Reads YAML or JSON of this form:
///
///   tokens:
///     - {token: <16 or more visible ASCII characters>, permission: run, name: ci}
///     - {sha256: <64 hexadecimal digits>, permission: read}
///
/// An empty list is good: it refuses everybody. Rejected if anything is wrong, with one message
/// that begins with `file` and the line, and that repeats nothing of the text, as any of it may be
/// a token.
Result<TokenEntries> read_token_entries(std::string_view text, const std::string& file);

/// Reads one token a line, as above, each with TokenPermission::Read; blank lines and lines that
/// begin with # say nothing. Rejected likewise, and if there is no token at all (a file that is
/// being written).
Result<TokenEntries> read_token_lines(std::string_view text, const std::string& file);

}  // namespace sconverge
