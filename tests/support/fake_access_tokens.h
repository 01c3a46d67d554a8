#pragma once

#include <mutex>
#include <string>

#include "controller/ports/access_tokens.h"

namespace sconverge::test {

/// Tokens "token-1", "token-2", ...; a renewal gives the next one as long as there are more.
class FakeAccessTokens : public AccessTokens {
 public:
  /// What a test sees and decides; outlives the tokens.
  struct State {
    std::mutex mutex{};
    unsigned number{1};
    unsigned newest{1};
    std::string quota_project{};
    std::optional<Error> error{};
  };

  explicit FakeAccessTokens(State& state) : state_(state) {}

  Result<AccessToken> current() override {
    const std::lock_guard lock(state_.mutex);
    if (state_.error) return *state_.error;
    return AccessToken{"token-" + std::to_string(state_.number), state_.number, expiry()};
  }
  bool renew(unsigned used) override {
    const std::lock_guard lock(state_.mutex);
    if (used == state_.number && state_.number < state_.newest) ++state_.number;
    return state_.number > used;
  }
  [[nodiscard]] std::optional<TimePoint> expiry() const override {
    return TimePoint(seconds(1900000000));
  }
  [[nodiscard]] std::string text() const override { return "the service account ci@p.example"; }
  [[nodiscard]] std::string quota_project() const override { return state_.quota_project; }

 private:
  State& state_;
};

}  // namespace sconverge::test
