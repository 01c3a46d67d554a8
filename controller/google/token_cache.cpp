#include "controller/google/token_cache.h"

#include <algorithm>
#include <utility>

namespace sconverge {
namespace {

// The metadata server gives the same token until 4 minutes before its end.
constexpr seconds kMostEarly{225};

constexpr milliseconds kFirstBackoff{1000};
constexpr milliseconds kMostBackoff{60'000};
constexpr milliseconds kDeniedBackoff{300'000};

}  // namespace

TokenCache::TokenCache(TokenSupply supply, std::function<SteadyTime()> steady_now,
                       const Clock& clock)
    : supply_(std::move(supply)), steady_now_(std::move(steady_now)), clock_(clock) {}

Result<AccessToken> TokenCache::current() {
  std::unique_lock lock(mutex_);
  while (!fresh()) {
    if (refreshing_) {
      if (good()) break;
      wait_for_refresh(lock);
    } else if (may_fetch()) {
      refresh(lock);
    }
    if (good()) break;
    if (failure_) return failure_->error;
  }
  return held_->token;
}

bool TokenCache::renew(unsigned used) {
  std::unique_lock lock(mutex_);
  const auto newer = [&] { return good() && held_->token.number > used; };
  if (refreshing_ && !newer()) wait_for_refresh(lock);
  if (newer()) return true;
  if (!held_ || held_->token.number != used || renewed_ == used) return false;
  held_->refused = true;
  if (!may_fetch()) return false;
  refresh(lock);
  return newer();
}

std::optional<TimePoint> TokenCache::expiry() const {
  const std::lock_guard lock(mutex_);
  return held_ ? held_->token.expiry : std::nullopt;
}

bool TokenCache::good() const { return held_ && steady_now_() < held_->good_until; }

bool TokenCache::fresh() const {
  return held_ && !held_->refused && steady_now_() < held_->fresh_until;
}

bool TokenCache::may_fetch() const {
  if (!failure_ || steady_now_() >= failure_->again) return true;
  return failure_->error.kind == ErrorKind::Denied && supply_.changed();
}

void TokenCache::refresh(std::unique_lock<std::mutex>& lock) {
  refreshing_ = true;
  lock.unlock();
  const auto fetched = supply_.fetch();
  lock.lock();
  refreshing_ = false;
  if (fetched) {
    keep(*fetched);
  } else {
    fail(fetched.error());
  }
  refreshed_.notify_all();
}

void TokenCache::wait_for_refresh(std::unique_lock<std::mutex>& lock) {
  refreshed_.wait(lock, [this] { return !refreshing_; });
}

void TokenCache::keep(const FetchedToken& fetched) {
  const auto now = steady_now_();
  const auto good_until = fetched.sent + fetched.lifetime;
  if (now >= good_until) {
    fail({ErrorKind::Unavailable, "the token that was obtained had expired when it arrived"});
    return;
  }
  failure_.reset();
  const bool same = held_ && held_->token.text == fetched.text;
  if (held_ && held_->refused) renewed_ = held_->token.number;
  if (!same) ++count_;
  const auto left = std::chrono::duration_cast<milliseconds>(good_until - now);
  const auto early = std::min<milliseconds>(kMostEarly, milliseconds(fetched.lifetime) / 4);
  held_ = Held{{fetched.text, count_, clock_.now() + left}, good_until, good_until - early};
}

void TokenCache::fail(const Error& error) {
  const bool denied = error.kind == ErrorKind::Denied;
  const milliseconds backoff = !failure_ || failure_->backoff.count() == 0
                                   ? kFirstBackoff
                                   : std::min(failure_->backoff * 2, kMostBackoff);
  failure_ = Failure{error, steady_now_() + (denied ? kDeniedBackoff : backoff),
                     denied ? milliseconds{0} : backoff};
}

}  // namespace sconverge
