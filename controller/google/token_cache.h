#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>

#include "controller/core/result.h"
#include "controller/google/flow.h"
#include "controller/ports/access_tokens.h"
#include "controller/ports/clock.h"

namespace sconverge {

/// Where a cache gets its tokens from. Neither is called while another call of the same runs.
struct TokenSupply {
  std::function<Result<FetchedToken>()> fetch;
  /// Whether a fetch that was Denied may end otherwise now.
  std::function<bool()> changed;
};

/// One token, renewed in time. Thread-safe. Keeps what make_google_credentials promises about
/// refreshing (credentials.h); the functions are those of AccessTokens.
class TokenCache {
 public:
  /// REQUIRES: `clock` outlives the cache.
  TokenCache(TokenSupply supply, std::function<SteadyTime()> steady_now, const Clock& clock);

  Result<AccessToken> current();
  bool renew(unsigned used);
  [[nodiscard]] std::optional<TimePoint> expiry() const;

 private:
  struct Held {
    AccessToken token{};
    SteadyTime good_until{};
    SteadyTime fresh_until{};
    bool refused{false};  ///< by whom it was shown to, while it should be good
  };
  struct Failure {
    Error error{};
    SteadyTime again{};  ///< not to be repeated before
    milliseconds backoff{};
  };

  [[nodiscard]] bool good() const;
  [[nodiscard]] bool fresh() const;
  [[nodiscard]] bool may_fetch() const;
  void refresh(std::unique_lock<std::mutex>& lock);
  void wait_for_refresh(std::unique_lock<std::mutex>& lock);
  void keep(const FetchedToken& fetched);
  void fail(const Error& error);

  const TokenSupply supply_;
  const std::function<SteadyTime()> steady_now_;
  const Clock& clock_;
  mutable std::mutex mutex_{};
  std::condition_variable refreshed_{};
  bool refreshing_{false};
  std::optional<Held> held_{};
  std::optional<Failure> failure_{};  ///< of the last refresh
  unsigned count_{0};
  unsigned renewed_{0};  ///< the number of the last token that `renew` fetched anew for
};

}  // namespace sconverge
