#include "specs/api_body.h"

#include "tests/specs/spec_text.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// The body of Google's guide.
constexpr const char* kDocumented = R"({
  "job": {
    "name": "my-run",
    "partition": "main",
    "current_working_directory": "/home/alice",
    "minimum_nodes": 1,
    "tasks_per_node": 1,
    "environment": ["PATH=/bin:/usr/bin"],
    "time_limit": {"set": true, "number": 120}
  },
  "script": "#!/bin/bash\necho hello\nsleep 5\necho done\n"
})";

const JobSpec& only_spec(const SpecFile& file) {
  EXPECT_THAT(file.problems, IsEmpty());
  EXPECT_THAT(file.specs, SizeIs(1));
  return file.specs.at(0);
}

TEST(ApiBody, OfTheGuideIsASpecNamedAfterItsFile) {
  const SpecFile file = read_text(kDocumented, "vision/train_resnet.json");
  const JobSpec& spec = only_spec(file);
  EXPECT_EQ(spec.name, (SpecName{"default", "vision-train-resnet"}));
  EXPECT_EQ(spec.job.at("name"), FieldValue(std::string("my-run")));
  EXPECT_EQ(spec.job.at("time_limit"), FieldValue(std::int64_t{120}));
  EXPECT_EQ(spec.job.at("environment"), FieldValue(std::vector<std::string>{"PATH=/bin:/usr/bin"}));
  EXPECT_EQ(spec.script, "#!/bin/bash\necho hello\nsleep 5\necho done\n");
  EXPECT_EQ(file.names, std::vector<SpecName>{spec.name});
  EXPECT_TRUE(file.names_known);
}

TEST(ApiBody, MayBeYaml) {
  const SpecFile file = read_text(
      "job:\n  partition: main\n  time_limit: {set: true, infinite: true}\nscript: |\n  "
      "#!/bin/sh\n",
      "a.yaml");
  EXPECT_EQ(only_spec(file).job.at("time_limit"), FieldValue(Unlimited{}));
}

TEST(ApiBody, MeansTheSameAsADocumentOfKindJob) {
  const SpecFile body = read_text(kDocumented, "my-run.json");
  const SpecFile job = read_text(
      "apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: my-run}\nspec:\n  job:\n"
      "    name: my-run\n    partition: main\n    current_working_directory: /home/alice\n"
      "    minimum_nodes: 1\n    tasks_per_node: 1\n    environment: {PATH: /bin:/usr/bin}\n"
      "    time_limit: 2h\n"
      "  script: \"#!/bin/bash\\necho hello\\nsleep 5\\necho done\\n\"\n");
  EXPECT_EQ(generation_of(only_spec(body)), generation_of(only_spec(job)));
}

TEST(ApiBody, NumbersThatAreNotSetAskForNothing) {
  const SpecFile file =
      read_text(R"({"job":{"time_limit":{"set":false,"infinite":false,"number":0}},)"
                R"("script":"#!/bin/sh\n"})",
                "a.json");
  EXPECT_THAT(only_spec(file).job, IsEmpty());
}

TEST(ApiBody, ProblemsAreAllToldWithTheirPlace) {
  const SpecFile file = read_text(
      "{\"job\": {\n \"partiton\": \"main\",\n \"time_limit\": {\"number\": 5},\n"
      " \"memory_per_node\": {\"set\": true}\n},\n\"scripts\": \"x\"}",
      "a.json");
  EXPECT_THAT(
      file.problems,
      testing::UnorderedElementsAre(
          AllOf(Field(&Problem::line, 2), Field(&Problem::remedy, HasSubstr("partition"))),
          AllOf(Field(&Problem::line, 3), Field(&Problem::what, HasSubstr("`set: true`"))),
          AllOf(Field(&Problem::line, 4), Field(&Problem::what, HasSubstr("has no number"))),
          AllOf(Field(&Problem::line, 6), Field(&Problem::remedy, HasSubstr("`script`"))),
          Field(&Problem::what, HasSubstr("has no script"))));
  EXPECT_THAT(file.specs, IsEmpty());
  EXPECT_THAT(file.names, ElementsAre(SpecName{"default", "a"}));
  EXPECT_TRUE(file.names_known) << "the name is the file's, whatever is wrong in it";
}

TEST(ApiBody, OfAHeterogeneousJobIsRefused) {
  const SpecFile file = read_text(R"({"jobs": [{}, {}], "script": "#!/bin/sh\n"})", "a.json");
  EXPECT_THAT(file.problems, ElementsAre(Field(&Problem::what, HasSubstr("heterogeneous"))));
}

TEST(ApiBody, DirectivesThatSbatchWouldRefuseAreRefused) {
  const SpecFile file =
      read_text(R"({"job": {"tasks": 4}, "script": "#!/bin/sh\n#SBATCH --ntsks=4\n"})", "a.json");
  EXPECT_THAT(file.problems,
              ElementsAre(Field(&Problem::what, HasSubstr("\"--ntsks\" is no option"))));
}

TEST(ApiBody, DirectivesInItsScriptAreRefusedUnlessTheBodySaysTheSame) {
  const auto body = [](const std::string& job) {
    return read_text(R"({"job": )" + job + R"(, "script": "#!/bin/sh\n#SBATCH --nodes=2\n"})",
                     "a.json");
  };
  const SpecFile file = body("{}");
  ASSERT_THAT(file.problems, SizeIs(1));
  EXPECT_THAT(to_text(file.problems[0]),
              HasSubstr("script: line 2: `--nodes=2`: slurmrestd ignores directives, and the body "
                        "does not ask for it (write `nodes` under \"job\")"));
  const SpecFile asking = body(R"({"nodes": "3"})");
  EXPECT_THAT(asking.problems, IsEmpty());
  EXPECT_EQ(asking.specs.at(0).job.at("nodes"), FieldValue("3"));
}

TEST(ApiBody, BesideAnotherDocumentHasNoNameOfItsOwn) {
  const SpecFile file = read_text("job: {}\nscript: |\n  #!/bin/sh\n---\n" + spec_text(), "a.yaml");
  EXPECT_THAT(file.problems, ElementsAre(Field(&Problem::remedy, HasSubstr("a file of its own"))));
}

TEST(ApiBody, FileNamesBecomeNames) {
  const std::vector<std::pair<std::string, std::string>> names{
      {"a.json", "a"},
      {"A.B_c.yaml", "a-b-c"},
      {"x/y z.json", "x-y-z"},
      {"__a__.json", "a"},
      {"dir.d/job", "dir-d-job"},
      {"dir.d/.job", "dir-d-job"},
      {"caf\xC3\xA9.json", "caf"},
      {"1.2.json", "1-2"},
  };
  for (const auto& [file, name] : names) {
    ASSERT_TRUE(name_of_file(file)) << file;
    EXPECT_EQ(name_of_file(file)->name, name) << file;
    EXPECT_EQ(name_of_file(file)->name_space, "default");
  }
  EXPECT_EQ(name_of_file("___.json"), std::nullopt);
}

TEST(ApiBody, LongFileNamesKeepTheirEndAndStayApart) {
  const auto one = name_of_file(std::string(80, 'a') + "/train.json");
  const auto two = name_of_file(std::string(81, 'a') + "/train.json");
  ASSERT_TRUE(one && two);
  EXPECT_LE(one->name.size(), 63U);
  EXPECT_TRUE(one->name.ends_with("-train"));
  EXPECT_NE(one->name, two->name);
}

}  // namespace
}  // namespace sconverge::test
