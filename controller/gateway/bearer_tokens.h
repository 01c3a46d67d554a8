#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "controller/core/result.h"
#include "controller/gateway/token_entries.h"

namespace sconverge {

/// Who a valid token belongs to.
struct Bearer {
  std::string name{};
  TokenPermission permission{TokenPermission::Read};
};

/// The tokens file was looked at because it is new or has changed.
struct TokensNews {
  bool in_force{false};   ///< false: it is broken or gone, and the last good version stays in force
  std::size_t tokens{0};  ///< in force now
  std::string message{};  ///< why not, or a warning about it; else empty. Never holds a token
};

/// How a tokens file is written: read_token_entries or read_token_lines.
using TokenReader = Result<TokenEntries> (*)(std::string_view text, const std::string& file);

/// The bearer tokens of a file, which is read again when it changes: a
/// token that is taken out is refused from the next request on. Thread-safe; no exception leaves
/// it.
class BearerTokens {
 public:
  using Tell = std::function<void(const TokensNews&)>;

  /// Rejected with one line if the file cannot be used. `tell` is called for this reading, if it
  /// succeeds, and for each later one, on the thread that asks, and must not ask itself.
  static Result<std::unique_ptr<BearerTokens>> open(const std::string& file, Tell tell,
                                                    TokenReader reader = &read_token_entries);

  virtual ~BearerTokens() = default;

  /// Whose token an Authorization header carries; nothing if it is missing, malformed, not Bearer
  /// or unknown. Takes the same time for every token of the same length.
  virtual std::optional<Bearer> bearer_of(std::string_view authorization) = 0;
};

}  // namespace sconverge
