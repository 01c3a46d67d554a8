#include "controller/app/render_problems.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace sconverge::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Problem a_problem() {
  return {"jobs/bad.yaml",
          7,
          17,
          "spec.job.time_limit",
          "\"2hh\" is not a duration",
          "write e.g. 90m",
          ProblemKind::Schema};
}

json sarif_of(const std::vector<RatedProblem>& problems) {
  return json::parse(sarif_document(problems, {"1.2.3", "abc", "g++"}, "/repo"));
}

json result_of(const Problem& problem) { return sarif_of({{problem}})["runs"][0]["results"][0]; }

std::string command_of(const Problem& problem) { return github_commands({{problem}}, "/repo"); }

std::string uri_of(const std::string& file) {
  Problem problem = a_problem();
  problem.file = file;
  return result_of(problem)["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
}

TEST(Sarif, HasWhatCodeScanningNeeds) {
  const json log = sarif_of({{a_problem()}});
  EXPECT_EQ(log["version"], "2.1.0");
  EXPECT_THAT(log["$schema"].get<std::string>(), HasSubstr("sarif-2.1.0"));
  ASSERT_EQ(log["runs"].size(), 1U);
  const json& driver = log["runs"][0]["tool"]["driver"];
  EXPECT_EQ(log["runs"][0]["columnKind"], "utf16CodeUnits");
  EXPECT_EQ(driver["name"], "sconverge");
  EXPECT_EQ(driver["version"], "1.2.3");
  const json& result = log["runs"][0]["results"][0];
  EXPECT_EQ(result["ruleId"], "schema");
  EXPECT_EQ(driver["rules"][result["ruleIndex"].get<std::size_t>()]["id"], "schema");
  EXPECT_EQ(result["level"], "error");
  EXPECT_EQ(result["message"]["text"],
            "spec.job.time_limit: \"2hh\" is not a duration (write e.g. 90m)");
  const json& place = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "jobs/bad.yaml");
  EXPECT_EQ(place["region"], (json{{"startLine", 7}, {"startColumn", 17}}));
}

TEST(Sarif, HasARuleWithHelpForEveryKindOfProblem) {
  const json log = sarif_of({});
  EXPECT_EQ(log["runs"][0]["results"], json::array());
  const json& rules = log["runs"][0]["tool"]["driver"]["rules"];
  for (const ProblemKind kind :
       {ProblemKind::Syntax, ProblemKind::Schema, ProblemKind::Duplicate, ProblemKind::TooLarge,
        ProblemKind::Permission, ProblemKind::Io, ProblemKind::Policy}) {
    Problem problem = a_problem();
    problem.kind = kind;
    const json& rule = rules.at(result_of(problem)["ruleIndex"].get<std::size_t>());
    EXPECT_EQ(rule["id"], std::string(to_text(kind)));
    for (const char* key : {"shortDescription", "fullDescription", "help"}) {
      EXPECT_NE(rule[key]["text"], "") << key;
    }
  }
  EXPECT_EQ(rules.size(), 7U);
}

TEST(Sarif, AProblemOfAWholeFileStandsInItsFirstLine) {
  Problem problem = a_problem();
  problem.line = 0;
  problem.column = 3;
  EXPECT_EQ(result_of(problem)["locations"][0]["physicalLocation"]["region"],
            (json{{"startLine", 1}}));
}

TEST(Sarif, PathsAreUrisRelativeToTheDirectory) {
  EXPECT_EQ(uri_of("./jobs//a.yaml"), "jobs/a.yaml");
  EXPECT_EQ(uri_of("/repo/jobs/a.yaml"), "jobs/a.yaml");
  EXPECT_EQ(uri_of("/repository/a.yaml"), "file:///repository/a.yaml");
  EXPECT_EQ(uri_of("jobs/a b%20#?.yaml"), "jobs/a%20b%2520%23%3F.yaml");
  EXPECT_EQ(uri_of("javascript:alert(1).yaml"), "javascript%3Aalert%281%29.yaml");
  EXPECT_EQ(uri_of("m\u00fcller.yaml"), "m%C3%BCller.yaml");
  EXPECT_EQ(uri_of("\xff\n.yaml"), "%FF%0A.yaml");
}

TEST(Sarif, OnlyRelativePathsHangOnTheRootOfTheSources) {
  Problem problem = a_problem();
  const auto location = [&] {
    return result_of(problem)["locations"][0]["physicalLocation"]["artifactLocation"];
  };
  EXPECT_EQ(location().value("uriBaseId", ""), "%SRCROOT%");
  problem.file = "/etc/passwd";
  EXPECT_FALSE(location().contains("uriBaseId"));
}

TEST(Sarif, AMessageIsTextWithoutLinksAndControlCharacters) {
  Problem problem = a_problem();
  problem.what = "see [here](https://evil.example) \x1b[31m\xff";
  const std::string text = result_of(problem)["message"]["text"];
  EXPECT_THAT(text, HasSubstr("[here] (https://evil.example) \\x1b[31m\\xff"));
}

TEST(Warnings, AreToldAsSuchEverywhere) {
  const RatedProblem warning{a_problem(), ProblemLevel::Warning};
  EXPECT_EQ(sarif_of({warning})["runs"][0]["results"][0]["level"], "warning");
  EXPECT_THAT(github_commands({warning}, "/repo"),
              StartsWith("::warning file=jobs/bad.yaml,line="));
  EXPECT_EQ(
      problem_line(warning),
      "jobs/bad.yaml:7:17: warning: spec.job.time_limit: \"2hh\" is not a duration (write e.g. "
      "90m)");
  EXPECT_EQ(problem_line(
                {{"a.yaml", 2, 0, "", "is odd", "", ProblemKind::Schema}, ProblemLevel::Warning}),
            "a.yaml:2: warning: is odd");
  EXPECT_EQ(problem_line({a_problem()}), to_text(a_problem()));
}

TEST(GithubCommands, PointAtTheLine) {
  EXPECT_EQ(command_of(a_problem()),
            "::error file=jobs/bad.yaml,line=7,col=17::spec.job.time_limit: \"2hh\" is not a "
            "duration (write e.g. 90m)\n");
}

TEST(GithubCommands, NameFilesFromTheDirectory) {
  const auto named = [](const std::string& file) {
    const std::string command = command_of({file, 0, 0, "", "is empty", "", ProblemKind::Schema});
    return command.substr(0, command.find("::is"));
  };
  EXPECT_EQ(named("./jobs//a.yaml"), "::error file=jobs/a.yaml");
  EXPECT_EQ(named("/repo/jobs/a.yaml"), "::error file=jobs/a.yaml");
  EXPECT_EQ(named("/other/a.yaml"), "::error file=/other/a.yaml");
}

TEST(GithubCommands, LeaveOutWhatIsUnknown) {
  EXPECT_EQ(command_of({"a.yaml", 0, 5, "", "is empty", "", ProblemKind::Schema}),
            "::error file=a.yaml::is empty\n");
  EXPECT_EQ(command_of({"a.yaml", 2, 0, "", "is empty", "", ProblemKind::Schema}),
            "::error file=a.yaml,line=2::is empty\n");
  EXPECT_EQ(github_commands({}, "/repo"), "");
}

TEST(GithubCommands, AHostileFileNameStaysAName) {
  Problem problem = a_problem();
  problem.file = "a,line=1::x%\r\n::error::owned\x1b[2J.yaml";
  const std::string commands = command_of(problem);
  EXPECT_THAT(
      commands,
      StartsWith("::error file=a%2Cline=1%3A%3Ax%25%0D%0A%3A%3Aerror%3A%3Aowned\\x1b[2J.yaml"
                 ",line=7,col=17::spec"));
  EXPECT_EQ(std::count(commands.begin(), commands.end(), '\n'), 1);
}

TEST(GithubCommands, AHostileMessageStaysAMessage) {
  Problem problem = a_problem();
  problem.field = "";
  problem.remedy = "";
  problem.what = "100%\n::add-mask::x\r::error::y, z: \x1b";
  EXPECT_EQ(command_of(problem),
            "::error file=jobs/bad.yaml,line=7,col=17::"
            "100%25%0A::add-mask::x%0D::error::y, z: \\x1b\n");
}

TEST(GithubCommands, EscapesAreNotReadTwice) {
  Problem problem = a_problem();
  problem.file = "%0A.yaml";
  problem.what = "%3A";
  EXPECT_THAT(command_of(problem), testing::AllOf(HasSubstr("file=%250A.yaml,"), HasSubstr("%253A"),
                                                  Not(HasSubstr("=%0A"))));
}

}  // namespace
}  // namespace sconverge::test
