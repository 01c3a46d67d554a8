#include "specs/job_value.h"

#include "tests/specs/spec_text.h"

namespace sconverge::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::int64_t number(std::int64_t value) { return value; }
using List = std::vector<std::string>;

struct Good {
  const char* line;
  FieldValue value;
};

TEST(JobValue, IsCanonicalForEachKind) {
  const Good cases[] = {
      {"account: physics", "physics"},
      {"account: \"123\"", "123"},
      {"comment: yes", "yes"},  // a word in YAML 1.2
      {"requeue: true", true},
      {"requeue: False", false},
      {"tasks: 8", number(8)},
      {"nice: -5", number(-5)},
      {"kill_warning_delay: 60", number(60)},
      {"time_limit: 2h", number(120)},
      {"time_limit: 2:00:00", number(120)},
      {"time_limit: \"120\"", number(120)},
      {"time_limit: unlimited", Unlimited{}},
      {"delay_boot: 2m", number(120)},
      {"memory_per_node: 64G", number(65536)},
      {"memory_per_node: 0", number(0)},
      {"temporary_disk_per_node: 1G", number(1024)},
      {"begin_time: 2023-11-14T22:13:20Z", number(1700000000)},
      {"deadline: 1700000000", number(1700000000)},
      {"mail_type: [END, FAIL]", List{"END", "FAIL"}},
      {"required_nodes: [n2, n1]", List{"n2", "n1"}},
      {"nodes: 2", "2"},
      {"nodes: \"2\"", "2"},
      {"nodes: 2-4", "2-4"},
      {"array: 5", "5"},
      {"array: 0-3%2", "0-3%2"},
      {"array: \"7, 5,6 ,7\"", "5-7"},
      {"array: [7, 1, 2-3]", "1-3,7"},
      {"array: [0-3%2]", "0-3%2"},
      {"environment: {B: \"x=y\", A: 1, C: 1.10}", List{"A=1", "B=x=y", "C=1.10"}},
      {"environment: [B=x=y, A=1]", List{"A=1", "B=x=y"}},
      {"environment: {A_B: \"1\", A: \"\"}", List{"A=", "A_B=1"}},
  };
  for (const Good& c : cases) EXPECT_EQ(job_value(c.line), c.value) << c.line;
}

struct Bad {
  const char* line;
  const char* what;
  const char* remedy;
};

TEST(JobValue, OfAWrongTypeOrUnitSaysWhatWouldBeRight) {
  const Bad cases[] = {
      {"account: 123", "is a number, not text", "put quotes around it: \"123\""},
      {"account: 1e3", "is a number", "quotes"},
      {"account: true", "is true or false, not text", "quotes"},
      {"account:", "has no value", "remove it"},
      {"account: ~", "has no value", "remove it"},
      {"account: \"\"", "is empty", "remove it"},
      {"account: [a]", "is a list, not text", "write one value"},
      {"account: {a: b}", "is a map, not text", "write one value"},
      {"account: \"a\\0b\"", "NUL", "remove"},
      {"account: \"a\\eb\"", "control character", "remove"},
      {"requeue: yes", "\"yes\", not true or false", "write true or false"},
      {"requeue: \"true\"", "not true or false", "remove the quotes"},
      {"requeue: 1", "not true or false", "write true or false"},
      {"tasks: \"8\"", "is text, not a number", "remove the quotes: 8"},
      {"tasks: eight", "\"eight\", not a whole number", "decimal digits"},
      {"tasks: 1.5", "not a whole number", "decimal digits"},
      {"tasks: 010", "not a whole number", "without leading zeros"},
      {"tasks: 0x10", "not a whole number", "decimal digits"},
      {"tasks: 0", "too small", "smallest value is 1"},
      {"tasks: -1", "too small", "smallest value is 1"},
      {"tasks: 4294967294", "too large", "largest value is 4294967293"},
      {"cpus_per_task: 65534", "too large", "65533"},
      {"tasks: {set: true, number: 8}", "is a map", "write the number alone"},
      {"time_limit: 2hh", "\"2hh\" is not a duration", "1-12:00:00"},
      {"time_limit: 0", "zero means unlimited", "UNLIMITED"},
      {"time_limit: 99999999999", "too large", "4294967293 minutes"},
      {"time_limit: {number: 8}", "without `set: true`", "write {set: true"},
      {"time_limit: {set: true, numer: 8}", "unknown field `numer`", "`number`"},
      {"time_limit: {set: true, number: {}}", "a map", "write the number alone"},
      {"time_limit: [1]", "is a list", "write one value"},
      {"time_limit:", "is empty", "remove the field"},
      {"memory_per_node: 1.5G", "fraction", "1536M"},
      {"memory_per_node: 64X", "not a size", "64G"},
      {"memory_per_node: 99999999999T", "too large", "MiB"},
      {"temporary_disk_per_node: 4294967294", "too large", "MiB"},
      {"begin_time: now+1hour", "not a point in time", "2027-01-31T08:00:00Z"},
      {"begin_time: 0", "too small", "1"},
      {"nodes: 4-2", "smaller number last", "write 2-4"},
      {"nodes: [1, 2]", "is a list", "write one value"},
      {"mail_type: END", "is text, not a list", "write [END]"},
      {"mail_type: []", "is an empty list", "remove it"},
      {"mail_type: [END, 5]", "is a number, not text", "quotes"},
      {"mail_type: [ENDD]", "\"ENDD\" is not known here", "did you mean `END`?"},
      {"mail_type: [ALL]", "\"ALL\" is not known here", "known: BEGIN END"},
      {"flags: [TEST_NOW_ONLY]", "not known here", "known: KILL_INVALID_DEPENDENCY"},
      {"environment: {}", "is empty", "remove the field"},
      {"environment: []", "is empty", "remove the field"},
      {"environment: A=1", "not a map or a list", "KEY: value"},
      {"environment: {A: true}", "is true or false", "quotes"},
      {"environment: {A: }", "is empty", "quotes"},
      {"environment: {A: [b]}", "is a list", "quotes"},
      {"environment: {A B: c}", "no variable's name", "letters"},
      {"environment: {1A: c}", "no variable's name", "letters"},
      {"environment: [A=1, A=2]", "the variable A is set twice", "keep one"},
      {"environment: {A: 1, A: 2}", "duplicate key", "keep one"},
      {"environment: [nothing]", "is not KEY=value", "LANG=C"},
      {"environment: [=x]", "no variable's name", "letters"},
      {"environment: {A: \"\\0\"}", "NUL", "remove"},
      {"hold: true", "is set by the controller", "suspend: true"},
      {"array: 1-x", "\"1-x\" is not a task, or a range of tasks", "0-30:10"},
      {"array: 3-1", "smaller index last", "write 1-3"},
      {"array: {a: b}", "is a map", "write the value alone"},
      {"array: [1, [2]]", "is a list, not a task", "[1, 3, 5-7]"},
      {"array: [1, 3-2]", "smaller index last", "write 2-3"},
      {"array: []", "is an empty list", "remove it"},
      {"array:", "is empty", "remove the field"},
      {"script: x", "no field of `job`", "`scriptFile` in `spec`"},
      {"rlimits: {nofile: 3}", "not yet supported", "ulimit"},
      {"priority: 5", "administrator", "nice"},
      {"partiton: main", "unknown field `partiton`", "did you mean `partition`?"},
      {"foo_bar: x", "unknown field `foo_bar`", "sconverge explain"},
  };
  for (const Bad& c : cases) {
    const std::string found = job_problem(c.line);
    EXPECT_THAT(found, HasSubstr(c.what)) << c.line;
    EXPECT_THAT(found, HasSubstr(c.remedy)) << c.line;
  }
}

TEST(JobValue, OfAnEnvironmentIsNeverShown) {
  for (const char* line : {"environment: {A: true, TOKEN: [s3cret]}", "environment: [s3cret]",
                           "environment: [1A=s3cret]", "environment: [A=s3cret, A=s3cret]",
                           "environment: {A: \"s3cret\\0\"}", "environment: s3cret"}) {
    const std::string problems = problems_of(spec_text("    " + std::string(line) + "\n"));
    EXPECT_THAT(problems, HasSubstr("spec.job.environment")) << line;
    EXPECT_THAT(problems, Not(HasSubstr("s3cret"))) << line;
  }
}

TEST(JobValue, LeavesRoomForTheMarkInTheComment) {
  EXPECT_THAT(problems_of(spec_text("    comment: " + std::string(640, 'c') + "\n")), IsEmpty());
  EXPECT_THAT(problems_of(spec_text("    comment: " + std::string(641, 'c') + "\n")),
              HasSubstr("at most 640 bytes"));
}

TEST(JobValue, LimitsTheNameInBytes) {
  EXPECT_THAT(problems_of(spec_text("    name: " + std::string(200, 'c') + "\n")), IsEmpty());
  std::string accents;
  for (int i = 0; i < 101; ++i) accents += "\xC3\xA9";
  EXPECT_THAT(problems_of(spec_text("    name: " + accents + "\n")),
              HasSubstr("is 202 bytes long"));
}

TEST(JobValue, PointsIntoLists) {
  EXPECT_THAT(problems_of(spec_text("    mail_type: [END, XX]\n")),
              HasSubstr("a.yaml:8:22: spec.job.mail_type[1]: "));
}

TEST(JobFieldRules, RefuseTwoFieldsThatSetTheSame) {
  EXPECT_THAT(problems_of(spec_text("    memory_per_cpu: 1G\n    memory_per_node: 1G\n")),
              HasSubstr("`memory_per_node` and `memory_per_cpu` set the same thing"));
  EXPECT_THAT(problems_of(spec_text("    nodes: 2\n    maximum_nodes: 3\n")),
              HasSubstr("set the same thing"));
}

TEST(JobFieldRules, KeepTheMinimumBelowTheLimit) {
  EXPECT_THAT(problems_of(spec_text("    time_limit: 1h\n    time_minimum: 61m\n")),
              HasSubstr("more than `time_limit`"));
  EXPECT_THAT(problems_of(spec_text("    time_limit: 1h\n    time_minimum: UNLIMITED\n")),
              HasSubstr("more than `time_limit`"));
  EXPECT_THAT(problems_of(spec_text("    time_limit: UNLIMITED\n    time_minimum: 61m\n")),
              IsEmpty());
  EXPECT_THAT(problems_of(spec_text("    time_limit: 61m\n    time_minimum: 61m\n")), IsEmpty());
}

TEST(JobField, OfEveryKindIsReadSomewhere) {
  for (const JobField& field : job_fields()) {
    std::string value;
    switch (field.kind) {
      case FieldKind::Text:
        value = "/text";
        break;
      case FieldKind::Flag:
        value = "true";
        break;
      case FieldKind::Integer:
      case FieldKind::Number:
      case FieldKind::Minutes:
      case FieldKind::Seconds:
      case FieldKind::Mebibytes:
      case FieldKind::MebibytesInt:
      case FieldKind::Timestamp:
      case FieldKind::NodeCount:
      case FieldKind::ArrayIndexes:
        value = "1";
        break;
      case FieldKind::TextList:
        value =
            "[" +
            std::string(field.words.empty() ? "n1" : field.words.substr(0, field.words.find(' '))) +
            "]";
        break;
      case FieldKind::Environment:
        value = "{A: b}";
        break;
    }
    const std::string text =
        "apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  job: {" +
        std::string(field.name) + ": " + value + "}\n  script: \"#!/bin/sh\\n\"\n";
    EXPECT_THAT(problems_of(text), IsEmpty());
    EXPECT_EQ(read_one(text).job.size(), 1U) << field.name;
  }
}

}  // namespace
}  // namespace sconverge::test
