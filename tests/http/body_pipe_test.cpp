#include "controller/http/body_pipe.h"

#include <gtest/gtest.h>

#include <thread>

namespace sconverge::test {
namespace {

using End = BodyPipe::End;
constexpr auto kFar = std::chrono::hours(1);

BodyPipe::Deadline in(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

TEST(BodyPipeTest, HandsOutWhatWasPutInOrderAndThenTheEnd) {
  BodyPipe pipe(in(kFar), 1000);
  pipe.put("ab", [] {});
  pipe.put("cd", [] {});
  pipe.finish("");
  EXPECT_EQ(pipe.next(), "abcd");
  EXPECT_EQ(pipe.end(), End::Open);
  EXPECT_EQ(pipe.next(), "");
  EXPECT_EQ(pipe.end(), End::Whole);
}

TEST(BodyPipeTest, HandsOutWhatCameBeforeAFailureFirst) {
  BodyPipe pipe(in(kFar), 1000);
  pipe.put("ab", [] {});
  pipe.finish("connection reset");
  EXPECT_EQ(pipe.next(), "ab");
  EXPECT_EQ(pipe.next(), "");
  EXPECT_EQ(pipe.end(), End::Broken);
  EXPECT_EQ(pipe.failure(), "connection reset");
}

TEST(BodyPipeTest, LetsTheReceiverGoOnOnlyOnceThereIsRoom) {
  BodyPipe pipe(in(kFar), 10'000'000);
  bool went_on = false;
  pipe.put("small", [&] { went_on = true; });
  EXPECT_TRUE(went_on);
  went_on = false;
  pipe.put(std::string(1'000'000, 'x'), [&] { went_on = true; });
  EXPECT_FALSE(went_on);
  EXPECT_FALSE(pipe.next().empty());
  EXPECT_TRUE(went_on);
}

TEST(BodyPipeTest, GivesUpAtTheDeadlineAndTakesNoMore) {
  BodyPipe pipe(in(std::chrono::milliseconds(1)), 1000);
  EXPECT_EQ(pipe.next(), "");
  EXPECT_EQ(pipe.end(), End::Late);
  bool went_on = false;
  pipe.put(std::string(1'000'000, 'x'), [&] { went_on = true; });
  EXPECT_TRUE(went_on);
  EXPECT_EQ(pipe.next(), "");
  EXPECT_EQ(pipe.end(), End::Late);
}

TEST(BodyPipeTest, LetsAWaitingReceiverGoOnWhenItGivesUp) {
  BodyPipe pipe(in(kFar), 10);
  bool went_on = false;
  pipe.put(std::string(1'000'000, 'x'), [&] { went_on = true; });
  EXPECT_EQ(pipe.next(), "");
  EXPECT_TRUE(went_on);
  EXPECT_EQ(pipe.end(), End::TooLarge);
}

TEST(BodyPipeTest, WaitsForAnotherThread) {
  BodyPipe pipe(in(kFar), 1000);
  std::thread receiver([&] {
    pipe.put("ab", [] {});
    pipe.finish("");
  });
  EXPECT_EQ(pipe.next(), "ab");
  EXPECT_EQ(pipe.next(), "");
  receiver.join();
}

}  // namespace
}  // namespace sconverge::test
