#include <set>

#include "specs/job_field.h"
#include "tests/specs/spec_text.h"

namespace sconverge::test {
namespace {

using testing::StartsWith;

Generation generation(const std::string& job_lines, const std::string& spec_lines = "") {
  return generation_of(read_one(spec_text(job_lines, spec_lines)));
}

TEST(Sha256, IsTheStandardOne) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

// Held by its value: another one would run every job of every user again after an upgrade.
TEST(Generation, StaysTheSameFromReleaseToRelease) {
  const JobSpec spec{.name = {"default", "a"},
                     .job = {{"partition", "main"},
                             {"requeue", false},
                             {"tasks", std::int64_t{2}},
                             {"time_limit", Unlimited{}},
                             {"environment", std::vector<std::string>{"A=1", "B=\xC3\xA9"}}},
                     .script = "#!/bin/sh\ntrue\n"};
  EXPECT_EQ(
      generation_of(spec),
      sha256_hex(
          "{\"job\":{\"environment\":[\"A=1\",\"B=\xC3\xA9\"],\"partition\":\"main\",\"requeue\":"
          "false,"
          "\"tasks\":2,\"time_limit\":{\"infinite\":true}},\"script\":\"#!/bin/sh\\ntrue\\n\"}")
          .substr(0, 16));
}

TEST(Generation, IsSixteenHexadecimalDigits) {
  EXPECT_THAT(generation(""), testing::MatchesRegex("[0-9a-f]{16}"));
}

TEST(Generation, IsTheSameForOtherWords) {
  const std::vector<std::vector<std::string>> same = {
      {"time_limit: 2h", "time_limit: 120", "time_limit: 2:00:00", "time_limit: \"0-2\"",
       "time_limit: 119m30s", "time_limit: 1h60m  # comment"},
      {"memory_per_node: 1G", "memory_per_node: 1024", "memory_per_node: 1024M",
       "memory_per_node: \"1GiB\"", "memory_per_node: 1048576K"},
      {"nodes: 2", "nodes: \"2\"", "nodes: 2-2", "nodes: '02'"},
      {"time_limit: UNLIMITED", "time_limit: infinite"},
      {"environment: {B: 2, A: 1}", "environment: [A=1, B=2]", "environment: [B=2, \"A=1\"]",
       "environment: {A: \"1\", B: \"2\"}"},
      {"comment: a b", "comment: \"a b\"", "comment: 'a b'", "comment: >-\n      a\n      b"},
      {"requeue: true", "requeue: True"},
      {"begin_time: 1700000000", "begin_time: 2023-11-14T22:13:20Z",
       "begin_time: 2023-11-15T00:13:20+02:00"},
      {"mail_type: [END, FAIL]", "mail_type:\n      - END\n      - FAIL"},
      {"tasks: 1\n    qos: a", "qos: a\n    tasks: 1"},
  };
  for (const auto& group : same) {
    for (const std::string& line : group) {
      EXPECT_EQ(generation("    " + line + "\n"), generation("    " + group[0] + "\n")) << line;
    }
  }
}

TEST(Generation, DoesNotDependOnWhatIsNoWork) {
  const Generation plain = generation("");
  EXPECT_EQ(generation("", "  suspend: true\n"), plain);
  EXPECT_EQ(generation("", "  onDelete: Orphan\n"), plain);
  EXPECT_EQ(generation("", "  onChange: Queue\n"), plain);
  EXPECT_EQ(generation("", "  cluster: lab\n"), plain);
  EXPECT_EQ(generation("    # a comment\n\n"), plain);
  std::string text = spec_text();
  text.replace(text.find("  name:"), 2,
               "  namespace: x\n  labels: {a: b}\n  annotations: {c: d}\n  ");
  EXPECT_EQ(generation_of(read_one("# first\n" + text, "other.yaml")), plain);
}

TEST(Generation, ChangesWithEachFieldAndTheScript) {
  std::set<Generation> generations{generation("")};
  std::size_t expected = 1;
  for (const char* line : {"tasks: 1",
                           "tasks: 2",
                           "cpus_per_task: 1",
                           "nodes: 1",
                           "nodes: 1-2",
                           "time_limit: 1m",
                           "time_limit: 2m",
                           "time_limit: UNLIMITED",
                           "time_minimum: 1m",
                           "comment: a",
                           "comment: b",
                           "comment: \"1\"",
                           "requeue: true",
                           "requeue: false",
                           "mail_type: [END]",
                           "mail_type: [END, FAIL]",
                           "mail_type: [FAIL, END]",
                           "environment: {A: 1}",
                           "environment: {A: 2}",
                           "environment: {A: 1, B: 2}",
                           "environment: {A: \"1 \"}",
                           "memory_per_node: 1",
                           "memory_per_node: 0"}) {
    generations.insert(generation("    " + std::string(line) + "\n"));
    EXPECT_EQ(generations.size(), ++expected) << line;
  }
  std::string text = spec_text();
  text.replace(text.find("srun"), 4, "Srun");
  generations.insert(generation_of(read_one(text)));
  EXPECT_EQ(generations.size(), ++expected);
}

// What could run together if values were only strung together.
TEST(Generation, TellsStructureApart) {
  const std::vector<JobFields> fields = {
      {},
      {{"a", "1"}},
      {{"a", std::int64_t{1}}},
      {{"a", true}},
      {{"a", "true"}},
      {{"a", Unlimited{}}},
      {{"a", "UNLIMITED"}},
      {{"a", "{\"infinite\":true}"}},
      {{"a", std::vector<std::string>{}}},
      {{"a", std::vector<std::string>{"1"}}},
      {{"a", std::vector<std::string>{"1", "2"}}},
      {{"a", std::vector<std::string>{"1\",\"2"}}},
      {{"a", "[\"1\"]"}},
      {{"a", ""}},
      {{"a", "1\",\"b\":\"2"}},
      {{"a", "1"}, {"b", "2"}},
      {{"a", "1b2"}},
      {{"a", std::string("1\0", 2)}},
      {{"a", "\\u0000"}},
  };
  std::set<Generation> generations;
  std::set<std::string> texts;
  for (const JobFields& job : fields) {
    const JobSpec spec{.name = {"n", "a"}, .job = job, .script = "x"};
    generations.insert(generation_of(spec));
    texts.insert(canonical_text(spec));
    const JobSpecPtr again = from_canonical(canonical_text(spec));
    ASSERT_NE(again, nullptr);
    EXPECT_EQ(*again, spec);
  }
  EXPECT_EQ(generations.size(), fields.size());
  EXPECT_EQ(texts.size(), fields.size());
  EXPECT_NE(generation_of({.name = {"n", "a"}, .job = {}, .script = "{}"}),
            generation_of({.name = {"n", "a"}, .job = {{"script", "{}"}}, .script = ""}));
}

TEST(CanonicalText, IsOneLineWithSortedKeys) {
  const JobSpec spec{.name = {"n", "a"}, .job = {{"qos", "q"}, {"account", "a"}}, .script = "#!\n"};
  EXPECT_EQ(canonical_text(spec),
            "{\"annotations\":{},\"cluster\":\"\",\"file\":\"\",\"job\":{\"account\":\"a\",\"qos\":"
            "\"q\"},\"labels\":{},"
            "\"line\":0,\"name\":\"a\",\"namespace\":\"n\",\"onDelete\":\"Cancel\",\"script\":\"#!"
            "\\n\",\"suspend\":false}");
}

TEST(CanonicalText, ReadsBackAsTheSameSpec) {
  JobSpec spec =
      read_one(spec_text("    tasks: 3\n    requeue: false\n    time_limit: UNLIMITED\n"
                         "    environment: {A: \"\\\"\\u20ac\\n\"}\n    mail_type: [END]\n",
                         "  suspend: true\n  onDelete: Orphan\n  cluster: lab\n"),
               "dir/file.yaml");
  spec.labels = {{"a", "b"}};
  spec.annotations = {{"c", "d\n"}};
  const JobSpecPtr again = from_canonical(canonical_text(spec));
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(*again, spec);
  EXPECT_EQ(canonical_text(*again), canonical_text(spec));
  EXPECT_EQ(generation_of(*again), generation_of(spec));
}

TEST(CanonicalText, OfAnEarlierReleaseGetsDefaults) {
  const JobSpecPtr spec = from_canonical("{\"name\":\"a\",\"namespace\":\"n\"}");
  ASSERT_NE(spec, nullptr);
  EXPECT_EQ(*spec, (JobSpec{.name = {"n", "a"}}));
}

TEST(CanonicalText, ThatIsDamagedIsUnknown) {
  const std::string good =
      canonical_text({.name = {"n", "a"}, .job = {{"qos", "q"}}, .script = "x"});
  ASSERT_NE(from_canonical(good), nullptr);
  for (std::size_t cut = 0; cut < good.size(); ++cut)
    EXPECT_EQ(from_canonical(good.substr(0, cut)), nullptr) << cut;
  for (const char* text :
       {"",
        "null",
        "[]",
        "5",
        "{}",
        "{\"name\":\"a\"}",
        "{\"name\":\"\",\"namespace\":\"n\"}",
        "{\"name\":5,\"namespace\":\"n\"}",
        "{\"name\":\"a\",\"namespace\":\"n\",\"job\":[]}",
        "{\"name\":\"a\",\"namespace\":\"n\",\"job\":{\"a\":null}}",
        "{\"name\":\"a\",\"namespace\":\"n\",\"job\":{\"a\":1.5}}",
        "{\"name\":\"a\",\"namespace\":\"n\",\"job\":{\"a\":[1]}}",
        "{\"name\":\"a\",\"namespace\":\"n\",\"job\":{\"a\":{}}}",
        "{\"name\":\"a\",\"namespace\":\"n\",\"job\":{\"a\":18446744073709551615}}",
        "{\"name\":\"a\",\"namespace\":\"n\",\"labels\":{\"a\":1}}",
        "{\"name\":\"a\",\"namespace\":\"n\",\"line\":-1}",
        "{\"name\":\"a\",\"namespace\":\"n\",\"line\":99999999999}",
        "{\"name\":\"a\",\"namespace\":\"n\",\"suspend\":1}",
        "{\"name\":\"a\",\"namespace\":\"n\",\"onDelete\":\"Keep\"}",
        "{\"name\":\"a\",\"namespace\":\"n\",\"more\":1}",
        "{\"name\":\"\xFF\",\"namespace\":\"n\"}"}) {
    EXPECT_EQ(from_canonical(text), nullptr) << text;
  }
}

TEST(Protection, NeedsTheWordTrue) {
  JobSpec spec{.name = {"n", "a"}};
  EXPECT_FALSE(is_protected(spec));
  spec.annotations = {{"sconverge/protect", "false"}};
  EXPECT_FALSE(is_protected(spec));
  spec.annotations = {{"sconverge/protect", "true"}};
  EXPECT_TRUE(is_protected(spec));
}

TEST(SpecName, IsWrittenWithItsNamespace) { EXPECT_EQ(to_text(SpecName{"n", "a"}), "n/a"); }

}  // namespace
}  // namespace sconverge::test
