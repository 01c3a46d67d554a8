#include "specs/sbatch_nodes.h"

#include <string>
#include <vector>

#include "tests/specs/sbatch_asked.h"

namespace sconverge::test {
namespace {

std::string nodes_outcome(std::string_view text) {
  const auto nodes = sbatch_nodes(text);
  if (!nodes.value) return "refused";
  if (!nodes.value->list.empty()) return nodes.value->list;
  return std::to_string(nodes.value->least) + "-" + std::to_string(nodes.value->most);
}

struct Row {
  std::string_view text;
  std::string_view outcome;
};

TEST(SbatchNodes, AreReadAsSbatchReadsThem) {
  for (const auto& [text, wanted] : std::vector<Row>{
           {"4", "4-4"},
           {"2-4", "2-4"},
           {"-3", "1-3"},
           {"2k", "2048-2048"},
           {"1k-2K", "1024-2048"},
           {"1m", "1048576-1048576"},
           {" 4 ", "4-4"},
           {"1,2,4", "1-2,4"},
           {"4,2", "2,4"},
           {"1-3,2", "1-3,2"},
           {"1-3,5", "1-3,5"},
           {"1-15:4", "1,5,9,13"},
           {"1-3:2", "1-3:2"},
           {"1,,2", "1,,2"},
           {"1-2,4-8:2", "refused"},
           {"1:3", "refused"},
           {"1-3:0", "refused"},
           {"1-3:2:1", "refused"},
           {"3-1", "refused"},
           {"3-1,5", "refused"},
           {"0", "refused"},
           {"0-2", "refused"},
           {"2-0", "refused"},
           {"0,2", "refused"},
           {"2-", "refused"},
           {"", "refused"},
           {",", "refused"},
           {"x", "refused"},
           {"2x", "refused"},
           {"2g", "refused"},
           {"65535,65535", "65535,65535"},
           {"65536,1", "refused"},
           {"99999999999", "refused"},
           {"1-99999999999", "refused"},
           {"1,+2", "refused"},
       }) {
    EXPECT_EQ(nodes_outcome(text), wanted) << text;
  }
}

TEST(SbatchNodes, OfManyLongRangesAreReadInNoTime) {
  std::string text = "1-65535";
  for (int i = 0; i < 500; ++i) text += ",1-65535";
  EXPECT_EQ(nodes_outcome(text), text);
  for (int i = 0; i < 100000; ++i) text += ",1-65535";
  EXPECT_EQ(nodes_outcome(text), "refused");
}

TEST(SbatchNodes, KeepTheSizesThatThereAreTasksFor) {
  EXPECT_EQ(sbatch_sizes_up_to("1-2,4,8", 4), "1-2,4");
  EXPECT_EQ(sbatch_sizes_up_to("1-8,16", 3), "1-3");
  EXPECT_EQ(sbatch_sizes_up_to("4,8", 3), "");
}

TEST(SbatchLayout, IsReadAsSbatchReadsIt) {
  const auto outcome = [](std::string_view text) -> std::string {
    const auto layout = sbatch_layout(text);
    if (!layout.value) return "refused";
    std::string line;
    for (const auto& number : {layout.value->sockets, layout.value->cores, layout.value->threads}) {
      line += (line.empty() ? "" : " ") + (number ? std::to_string(*number) : "*");
    }
    return line;
  };
  for (const auto& [text, wanted] : std::vector<Row>{
           {"2", "2 * *"},
           {"2:4", "2 4 *"},
           {"2:4:1", "2 4 1"},
           {"*:*:2", "* * 2"},
           {"::2", "* * 2"},
           {"", "* * *"},
           {"1-2:*:1", "1 * 1"},
           {"2k", "2048 * *"},
           {"x", "refused"},
           {"0", "refused"},
           {"-1", "refused"},
           {"2:x", "refused"},
           {"1-x", "refused"},
           {"99999999999", "refused"},
       }) {
    EXPECT_EQ(outcome(text), wanted) << text;
  }
}

}  // namespace
}  // namespace sconverge::test
