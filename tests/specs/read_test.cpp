#include "specs/read.h"

#include "tests/specs/spec_text.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::Eq;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const std::string kComplete = R"(
apiVersion: sconverge/v1
kind: Job
metadata:
  name: train-resnet
  namespace: vision
  labels: {team: vision}
  annotations: {example.com/note: any text at all, sconverge/protect: "true"}
spec:
  cluster: lab
  job:
    partition: main
    nodes: "2-4"
    tasks_per_node: 8
    time_limit: 2h
    memory_per_node: 64G
    environment: {PATH: /bin:/usr/bin, HOME: /home/alice}
    current_working_directory: /home/alice
  script: |
    #!/bin/bash
    srun python train.py
  suspend: true
  onChange: Queue
  onDelete: Orphan
)";

TEST(Read, TakesEveryField) {
  const JobSpec spec = read_one(kComplete, "vision/train.yaml");
  const JobSpec expected{
      .name = {"vision", "train-resnet"},
      .labels = {{"team", "vision"}},
      .annotations = {{"example.com/note", "any text at all"}, {"sconverge/protect", "true"}},
      .cluster = "lab",
      .job = {{"partition", "main"},
              {"nodes", "2-4"},
              {"tasks_per_node", std::int64_t{8}},
              {"time_limit", std::int64_t{120}},
              {"memory_per_node", std::int64_t{65536}},
              {"environment", std::vector<std::string>{"HOME=/home/alice", "PATH=/bin:/usr/bin"}},
              {"current_working_directory", "/home/alice"}},
      .script = "#!/bin/bash\nsrun python train.py\n",
      .suspend = true,
      .on_delete = OnDelete::Orphan,
      .file = "vision/train.yaml",
      .line = 2};
  EXPECT_EQ(spec, expected);
  EXPECT_TRUE(is_protected(spec));
}

TEST(Read, GivesDefaults) {
  const JobSpec spec = read_one(spec_text());
  EXPECT_EQ(spec.name, (SpecName{"default", "train"}));
  EXPECT_EQ(spec.cluster, "");
  EXPECT_FALSE(spec.suspend);
  EXPECT_EQ(spec.on_delete, OnDelete::Cancel);
  EXPECT_FALSE(is_protected(spec));
}

TEST(Read, NeedsNoJobFields) {
  EXPECT_THAT(
      read_one(
          "apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: a}\nspec: {script: '#!/bin/sh'}\n")
          .job,
      IsEmpty());
}

TEST(Read, TakesJson) {
  const JobSpec spec = read_one(
      "{\"apiVersion\":\"sconverge/v1\",\"kind\":\"Job\",\"metadata\":{\"name\":\"a\"},\n"
      "\t\"spec\":{\"job\":{\"tasks\":2,\"comment\":\"\\u00e9 \\ud83d\\ude00 \\\\ud83d \\/\"},"
      "\"script\":\"#!/bin/sh\\ntrue\\n\"}}",
      "a.json");
  EXPECT_EQ(spec.job.at("tasks"), FieldValue(std::int64_t{2}));
  EXPECT_EQ(spec.job.at("comment"), FieldValue("\xC3\xA9 \xF0\x9F\x98\x80 \\ud83d /"));
  EXPECT_EQ(spec.script, "#!/bin/sh\ntrue\n");
}

TEST(Read, RefusesHalfACharacterInJson) {
  for (const char* half : {"\\ud83d", "\\ude00", "\\ud83dx\\ude00", "\\ud83d\\u0041", "\\ud8"}) {
    EXPECT_THAT(problems_of("{\"apiVersion\": \"" + std::string(half) + "\"}", "a.json"),
                HasSubstr("not valid YAML"))
        << half;
  }
}

TEST(Read, TakesSeveralDocuments) {
  const SpecFile file =
      read_text(spec_text("", "", "one") + "---\n" + spec_text("", "", "two") + "...\n");
  ASSERT_THAT(file.specs, SizeIs(2));
  EXPECT_THAT(file.names, ElementsAre(SpecName{"default", "one"}, SpecName{"default", "two"}));
  EXPECT_EQ(file.specs[1].line, 12);
  EXPECT_TRUE(file.names_known);
}

TEST(Read, TakesAFileWholeOrNotAtAll) {
  const SpecFile file =
      read_text(spec_text("", "", "one") + "---\n" + spec_text("    nodes: x\n", "", "two"));
  EXPECT_THAT(file.specs, IsEmpty());
  EXPECT_THAT(file.problems, SizeIs(1));
  EXPECT_THAT(file.names, ElementsAre(SpecName{"default", "one"}, SpecName{"default", "two"}));
  EXPECT_TRUE(file.names_known);
}

TEST(Read, ReportsAllProblemsInTheOrderOfTheText) {
  EXPECT_EQ(problems_of("apiVersion: sconverge/v2\n"
                        "kind: Jobb\n"
                        "metadata: {name: A, labels: {a b: c}}\n"
                        "spec:\n"
                        "  clutser: x\n"
                        "  job: {nodes: 0, time_limit: 2hh}\n"
                        "  suspend: maybe\n"),
            "a.yaml:1:13: apiVersion: \"sconverge/v2\" is not known (write sconverge/v1)\n"
            "a.yaml:2:7: kind: \"Jobb\" is not known (write Job)\n"
            "a.yaml:3:18: metadata.name: \"A\" is not a valid name (use 1 to 63 of a-z, 0-9 and -, "
            "with a letter or "
            "digit at both ends)\n"
            "a.yaml:3:30: metadata.labels.a b: \"a b\" is not a valid key (use at most 63 of A-Z, "
            "a-z, 0-9, -, _ and "
            "., after an optional DNS name and /)\n"
            "a.yaml:5:3: spec.clutser: unknown field `clutser` (did you mean `cluster`?)\n"
            "a.yaml:5:3: spec: has no script (add `script: |` with the lines of a batch script, or "
            "`scriptFile`)\n"
            "a.yaml:6:16: spec.job.nodes: \"0\" is not a node count (write e.g. 2, 2-4, \"1,2,4\" "
            "or \"1-15:4\")\n"
            "a.yaml:6:31: spec.job.time_limit: \"2hh\" is not a duration (write e.g. 90m, 2h, "
            "1d12h, 1-12:00:00, a "
            "number of minutes, or UNLIMITED)\n"
            "a.yaml:7:12: spec.suspend: is \"maybe\", not true or false (write true or false)\n");
}

struct Bad {
  std::string text;
  const char* problem;
};

TEST(Read, SaysWhatIsMissing) {
  const Bad cases[] = {
      {"kind: Job\nmetadata: {name: a}\nspec: {script: '#!/bin/sh'}\n", "apiVersion: is missing"},
      {"apiVersion: sconverge/v1\nmetadata: {name: a}\nspec: {script: '#!/bin/sh'}\n",
       "kind: is missing"},
      {"apiVersion: sconverge/v1\nkind: Job\nspec: {script: '#!/bin/sh'}\n",
       "metadata: is missing"},
      {"apiVersion: sconverge/v1\nkind: Job\nmetadata: {}\nspec: {script: '#!/bin/sh'}\n",
       "a.yaml:3:11: metadata.name: is missing"},
      {"apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: a}\n", "spec: is missing"},
  };
  for (const Bad& c : cases) {
    EXPECT_THAT(read_text(c.text).problems, SizeIs(1)) << c.text;
    EXPECT_THAT(problems_of(c.text), HasSubstr(c.problem)) << c.text;
  }
}

TEST(Read, RefusesWrongShapes) {
  const Bad cases[] = {
      {"- a\n", "a.yaml:1:1: is a list, not a map"},
      {"just text\n", "a.yaml:1:1: is text, not a map"},
      {"apiVersion: [a]\n", "apiVersion: is a list, not text"},
      {"metadata: x\n", "metadata: is text, not a map"},
      {"metadata: {name: 12}\n", "metadata.name: is a number, not text"},
      {"metadata: {name: null}\n", "metadata.name: has no value"},
      {"metadata:\n  labels:\n", "a.yaml:2:3: metadata.labels: is empty, not a map"},
      {"metadata: {labels: {a: 1}}\n", "metadata.labels.a: is a number, not text"},
      {"metadata: {labels: {a: \"x y\"}}\n", "metadata.labels.a: \"x y\" is not a label value"},
      {"spec: []\n", "spec: is a list, not a map"},
      {"spec: {job: 5}\n", "spec.job: is a number, not a map"},
      {"spec: {script: [a]}\n", "spec.script: is a list, not text"},
      {"spec: {cluster: \"a b\"}\n", "spec.cluster: \"a b\" is not a cluster's name"},
      {"spec: {onDelete: cancel}\n",
       "spec.onDelete: \"cancel\" is not known (write Cancel or Orphan)"},
      {"spec: {onChange: queue}\n", "spec.onChange: \"queue\" is not known (write Queue)"},
      {"? [a, b]\n: c\n", "has a list as a key"},
      {"? {a: b}\n: c\n", "has a map as a key"},
      {"null: c\n", "has empty as a key"},
      {"<<: {a: b}\n", "merge keys are not supported"},
      {"apiVersion: !!str sconverge/v1\n", "the tag \"tag:yaml.org,2002:str\" is not supported"},
      {"spec: {script: !!binary aGk=}\n", "the tag \"tag:yaml.org,2002:binary\" is not supported"},
      {"spec: !mine {}\n", "a.yaml:1:7: the tag \"!mine\" is not supported"},
      {"apiVersion: \"\\N\"\n", "the escape `\\N` or `\\_` is not supported"},
  };
  for (const Bad& c : cases) EXPECT_THAT(problems_of(c.text), HasSubstr(c.problem)) << c.text;
}

TEST(Read, SuggestsWhatWasMeant) {
  EXPECT_THAT(problems_of("apiversion: x\n"),
              HasSubstr("unknown field `apiversion` (did you mean `apiVersion`?)"));
  EXPECT_THAT(problems_of("metadata: {nmae: x}\n"),
              HasSubstr("metadata.nmae: unknown field `nmae` (did you mean `name`?)"));
  EXPECT_THAT(problems_of("spec: {scriptfile: x}\n"), HasSubstr("did you mean `scriptFile`?"));
  EXPECT_THAT(problems_of("status: {}\n"), HasSubstr("known: apiVersion, kind, metadata, spec"));
}

TEST(Read, RefusesDuplicateKeysAnywhere) {
  const Bad cases[] = {
      {spec_text() + "kind: Job\n", "a.yaml:11:1: kind: duplicate key, first given in line 2"},
      {spec_text("    partition: x\n"),
       "a.yaml:8:5: spec.job.partition: duplicate key, first given in line 7"},
      {spec_text("", "  job: {}\n"), "spec.job: duplicate key"},
      {"metadata: {name: a, 'name': b}\n", "metadata.name: duplicate key"},
      {"metadata: {labels: {a: b, a: c}}\n", "metadata.labels.a: duplicate key"},
  };
  for (const Bad& c : cases) {
    EXPECT_THAT(problems_of(c.text), HasSubstr(c.problem)) << c.text;
    bool duplicate = false;
    for (const Problem& problem : read_text(c.text).problems)
      duplicate |= problem.kind == ProblemKind::Duplicate;
    EXPECT_TRUE(duplicate) << c.text;
  }
}

TEST(Read, RefusesANameUsedTwice) {
  const SpecFile file = read_text(spec_text() + "---\n" + spec_text("    nodes: 2\n"));
  EXPECT_THAT(file.specs, IsEmpty());
  ASSERT_THAT(file.problems, SizeIs(1));
  EXPECT_EQ(file.problems[0].kind, ProblemKind::Duplicate);
  EXPECT_EQ(to_text(file.problems[0]),
            "a.yaml:15:9: metadata.name: default/train is declared twice, first in line 4 (give "
            "one of them another "
            "name or namespace)");
  EXPECT_THAT(file.names, SizeIs(1));
}

TEST(Read, LetsNamespacesTellNamesApart) {
  std::string other = spec_text();
  other.replace(other.find("  name:"), 2, "  namespace: other\n  ");
  EXPECT_THAT(read_text(spec_text() + "---\n" + other).specs, SizeIs(2));
}

TEST(Read, RefusesWhatIsKnownButNotYetSupported) {
  const std::string cases[] = {
      spec_text("", "  onExternalCancel: Stop\n"),
      spec_text("", "  onLost: Hold\n"),
      spec_text("", "  fence: None\n"),
      spec_text("", "  dependsOn: [{name: b, when: Succeeded}]\n"),
      spec_text("", "  pendingDeadline: 24h\n"),
      spec_text("", "  retry: {limit: 3}\n"),
      spec_text("", "  onChange: Replace\n"),
      spec_text("", "  onChange: Ignore\n"),
      spec_text("", "  jobs: []\n"),
      "jobs: [{name: a}]\nscript: \"#!/bin/sh\\n\"\n",
  };
  for (const std::string& text : cases) {
    const SpecFile file = read_text(text);
    EXPECT_THAT(file.specs, IsEmpty()) << text;
    ASSERT_THAT(file.problems, SizeIs(1)) << text;
    EXPECT_THAT(file.problems[0].what, HasSubstr("not yet supported")) << text;
    EXPECT_EQ(file.problems[0].kind, ProblemKind::Policy) << text;
  }
}

TEST(Read, ProtectsOnlyByAnExactAnnotation) {
  EXPECT_THAT(
      problems_of("metadata: {annotations: {sconverge/protect: \"yes\"}}\n"),
      HasSubstr("metadata.annotations.sconverge/protect: \"yes\" is not \"true\" or \"false\""));
  EXPECT_THAT(problems_of("metadata: {annotations: {sconverge/protect: true}}\n"),
              HasSubstr("is true or false, not text"));
  EXPECT_THAT(problems_of("metadata: {annotations: {sconverge/protekt: \"true\"}}\n"),
              HasSubstr("did you mean `sconverge/protect`?"));
}

TEST(Read, TellsNamesOfRefusedDocuments) {
  const SpecFile file =
      read_text("kind: Other\nmetadata: {name: one, namespace: x, labels: 5}\n---\n" + spec_text());
  EXPECT_THAT(file.names, ElementsAre(SpecName{"x", "one"}, SpecName{"default", "train"}));
  EXPECT_TRUE(file.names_known);
}

TEST(Read, SaysThatANameCannotBeTold) {
  const std::string cases[] = {
      "",                                        // empty
      "# only a comment\n",                      //
      "---\n",                                   // an empty document
      spec_text() + "---\n",                     // one behind another
      "a: [\n",                                  // syntax
      spec_text() + "---\na: [\n",               //
      "metadata: {}\n",                          // no name
      "metadata: {name: A}\n",                   // no valid one
      "metadata: {name: a, namespace: A}\n",     //
      "\xFF",                                    // not text
      std::string(kMaxSpecFileBytes + 1, '\n'),  // too large
  };
  for (const std::string& text : cases) {
    const SpecFile file = read_text(text);
    EXPECT_FALSE(file.names_known) << text.substr(0, 100);
    EXPECT_THAT(file.problems, Not(IsEmpty())) << text.substr(0, 100);
    EXPECT_THAT(file.specs, IsEmpty()) << text.substr(0, 100);
  }
}

TEST(Read, SaysThatNothingIsDeclared) {
  EXPECT_EQ(problems_of(""),
            "a.yaml: the file declares nothing (write a spec in it, or remove it)\n");
  EXPECT_THAT(problems_of("# remark\n"), HasSubstr("the file declares nothing"));
  EXPECT_THAT(problems_of(spec_text() + "---\n# remark\n"),
              HasSubstr("the document declares nothing"));
  EXPECT_THAT(problems_of("null\n"), HasSubstr("a.yaml:1:1: the document declares nothing"));
}

TEST(Read, ReportsASyntaxErrorOnceAndWhereItIs) {
  const Bad cases[] = {
      {"a: [1\nb: 2\n", "not valid YAML"},
      {"a: 'never closed\n", "a.yaml:2:2: not valid YAML: illegal EOF in scalar"},
      {"a: \"never closed\n", "not valid YAML: illegal EOF in scalar"},
      {"a: b: c\n", "a.yaml:1:5: not valid YAML: illegal map value"},
      {"spec:\n    a: 1\n  b: 2\n", "a.yaml:3:3: not valid YAML"},
      {"a: *nowhere\n", "a.yaml:1:4: not valid YAML: the referenced anchor is not defined"},
      {", x\n", "a.yaml:1:1: not valid YAML: unexpected \",\""},
      {"a: }\n", "not valid YAML"},
      {"a: \"\\q\"\n", "not valid YAML: unknown escape character"},
      {"@a\n", "not valid YAML"},
  };
  for (const Bad& c : cases) {
    const SpecFile file = read_text(c.text);
    ASSERT_THAT(file.problems, SizeIs(1)) << c.text << problems_of(c.text);
    EXPECT_EQ(file.problems[0].kind, ProblemKind::Syntax) << c.text;
    EXPECT_THAT(to_text(file.problems[0]), HasSubstr(c.problem)) << c.text;
  }
}

TEST(Read, KeepsTheProblemsBeforeASyntaxError) {
  EXPECT_THAT(problems_of(spec_text("    nodes: x\n") + "---\na: [\n"),
              HasSubstr("a.yaml:8:12: spec.job.nodes"));
}

TEST(Read, WantsPlainUtf8) {
  const Bad cases[] = {
      {"\xEF\xBB\xBF" + spec_text(), "a.yaml:1: the file begins with a byte order mark"},
      {"a: 1\nb: \xE9\n", "a.yaml:2: the file is not UTF-8"},
      {std::string("a: 1\nb: \0\n", 11), "a.yaml:2: the file holds a NUL character"},
      {std::string("\xFF\xFE"
                   "a\0",
                   4),
       "the file is not UTF-8"},                                     // UTF-16
      {std::string("a\0:\0", 4), "the file holds a NUL character"},  // UTF-16 without a mark
  };
  for (const Bad& c : cases) {
    ASSERT_THAT(read_text(c.text).problems, SizeIs(1)) << c.text;
    EXPECT_EQ(read_text(c.text).problems[0].kind, ProblemKind::Syntax);
    EXPECT_THAT(problems_of(c.text), HasSubstr(c.problem));
  }
}

TEST(Read, KeepsOtherAlphabets) {
  EXPECT_EQ(read_one(spec_text("    comment: \xED\x95\x9C\xEA\xB8\x80 \xF0\x9F\x98\x80\n"))
                .job.at("comment"),
            FieldValue("\xED\x95\x9C\xEA\xB8\x80 \xF0\x9F\x98\x80"));
}

TEST(Read, TakesAnchorsAndAliases) {
  const JobSpec spec =
      read_one(spec_text("    standard_output: &log /tmp/log\n    standard_error: *log\n"));
  EXPECT_EQ(spec.job.at("standard_error"), FieldValue("/tmp/log"));
}

TEST(ReadTest, RefusesAWorkingDirectoryThatIsRelative) {
  const SpecFile file = read_spec_file(
      "apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  job:\n"
      "    current_working_directory: work\n  script: |\n    #!/bin/sh\n    true\n",
      "a.yaml", [](const std::string&) { return ScriptText{}; });
  ASSERT_EQ(file.problems.size(), 1U);
  EXPECT_EQ(file.problems[0].line, 6);
  EXPECT_EQ(file.problems[0].what, "\"work\" is not an absolute path");
}

}  // namespace
}  // namespace sconverge::test
