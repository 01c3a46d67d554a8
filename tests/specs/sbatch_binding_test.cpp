#include "specs/sbatch_binding.h"

#include "tests/specs/sbatch_asked.h"

namespace sconverge::test {
namespace {

struct Row {
  std::string_view text;
  std::string_view outcome;
};

TEST(SbatchDistributions, AreReadAsSbatchReadsThem) {
  const auto outcome = [](std::string_view text) -> std::string {
    const auto distribution = sbatch_distribution(text);
    return distribution.value ? rest_distribution(*distribution.value) : "refused";
  };
  for (const auto& [text, wanted] : std::vector<Row>{
           {"block", "block"},
           {"Cyclic", "cyclic"},
           {"*", "block"},
           {"block:cyclic", "block:cyclic"},
           {"cyclic:*", "cyclic:cyclic"},
           {"*:block:*", "block:block:block"},
           {"block:fcyclic:cyclic", "block:fcyclic:cyclic"},
           {"block,pack", "block,pack"},
           {"cyclic:block,NoPack", "cyclic:block,nopack"},
           {"pack", "pack"},
           {"nopack", "nopack"},
           {"plane=4", "plane=4"},
           {"Plane=65533", "plane=65533"},
           {"arbitrary", "arbitrary"},
           {"hostfile", "arbitrary"},
           {"", "refused"},
           {",pack", "refused"},
           {"fcyclic", "refused"},
           {"block:arbitrary", "refused"},
           {"block:block:block:block", "refused"},
           {"block,foo", "refused"},
           {"block,pack,pack", "refused"},
           {"pack,pack", "refused"},
           {"plane", "refused"},
           {"plane=", "refused"},
           {"plane=0", "refused"},
           {"plane=4x", "refused"},
           {"plane=65534", "refused"},
           {"foo", "refused"},
       }) {
    EXPECT_EQ(outcome(text), wanted) << text;
  }
}

TEST(SbatchDistributions, OfPlanesHaveTheirSizeInAVariableOfItsOwn) {
  const auto plane = sbatch_distribution("plane=4");
  ASSERT_TRUE(plane.value);
  EXPECT_EQ(environment_distribution(*plane.value), "plane");
}

std::string memory_outcome(std::string_view text, SbatchMemoryBinding before = {}) {
  const auto binding = sbatch_memory_binding(text, std::move(before));
  if (!binding.value) return "refused";
  std::string line;
  for (const std::string& word : rest_memory_binding_type(*binding.value)) line += word + " ";
  return line + "| " + environment_memory_binding(*binding.value);
}

TEST(SbatchMemoryBindings, AreReadAsSbatchReadsThem) {
  for (const auto& [text, wanted] : std::vector<Row>{
           {"local", "LOCAL | local"},
           {"none", "NONE | none"},
           {"rank,sort", "RANK SORT | sort,rank"},
           {"v,prefer,local", "LOCAL VERBOSE PREFER | verbose,prefer,local"},
           {"verbose,quiet", "| "},
           {"map_mem:0,1", "MAP | map_mem:0,1"},
           {"map_mem=0*2,1", "MAP | map_mem:0,0,1"},
           {"mapmem:3", "MAP | map_mem:3"},
           {"mask_mem:0x1,0xF", "MASK | mask_mem:1,F"},
           {"verbose,map_mem:0,1,sort", "MAP VERBOSE SORT | verbose,sort,map_mem:0,1"},
           {"map_mem:", "refused"},
           {"map_mem", "refused"},
           {"map_mem:x", "refused"},
           {"map_mem:1*0", "refused"},
           {"map_mem:1*x", "refused"},
           {"map_mem:1*", "refused"},
           {"map_mem:1*99999999999", "refused"},
           {"map_mem:1*65536", "refused"},
           {"help", "refused"},
           {"foo", "refused"},
           {"", "refused"},
       }) {
    EXPECT_EQ(memory_outcome(text), wanted) << text;
  }
}

TEST(SbatchMemoryBindings, AddUpButForTheMap) {
  EXPECT_EQ(memory_outcome("sort", {.type = "MAP", .map = "0,1", .verbose = true}),
            "MAP VERBOSE SORT | verbose,sort,map_mem");
}

TEST(SbatchTresBindings, ThatSlurmTakes) {
  for (const char* text :
       {"", "gres/gpu:closest", "gres/gpu:none", "gres/gpu:single:2", "gres/gpu:per_task:1",
        "gres/gpu:map:0,1", "gres/gpu:map_gpu:0*2,1", "gres/gpu:mask:0x3,0x1",
        "gres/gpu:mask_gpu:f", "gres/gpu:verbose,closest", "gres/gpu:closest+gres/nic:single:1",
        "gres/shard:per_task:2", "gres/mps:none", "gres/gpu:Closest"}) {
    EXPECT_FALSE(wrong_tres_bind(text)) << text;
  }
}

TEST(SbatchTresBindings, ThatSlurmRefuses) {
  for (const char* text :
       {"foo", "gres/gpu", "gres/gpu:foo", "gpu:closest", "gres/gpu:map:a", "gres/gpu:mask:g",
        "gres/gpu:map:1*x", "gres/shard:closest", "gres/gpu:closest+foo", "gres/gpu:single:-1"}) {
    EXPECT_TRUE(wrong_tres_bind(text)) << text;
  }
}

}  // namespace
}  // namespace sconverge::test
