#include "specs/near_miss.h"

#include <gtest/gtest.h>

#include <array>

namespace sconverge {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"partition", "nodes", "nice", "time_limit",
                                                    "qos"};

TEST(NearMiss, FindsSlipsOfTheHand) {
  EXPECT_EQ(near_miss("partiton", kNames), "partition");     // one left out
  EXPECT_EQ(near_miss("parttition", kNames), "partition");   // one too many
  EXPECT_EQ(near_miss("tiem_limit", kNames), "time_limit");  // two swapped
  EXPECT_EQ(near_miss("timelimit", kNames), "time_limit");
  EXPECT_EQ(near_miss("node", kNames), "nodes");
  EXPECT_EQ(near_miss("TIme_limit", kNames), "time_limit");
}

TEST(NearMiss, IsSilentAboutOtherWords) {
  EXPECT_EQ(near_miss("memory", kNames), "");
  EXPECT_EQ(near_miss("partition_name", kNames), "");
  EXPECT_EQ(near_miss("", kNames), "");
}

TEST(NearMiss, WantsLessThanHalfOfTheWordWrong) {
  EXPECT_EQ(near_miss("xos", kNames), "qos");
  EXPECT_EQ(near_miss("os", kNames), "");
  EXPECT_EQ(near_miss("nxcx", kNames), "");
}

TEST(NearMiss, PrefersTheNearest) {
  constexpr std::array<std::string_view, 2> names = {"tasks_per_core", "tasks_per_node"};
  EXPECT_EQ(near_miss("tasks_per_nod", names), "tasks_per_node");
}

TEST(NearMiss, KnowsNothingWithoutCandidates) { EXPECT_EQ(near_miss("nodes", {}), ""); }

}  // namespace
}  // namespace sconverge
