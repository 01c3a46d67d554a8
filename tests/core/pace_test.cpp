#include "controller/core/pace.h"

#include <gtest/gtest.h>

namespace sconverge::test {
namespace {

std::vector<milliseconds> times(int each, std::size_t count = 10) {
  return std::vector<milliseconds>(count, milliseconds{each});
}

TEST(PaceTest, BeginsWithOneRequestAtATimeAndDoublesUpToTheMost) {
  Pace pace(6);
  std::vector<int> widths{pace.width()};
  for (int i = 0; i < 4; ++i) {
    pace.record(times(5), false);
    widths.push_back(pace.width());
  }
  EXPECT_EQ(widths, (std::vector<int>{1, 2, 4, 6, 6}));
}

TEST(PaceTest, ALargerWidthMeansALargerBatch) {
  Pace pace(4);
  const auto first = pace.batch();
  pace.record(times(5), false);
  EXPECT_EQ(pace.batch(), 2 * first);
}

TEST(PaceTest, HalvesWhenAnswersTakeMuchLongerThanAtBest) {
  Pace pace(8);
  for (int i = 0; i < 3; ++i) pace.record(times(5), false);
  pace.record(times(200), false);
  EXPECT_EQ(pace.width(), 4);
}

TEST(PaceTest, AFewSlowAnswersAreNoSign) {
  Pace pace(8);
  for (int i = 0; i < 3; ++i) pace.record(times(5), false);
  auto took = times(5, 9);
  took.push_back(milliseconds{5000});
  pace.record(took, false);
  EXPECT_EQ(pace.width(), 8);
}

TEST(PaceTest, StartsAnewWhenSlurmHadNoAnswer) {
  Pace pace(8);
  for (int i = 0; i < 3; ++i) pace.record(times(5), false);
  pace.record(times(5), true);
  EXPECT_EQ(pace.width(), 1);
}

TEST(PaceTest, ABatchOfNothingChangesNothing) {
  Pace pace(8);
  pace.record({}, false);
  EXPECT_EQ(pace.width(), 1);
}

TEST(PaceTest, NeverGoesBelowOne) {
  Pace pace(0);
  pace.record(times(5), false);
  pace.record(times(500), false);
  EXPECT_EQ(pace.width(), 1);
}

}  // namespace
}  // namespace sconverge::test
