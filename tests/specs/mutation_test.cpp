#include <array>
#include <random>

#include "tests/specs/spec_text.h"

// Seeded damage to valid files: whatever comes of it, a reading is total and takes a file whole or
// not at all.
namespace sconverge::test {
namespace {

const std::array<std::string, 3> kSeeds = {
    spec_text(
        "    time_limit: 1-12:00:00\n    memory_per_node: 64G\n    nodes: \"2-4\"\n"
        "    environment: {PATH: /bin, N: 3}\n    mail_type: [END, FAIL]\n    requeue: false\n",
        "  suspend: true\n  cluster: lab\n  onDelete: Orphan\n"),
    spec_text("    tasks: &n 4\n    cpus_per_task: *n\n", "", "one") + "---\n" +
        spec_text("    comment: \"a\\u00e9\\n\"\n    begin_time: 2027-01-31T08:00:00Z\n", "",
                  "two"),
    R"({"apiVersion": "sconverge/v1", "kind": "Job", "metadata": {"name": "j", "labels": {"a": "b"}},
        "spec": {"job": {"tasks": 2, "comment": "\ud83d\ude00"}, "script": "#!/bin/sh\ntrue\n"}})",
};

// What means something to YAML, to JSON or to the fields of a spec.
constexpr std::array<std::string_view, 40> kParts = {"\n",        "  ",
                                                     "\t",        ":",
                                                     ": ",        "- ",
                                                     ",",         "[",
                                                     "]",         "{",
                                                     "}",         "'",
                                                     "\"",        "\\",
                                                     "|",         ">",
                                                     "#",         "&a ",
                                                     "*a",        "!!binary ",
                                                     "---\n",     "...\n",
                                                     "? ",        "%YAML 1.2\n",
                                                     "~",         "null",
                                                     "true",      "0",
                                                     "-1",        "99999999999999999999",
                                                     "\xFF",      "\xC3\xA9",
                                                     "<<: ",      "#SBATCH -N 2\n",
                                                     "\r\n",      "\\ud83d",
                                                     "name: ",    "scriptFile: ../x\n",
                                                     "UNLIMITED", "1.5G"};

std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  for (std::size_t changes = 1 + below(4); changes > 0 && !text.empty(); --changes) {
    const std::size_t at = below(text.size());
    switch (below(6)) {
      case 0:
        text.insert(at, kParts[below(kParts.size())]);
        break;
      case 1:
        text.erase(at, 1 + below(20));
        break;
      case 2:
        text[at] = static_cast<char>(below(256));
        break;
      case 3:
        text.resize(at);
        break;
      case 4:
        text.insert(below(text.size()), text.substr(at, 1 + below(60)));
        break;
      case 5:
        text.replace(at, 1 + below(5), kParts[below(kParts.size())]);
        break;
    }
  }
  return text;
}

void expect_total(const std::string& text, const std::string& file) {
  const SpecFile result = read_text(text, file);
  EXPECT_NE(result.specs.empty(), result.problems.empty()) << text;
  if (!result.specs.empty()) {
    EXPECT_TRUE(result.names_known) << text;
    EXPECT_EQ(result.specs.size(), result.names.size()) << text;
  }
  for (const JobSpec& spec : result.specs) {
    const JobSpecPtr again = from_canonical(canonical_text(spec));
    ASSERT_NE(again, nullptr) << text;
    EXPECT_EQ(*again, spec) << text;
  }
  for (const Problem& problem : result.problems) {
    EXPECT_FALSE(problem.what.empty()) << text;
    EXPECT_FALSE(problem.remedy.empty()) << text;
    EXPECT_EQ(problem.file, file) << text;
    EXPECT_GE(problem.line, 0) << text;
  }
}

TEST(Mutation, NeverBreaksTheReader) {
  for (std::size_t i = 0; i < kSeeds.size(); ++i) {
    const std::string file = i == 2 ? "a.json" : "a.yaml";
    ASSERT_FALSE(read_text(kSeeds[i], file).specs.empty()) << problems_of(kSeeds[i], file);
    for (unsigned seed = 0; seed < 3000; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " of text " + std::to_string(i));
      std::mt19937 random(seed);
      expect_total(mutated(kSeeds[i], random), file);
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(Mutation, ByCuttingAnywhereIsNeverTaken) {
  const std::string& text = kSeeds[2];  // JSON: a part of it is never a whole
  for (std::size_t cut = 0; cut < text.size(); ++cut) {
    EXPECT_TRUE(read_text(text.substr(0, cut), "a.json").specs.empty()) << cut;
  }
}

}  // namespace
}  // namespace sconverge::test
