#include "specs/sbatch_hosts.h"

#include "tests/specs/sbatch_asked.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;

struct Row {
  std::string_view text;
  std::int64_t count;
  std::int64_t places;
};

TEST(SbatchHosts, AreCountedOnceEach) {
  for (const auto& [text, count, places] : std::vector<Row>{
           {"n1", 1, 1},
           {"n[1-3]", 3, 3},
           {"n[1-2],n1", 2, 3},
           {"n[1-3,2]", 3, 4},
           {"n1,,n2", 2, 2},
           {"n1 n2", 2, 2},
           {"n[01-03]", 3, 3},
           {"n[1,01]", 2, 2},
           {"n1-3", 1, 1},
           {"r[1-2]n[1-3]", 6, 6},
           {"gpu[1-2]-ib", 2, 2},
           {"n[1-65536]", 65536, 65536},
           {"set{n1,n2}", 0, 0},
       }) {
    const auto hosts = sbatch_hosts(text);
    ASSERT_TRUE(hosts.value) << text;
    EXPECT_EQ(hosts.value->count, count) << text;
    EXPECT_EQ(hosts.value->places, places) << text;
  }
}

TEST(SbatchHosts, KeepTheirBrackets) {
  const auto hosts = sbatch_hosts("n[1-3,5],n7");
  ASSERT_TRUE(hosts.value);
  EXPECT_THAT(hosts.value->names, ElementsAre("n[1-3,5]", "n7"));
}

TEST(SbatchHosts, AreExpandedToTheirNames) {
  const auto names = host_names("n[1-2],gpu[08-09]-ib,n1");
  ASSERT_TRUE(names);
  EXPECT_THAT(*names, ElementsAre("gpu08-ib", "gpu09-ib", "n1", "n2"));
  EXPECT_TRUE(host_names("") && host_names("")->empty());
  for (const char* text : {"set{n1,n2}", "n[1-2", "/etc/hosts", "n[1-65536],m[1-2]"}) {
    EXPECT_FALSE(host_names(text)) << text;
  }
}

TEST(SbatchHosts, ThatAreNoListAreRefused) {
  for (const char* text : {"", ",", "n[", "n[]", "n[a]", "n[1-2", "n[3-1]", "n[1-x]", "n[-1]",
                           "n[1-65537]", "n[1-65536],n[1-65536]", "/etc/hosts", "./nodes",
                           "n[1-1000]m[1-1000]", "n[0-99999999999999999999]"}) {
    EXPECT_FALSE(sbatch_hosts(text).value) << text;
  }
}

TEST(SbatchHosts, WithLongNamesOrManyBracketsAreRefused) {
  EXPECT_FALSE(sbatch_hosts(std::string(300, 'n')).value);
  std::string brackets = "n";
  for (int i = 0; i < 30; ++i) brackets += "[1]";
  EXPECT_FALSE(sbatch_hosts(brackets).value);
  EXPECT_FALSE(sbatch_hosts("n" + std::string(300, 'x') + "[1-2]").value);
}

TEST(RangedHosts, JoinNeighboursThatDifferInANumberAlone) {
  using Names = std::vector<std::string>;
  const std::vector<std::pair<Names, Names>> rows = {
      {{"n1", "n2"}, {"n[1-2]"}},     {{"n1", "n2", "n4"}, {"n[1-2,4]"}},
      {{"n2", "n1"}, {"n[2,1]"}},     {{"n1", "n1"}, {"n[1,1]"}},
      {{"n9", "n10"}, {"n9", "n10"}}, {{"gpu08", "gpu09", "n1"}, {"gpu[08-09]", "n1"}},
      {{"a", "b"}, {"a", "b"}},       {{"n[1-2]", "n3"}, {"n[1-2]", "n3"}},
      {{"1", "2"}, {"[1-2]"}},
  };
  for (const auto& [names, ranged] : rows) EXPECT_EQ(ranged_hosts(names), ranged);
}

}  // namespace
}  // namespace sconverge::test
