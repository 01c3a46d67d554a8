#include "controller/google/token_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <future>
#include <thread>
#include <vector>

#include "tests/support/fake_clock.h"
#include "tests/support/matchers.h"

namespace sconverge::test {
namespace {

using testing::Each;

// Tokens "a", "b", ... of an hour, unless a test says what comes next.
class TokenCacheTest : public testing::Test {
 protected:
  Result<FetchedToken> fetch() {
    ++fetches_;
    if (during_fetch_) during_fetch_();
    if (!next_.empty()) {
      auto next = next_.front();
      next_.pop_front();
      if (next && next->sent == SteadyTime{}) next->sent = steady_;
      return next;
    }
    return FetchedToken{std::string(1, letter_++), steady_, seconds(3600)};
  }
  /// Asked for when it is fetched.
  static FetchedToken token(const std::string& text, seconds lifetime = seconds(3600)) {
    return {text, {}, lifetime};
  }
  void pass(milliseconds time) {
    steady_ += time;
    clock_.advance(time);
  }
  std::string now() {
    const auto current = cache_.current();
    return current ? current->text : current.error().message;
  }
  static Error unavailable() { return {ErrorKind::Unavailable, "away"}; }
  static Error denied() { return {ErrorKind::Denied, "no"}; }

  FakeClock clock_{};
  SteadyTime steady_{std::chrono::hours{1}};
  std::atomic<int> fetches_{0};
  char letter_{'a'};
  std::deque<Result<FetchedToken>> next_{};
  std::function<void()> during_fetch_{};
  bool changed_{false};
  TokenCache cache_{{[this] { return fetch(); }, [this] { return changed_; }},
                    [this] { return steady_; },
                    clock_};
};

TEST_F(TokenCacheTest, NothingIsFetchedBeforeATokenIsAskedFor) {
  EXPECT_EQ(cache_.expiry(), std::nullopt);
  EXPECT_EQ(fetches_, 0);
}

TEST_F(TokenCacheTest, ATokenIsKeptUntil225SecondsBeforeItsEnd) {
  EXPECT_EQ(now(), "a");
  pass(seconds(3600 - 225) - milliseconds(1));
  EXPECT_EQ(now(), "a");
  pass(milliseconds(1));
  EXPECT_EQ(now(), "b");
  EXPECT_EQ(fetches_, 2);
}

TEST_F(TokenCacheTest, AShortTokenIsKeptForThreeQuartersOfItsLife) {
  next_ = {token("short", seconds(300))};
  EXPECT_EQ(now(), "short");
  pass(seconds(224));
  EXPECT_EQ(now(), "short");
  pass(seconds(1));
  EXPECT_EQ(now(), "a");
}

TEST_F(TokenCacheTest, AgesCountFromTheMomentTheRequestWasSent) {
  next_ = {FetchedToken{"late", steady_ - seconds(40), seconds(100)}};
  EXPECT_EQ(now(), "late");
  EXPECT_EQ(cache_.expiry(), clock_.now() + seconds(60));
  pass(seconds(34));
  EXPECT_EQ(now(), "late");
  pass(seconds(1));
  EXPECT_EQ(now(), "a");
}

TEST_F(TokenCacheTest, AClockThatIsSetDoesNotMakeATokenOlderOrYounger) {
  EXPECT_EQ(now(), "a");
  clock_.step(std::chrono::hours(5));
  EXPECT_EQ(now(), "a");
  clock_.step(-std::chrono::hours(10));
  pass(seconds(3600));
  EXPECT_EQ(now(), "b");
}

TEST_F(TokenCacheTest, TheOldTokenIsGivenUntilItsEndWhileItsRefreshFails) {
  EXPECT_EQ(now(), "a");
  for (int i = 0; i < 100; ++i) next_.emplace_back(unavailable());
  pass(seconds(3400));
  for (int i = 0; i < 199; ++i, pass(seconds(1))) ASSERT_EQ(now(), "a");
  pass(seconds(1));
  EXPECT_EQ(now(), "away");
}

TEST_F(TokenCacheTest, ATokenThatEndsWhileItIsRefreshedIsNotGivenAnyMore) {
  EXPECT_EQ(now(), "a");
  pass(seconds(3590));
  during_fetch_ = [this] { pass(seconds(10)); };
  next_ = {unavailable()};
  EXPECT_EQ(now(), "away");
}

TEST_F(TokenCacheTest, ATokenThatHasExpiredOnArrivalIsNone) {
  next_ = {FetchedToken{"old", steady_ - seconds(10), seconds(10)}};
  EXPECT_EQ(now(), "the token that was obtained had expired when it arrived");
  EXPECT_THAT(cache_.current(), FailsWith(ErrorKind::Unavailable));
}

TEST_F(TokenCacheTest, AFailedRefreshIsRepeatedAfterOneTwoFourUpToSixtySeconds) {
  for (int i = 0; i < 9; ++i) next_.emplace_back(unavailable());
  EXPECT_EQ(now(), "away");
  int expected = 1;
  for (const int wait : {1, 2, 4, 8, 16, 32, 60, 60}) {
    pass(seconds(wait) - milliseconds(1));
    EXPECT_EQ(now(), "away");
    EXPECT_EQ(fetches_, expected) << wait;
    pass(milliseconds(1));
    EXPECT_EQ(now(), "away");
    EXPECT_EQ(fetches_, ++expected) << wait;
  }
  pass(seconds(60));
  EXPECT_EQ(now(), "a");
  next_ = {unavailable()};
  pass(seconds(3600));
  EXPECT_EQ(now(), "away");
  pass(seconds(1));
  EXPECT_EQ(now(), "b");
}

TEST_F(TokenCacheTest, ARefusalIsRepeatedWhenAFileChanges) {
  next_ = {denied(), denied()};
  EXPECT_EQ(now(), "no");
  pass(seconds(299));
  EXPECT_EQ(now(), "no");
  EXPECT_EQ(fetches_, 1);
  changed_ = true;
  EXPECT_EQ(now(), "no");
  EXPECT_EQ(fetches_, 2);
  EXPECT_EQ(now(), "a");
}

TEST_F(TokenCacheTest, ARefusalIsRepeatedAfterFiveMinutes) {
  next_ = {denied()};
  EXPECT_EQ(now(), "no");
  pass(seconds(300));
  EXPECT_EQ(now(), "a");
}

TEST_F(TokenCacheTest, AChangedFileDoesNotHurryWhatIsOnlyUnavailable) {
  changed_ = true;
  next_ = {unavailable()};
  EXPECT_EQ(now(), "away");
  EXPECT_EQ(now(), "away");
  EXPECT_EQ(fetches_, 1);
}

TEST_F(TokenCacheTest, TokensAreNumberedByTheirTexts) {
  next_ = {token("same"), token("same"), token("other")};
  EXPECT_EQ(cache_.current()->number, 1U);
  pass(seconds(3500));
  EXPECT_EQ(cache_.current()->number, 1U);
  pass(seconds(3500));
  EXPECT_EQ(cache_.current()->number, 2U);
}

TEST_F(TokenCacheTest, ARefusedTokenIsFetchedAnew) {
  EXPECT_EQ(now(), "a");
  EXPECT_TRUE(cache_.renew(1));
  EXPECT_EQ(now(), "b");
  EXPECT_EQ(fetches_, 2);
}

TEST_F(TokenCacheTest, ATokenThatIsNewerThanTheRefusedOneIsNotFetchedAnew) {
  EXPECT_EQ(now(), "a");
  EXPECT_TRUE(cache_.renew(1));
  EXPECT_TRUE(cache_.renew(1));
  EXPECT_EQ(fetches_, 2);
}

TEST_F(TokenCacheTest, ARefusedTokenThatComesAgainIsNotFetchedTwice) {
  next_ = {token("same"), token("same")};
  EXPECT_EQ(now(), "same");
  EXPECT_FALSE(cache_.renew(1));
  EXPECT_FALSE(cache_.renew(1));
  EXPECT_EQ(now(), "same");
  EXPECT_EQ(fetches_, 2);
}

TEST_F(TokenCacheTest, ARefusedTokenWhoseRenewalFailsIsRefreshedAfterTheBackoff) {
  EXPECT_EQ(now(), "a");
  next_ = {unavailable()};
  EXPECT_FALSE(cache_.renew(1));
  EXPECT_FALSE(cache_.renew(1));
  EXPECT_EQ(now(), "a");
  EXPECT_EQ(fetches_, 2);
  pass(seconds(1));
  EXPECT_EQ(now(), "b");
}

TEST_F(TokenCacheTest, NothingIsRenewedBeforeThereIsAToken) {
  EXPECT_FALSE(cache_.renew(0));
  EXPECT_FALSE(cache_.renew(7));
  EXPECT_EQ(fetches_, 0);
}

TEST_F(TokenCacheTest, ManyThreadsWithoutATokenWaitForOneRefresh) {
  std::promise<void> go;
  const auto gone = go.get_future().share();
  during_fetch_ = [gone] { gone.wait(); };
  std::vector<std::future<std::string>> threads;
  for (int i = 0; i < 8; ++i)
    threads.push_back(std::async(std::launch::async, [&] { return now(); }));
  while (fetches_ == 0) std::this_thread::yield();
  go.set_value();
  std::vector<std::string> texts;
  for (auto& thread : threads) texts.push_back(thread.get());
  EXPECT_THAT(texts, Each(std::string("a")));
  EXPECT_EQ(fetches_, 1);
}

TEST_F(TokenCacheTest, ManyThreadsWithoutATokenFailWithTheOneRefresh) {
  std::promise<void> go;
  const auto gone = go.get_future().share();
  during_fetch_ = [gone] { gone.wait(); };
  next_ = {unavailable()};
  std::vector<std::future<std::string>> threads;
  for (int i = 0; i < 8; ++i)
    threads.push_back(std::async(std::launch::async, [&] { return now(); }));
  while (fetches_ == 0) std::this_thread::yield();
  go.set_value();
  std::vector<std::string> texts;
  for (auto& thread : threads) texts.push_back(thread.get());
  EXPECT_THAT(texts, Each(std::string("away")));
  EXPECT_EQ(fetches_, 1);
}

TEST_F(TokenCacheTest, WhoHasATokenThatIsGoodDoesNotWaitForItsRefresh) {
  EXPECT_EQ(now(), "a");
  pass(seconds(3500));
  std::promise<void> go;
  const auto gone = go.get_future().share();
  during_fetch_ = [gone] { gone.wait(); };
  auto refreshing = std::async(std::launch::async, [&] { return now(); });
  while (fetches_ == 1) std::this_thread::yield();
  EXPECT_EQ(now(), "a");
  go.set_value();
  EXPECT_EQ(refreshing.get(), "b");
}

TEST_F(TokenCacheTest, ManyThreadsWhoseTokenIsRefusedRenewItOnce) {
  EXPECT_EQ(now(), "a");
  std::vector<std::future<bool>> threads;
  for (int i = 0; i < 8; ++i) {
    threads.push_back(std::async(std::launch::async, [&] { return cache_.renew(1); }));
  }
  for (auto& thread : threads) EXPECT_TRUE(thread.get());
  EXPECT_EQ(fetches_, 2);
}

}  // namespace
}  // namespace sconverge::test
