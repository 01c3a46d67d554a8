#pragma once

#include <optional>
#include <string>

#include "controller/core/result.h"
#include "controller/core/time.h"

namespace sconverge {

/// What an HTTP request carries as `Authorization: Bearer ...`. Never to be logged or shown.
struct AccessToken {
  std::string text{};
  unsigned number{0};  ///< counts the different tokens obtained, from 1
  std::optional<TimePoint> expiry{};
};

/// Somebody's identity, as bearer tokens that are renewed in time. Thread-safe; no exception leaves
/// it. Reaches for nothing before the first call of `current`.
class AccessTokens {
 public:
  virtual ~AccessTokens() = default;

  /// A token that is good now. May block for a request or a few, of bounded length.
  ///   Denied       there are no credentials, they are malformed, or whoever gives tokens refuses
  ///                them: nothing changes until somebody acts. The message says in one sentence
  ///                what, where and how to mend it.
  ///   Unavailable  whoever gives tokens cannot be reached now, and no earlier token is still good
  virtual Result<AccessToken> current() = 0;

  /// After an answer that refused the token numbered `used`: gets another one, if that makes sense.
  /// True if `current` gives a newer one now.
  virtual bool renew(unsigned used) = 0;

  /// When the token last given expires, where that is known.
  [[nodiscard]] virtual std::optional<TimePoint> expiry() const = 0;

  /// Whose these are and where they come from, for messages: "the service account ci@p.example from
  /// FILE". Never a secret.
  [[nodiscard]] virtual std::string text() const = 0;

  /// The project that pays for the requests (header x-goog-user-project); empty: not said.
  [[nodiscard]] virtual std::string quota_project() const = 0;
};

}  // namespace sconverge
