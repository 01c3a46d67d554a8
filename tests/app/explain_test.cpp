#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "controller/app/exit_code.h"
#include "specs/field_text.h"
#include "specs/job_schema.h"
#include "tests/app/console_world.h"

namespace sconverge::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr int kOk = static_cast<int>(ExitCode::Ok);
constexpr int kError = static_cast<int>(ExitCode::Error);
constexpr int kUsage = static_cast<int>(ExitCode::Usage);

struct ExplainTest : testing::Test, ConsoleWorld {
  int explain(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "explain");
    return type(arguments);
  }
};

TEST_F(ExplainTest, TellsEverythingAboutAField) {
  EXPECT_EQ(explain({"spec.job.time_limit"}), kOk);
  EXPECT_EQ(out.str(),
            "spec.job.time_limit  duration\n"
            "\n"
            "  How long the job may run; then Slurm ends it.\n"
            "  Default: the partition's. 0 is refused, because Slurm takes it for unlimited.\n"
            "\n"
            "  Write     90m, 2h, 1d12h, 45s, 1-12:00:00, 2:00:00, 12:30 (12 minutes 30\n"
            "            seconds), a number of minutes, or UNLIMITED; rounded up to minutes.\n"
            "  sbatch    -t, --time\n"
            "  Change    A pending job takes it in place and keeps its place in the queue.\n"
            "\n"
            "  spec:\n"
            "    job:\n"
            "      time_limit: 2h\n");
}

TEST_F(ExplainTest, TakesTheEndOfAPath) {
  EXPECT_EQ(explain({"spec.job.time_limit"}), kOk);
  const std::string page = out.str();
  for (const char* name : {"time_limit", "job.time_limit"}) {
    EXPECT_EQ(explain({name}), kOk);
    EXPECT_EQ(out.str(), page) << name;
  }
}

TEST_F(ExplainTest, TellsOfAllFieldsThatEndInTheName) {
  EXPECT_EQ(explain({"name"}), kOk);
  EXPECT_THAT(out.str(), AllOf(StartsWith("metadata.name  text, required\n"),
                               HasSubstr("\n\nspec.job.name  text\n")));
}

TEST_F(ExplainTest, TakesTheNamesOfSbatch) {
  for (const char* name : {"ntasks", "n"}) {
    EXPECT_EQ(explain({name}), kOk) << err.str();
    EXPECT_THAT(out.str(), StartsWith("spec.job.tasks ")) << name;
  }
  EXPECT_EQ(explain({"--", "--mem"}), kOk) << err.str();
  EXPECT_THAT(out.str(), StartsWith("spec.job.memory_per_node "));
  EXPECT_EQ(explain({"signal"}), kOk);
  EXPECT_THAT(out.str(), AllOf(HasSubstr("kill_warning_delay"), HasSubstr("kill_warning_flags"),
                               HasSubstr("kill_warning_signal")));
}

TEST_F(ExplainTest, ShowsTheFieldsOfAMap) {
  EXPECT_EQ(explain({"spec"}), kOk);
  EXPECT_THAT(out.str(), AllOf(HasSubstr("\nFIELD "), HasSubstr("\nspec.script "),
                               HasSubstr("\nspec.onDelete "), HasSubstr("#!/bin/bash")));
  EXPECT_EQ(out.str().find("spec.job.partition"), std::string::npos);
  EXPECT_EQ(out.str().find("apiVersion"), std::string::npos);
  EXPECT_EQ(explain({"spec.job"}), kOk);
  EXPECT_THAT(out.str(), HasSubstr("\nspec.job.partition "));
}

TEST_F(ExplainTest, AloneListsAllFields) {
  EXPECT_EQ(explain({}), kOk);
  EXPECT_THAT(out.str(), StartsWith("FIELD "));
  for (const FieldText& field : field_texts()) {
    EXPECT_THAT(out.str(), AllOf(HasSubstr("\n" + field.path + " "), HasSubstr(field.summary)));
  }
}

TEST_F(ExplainTest, NoLineIsWiderThanATerminal) {
  for (const FieldText& field : field_texts()) {
    if (field.type == "map") continue;  // the table of its fields has the width that it needs
    EXPECT_EQ(explain({field.path}), kOk);
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST_F(ExplainTest, SuggestsWhatWasMeant) {
  EXPECT_EQ(explain({"time_limt"}), kError);
  EXPECT_EQ(err.str(),
            "sconverge: no field is called `time_limt` (did you mean `time_limit`? sconverge "
            "explain lists them all)\n");
  EXPECT_EQ(explain({"spec.job.partiton"}), kError);
  EXPECT_THAT(err.str(), HasSubstr("did you mean `spec.job.partition`?"));
  EXPECT_EQ(explain({"quux\x1b[31m"}), kError);
  EXPECT_EQ(err.str(),
            "sconverge: no field is called `quux\\x1b[31m` (sconverge explain lists them all)\n");
  EXPECT_THAT(out.str(), IsEmpty());
}

TEST_F(ExplainTest, TellsWhyAFieldIsRefused) {
  for (const char* name : {"hold", "spec.job.hold"}) {
    EXPECT_EQ(explain({name}), kError);
    EXPECT_EQ(err.str(),
              "sconverge: spec.job.hold: is set by the controller (use `suspend: true` in "
              "`spec`)\n");
  }
}

TEST_F(ExplainTest, TellsOfTheKnownOnesAmongSeveral) {
  EXPECT_EQ(explain({"partition", "quuxly", "qos"}), kError);
  EXPECT_THAT(out.str(), AllOf(StartsWith("spec.job.partition "), HasSubstr("\n\nspec.job.qos ")));
  EXPECT_THAT(err.str(), HasSubstr("`quuxly`"));
}

TEST_F(ExplainTest, GivesFieldsAsData) {
  EXPECT_EQ(explain({"-o", "json"}), kOk);
  const json document = json::parse(out.str());
  EXPECT_EQ(document["kind"], "FieldList");
  EXPECT_EQ(document["fields"].size(), field_texts().size());
  EXPECT_EQ(explain({"open_mode", "-o", "json"}), kOk);
  EXPECT_EQ(json::parse(out.str())["fields"],
            (json::array({{{"path", "spec.job.open_mode"},
                           {"type", "list"},
                           {"summary", find_field_text("spec.job.open_mode")->summary},
                           {"details", find_field_text("spec.job.open_mode")->details},
                           {"forms", "A list of these: APPEND, TRUNCATE."},
                           {"example", "open_mode: [APPEND]"},
                           {"sbatch", "--open-mode"},
                           {"required", false},
                           {"inPlace", false},
                           {"since", "v0.0.40"},
                           {"words", {"APPEND", "TRUNCATE"}}}})));
  EXPECT_EQ(explain({"qos", "-o", "yaml"}), kOk);
  EXPECT_THAT(out.str(), HasSubstr("path: spec.job.qos"));
}

TEST_F(ExplainTest, WritesTheSchema) {
  EXPECT_EQ(explain({"-o", "schema"}), kOk);
  EXPECT_EQ(out.str(), job_schema());
  EXPECT_EQ(explain({"qos", "-o", "schema"}), kUsage);
}

}  // namespace
}  // namespace sconverge::test
