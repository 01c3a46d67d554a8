#include "specs/index_set.h"

#include <gtest/gtest.h>

#include <set>

namespace sconverge {
namespace {

using Range = IndexSet::Range;

TEST(IndexSets, MergeWhatOverlapsOrTouches) {
  const IndexSet set = IndexSet::of({{7, 9}, {0, 2}, {3, 3}, {8, 12}, {8, 8}});
  EXPECT_EQ(set.ranges(), (std::vector<Range>{{0, 3}, {7, 12}}));
  EXPECT_EQ(set.size(), 10U);
  EXPECT_TRUE(IndexSet().empty());
  EXPECT_EQ(IndexSet::of({{0, 0xFFFFFFFF}, {5, 5}}).size(), std::size_t{0x100000000});
}

TEST(IndexSets, KnowWhatIsInThem) {
  const IndexSet set = IndexSet::of({{2, 3}, {7, 7}});
  for (std::uint32_t i = 0; i < 10; ++i) EXPECT_EQ(set.contains(i), i == 2 || i == 3 || i == 7);
}

TEST(IndexSets, TakeIndexesInAnyOrder) {
  IndexSet set;
  for (const std::uint32_t index : {4U, 5U, 9U, 5U, 8U, 0U}) set.add(index);
  EXPECT_EQ(set.ranges(), (std::vector<Range>{{0, 0}, {4, 5}, {8, 9}}));
}

// Every pair of subsets of 0..5, against the standard library's sets.
TEST(IndexSets, UniteAndSubtract) {
  const auto set_of = [](unsigned bits) {
    IndexSet set;
    for (std::uint32_t i = 0; i < 6; ++i) {
      if ((bits >> i & 1U) != 0) set.add(i);
    }
    return set;
  };
  for (unsigned a = 0; a < 64; ++a) {
    for (unsigned b = 0; b < 64; ++b) {
      EXPECT_EQ(set_of(a).with(set_of(b)), set_of(a | b)) << a << " " << b;
      EXPECT_EQ(set_of(a).without(set_of(b)), set_of(a & ~b)) << a << " " << b;
    }
  }
  EXPECT_TRUE(IndexSet::of({{0, 0xFFFFFFFF}}).without(IndexSet::of({{0, 0xFFFFFFFF}})).empty());
}

TEST(IndexSets, AreShortText) {
  EXPECT_EQ(to_text(IndexSet()), "");
  EXPECT_EQ(to_text(IndexSet::of({{0, 3}, {7, 7}, {10, 10}, {15, 15}, {20, 20}})), "0-3,7,10-20:5");
  EXPECT_EQ(to_text(IndexSet::of({{4, 4}, {7, 7}})), "4,7");
  EXPECT_EQ(to_text(IndexSet::of({{0, 0}, {2, 2}, {4, 5}})), "0,2,4-5");
}

TEST(IndexSets, SayThatTheirTextWasCut) {
  const IndexSet set = IndexSet::of({{10, 11}, {20, 21}, {30, 31}});
  EXPECT_EQ(to_text(set, 17), "10-11,20-21,30-31");
  EXPECT_EQ(to_text(set, 16), "10-11,20-21,...");
  EXPECT_EQ(to_text(set, 10), "10-11,...");
  EXPECT_EQ(to_text(set, 4), "...");
}

TEST(IndexSets, ComeBackFromTheirText) {
  for (const char* text : {"", "5", "0-3", "0-3,7,10-20:5", "4000000"}) {
    const auto set = index_set_from(text);
    ASSERT_TRUE(set) << text;
    EXPECT_EQ(to_text(*set), text);
  }
  EXPECT_EQ(to_text(index_set_from("7,1-2,2-3").value()), "1-3,7");
}

TEST(IndexSets, AreNotReadFromAnythingElse) {
  for (const char* text : {"x", "1,", ",1", "1-", "3-1", "1-3:0", "1-3:", "1 ", " 1", "-1", "+1",
                           "1...", "1,2...", "[1]", "1%2", "4000001", "0-4000001", "99999999999",
                           "0-4000000:2,0-4000000:2,0-4000000:2"}) {
    EXPECT_FALSE(index_set_from(text)) << text;
  }
}

}  // namespace
}  // namespace sconverge
