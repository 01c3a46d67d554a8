// What `validate -o ...` prints, whole, and the pre-commit hook, run as pre-commit would.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "controller/app/exit_code.h"
#include "tests/app/console_world.h"

namespace sconverge::test {
namespace {

using nlohmann::json;

constexpr const char* kGood =
    "apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: train}\n"
    "spec:\n  job: {partition: main}\n  script: |\n    #!/bin/sh\n";
// A problem behind characters of two and four bytes.
constexpr const char* kBad =
    "apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: best}\n"
    "spec:\n  job: {comment: \"\xC3\xA4\xF0\x9F\x98\x80\", time_limit: 2hh}\n"
    "  script: |\n    #!/bin/sh\n  spuspend: true\n";

struct ValidateOutputTest : testing::Test, ConsoleWorld {
  ValidateOutputTest() {
    write("jobs/good.yaml", kGood);
    write("jobs/bad.yaml", kBad);
  }
  [[nodiscard]] std::string bad() const { return specs() + "/bad.yaml"; }
  int validate(const std::string& output) { return type({"validate", specs(), "-o", output}); }
};

constexpr int kInvalid = static_cast<int>(ExitCode::Invalid);
constexpr const char* kDuration =
    "\"2hh\" is not a duration (write e.g. 90m, 2h, 1d12h, 1-12:00:00, a number of minutes, or "
    "UNLIMITED)";
constexpr const char* kUnknown = "unknown field `spuspend` (did you mean `suspend`?)";

TEST_F(ValidateOutputTest, TextCountsColumnsInBytesAsCompilersDo) {
  EXPECT_EQ(validate("text"), kInvalid);
  EXPECT_EQ(out.str(), bad() + ":5:40: spec.job.time_limit: " + kDuration + "\n" + bad() +
                           ":8:3: spec.spuspend: " + kUnknown +
                           "\n2 problems, 1 valid spec in 2 files\n");
}

TEST_F(ValidateOutputTest, GithubHasACommandForEachProblemAndTheSummary) {
  EXPECT_EQ(validate("github"), kInvalid);
  EXPECT_EQ(out.str(), "::error file=" + bad() +
                           ",line=5,col=37::spec.job.time_limit: " + kDuration +
                           "\n::error file=" + bad() + ",line=8,col=3::spec.spuspend: " + kUnknown +
                           "\n2 problems, 1 valid spec in 2 files\n");
}

TEST_F(ValidateOutputTest, SarifHasAResultForEachProblemAndNothingElse) {
  EXPECT_EQ(validate("sarif"), kInvalid);
  const json log = json::parse(out.str());
  const json& results = log["runs"][0]["results"];
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0]["message"]["text"], "spec.job.time_limit: " + std::string(kDuration));
  const json& place = results[0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["region"], (json{{"startLine", 5}, {"startColumn", 37}}));
  EXPECT_EQ(place["artifactLocation"]["uri"], "file://" + bad());
  EXPECT_EQ(results[0]["level"], "error");
  EXPECT_EQ(results[1]["message"]["text"], "spec.spuspend: " + std::string(kUnknown));
}

TEST_F(ValidateOutputTest, JsonAndYamlHoldTheSameProblems) {
  EXPECT_EQ(validate("json"), kInvalid);
  const json document = json::parse(out.str());
  EXPECT_EQ(document["kind"], "Validation");
  ASSERT_EQ(document["problems"].size(), 2U);
  EXPECT_EQ(document["problems"][0]["column"], 40);
  EXPECT_FALSE(document.contains("notes"));
  EXPECT_EQ(validate("yaml"), kInvalid);
  EXPECT_THAT(out.str(), testing::HasSubstr("field: spec.spuspend"));
}

TEST_F(ValidateOutputTest, ABrokenFileShowsItsWarningsByItselfAndWithinItsDirectory) {
  write("jobs/a.sbatch", "#!/bin/sh\n#SCONVERGE\n #SBATCH -n 3\n#SBATCH --foo\ntrue\n");
  for (const std::string& path : {specs(), specs() + "/a.sbatch"}) {
    EXPECT_EQ(type({"validate", path}), static_cast<int>(ExitCode::Invalid));
    EXPECT_THAT(out.str(), testing::HasSubstr("/a.sbatch:3:2: warning: ")) << path;
  }
}

TEST_F(ValidateOutputTest, WhatIsTakenButMostLikelyNotMeantIsAWarningAndNoFailure) {
  write("jobs/somebody.sbatch", "#!/bin/sh\ntrue\n");  // no line #SCONVERGE
  const std::string file = specs() + "/somebody.sbatch";
  EXPECT_EQ(type({"validate", file, "-o", "github"}), static_cast<int>(ExitCode::Ok));
  EXPECT_THAT(out.str(), testing::AllOf(testing::StartsWith("::warning file=" + file + "::"),
                                        testing::HasSubstr("1 file, 1 warning\n")));
  EXPECT_EQ(type({"validate", file}), static_cast<int>(ExitCode::Ok));
  EXPECT_THAT(out.str(), testing::StartsWith(file + ": warning: "));
  EXPECT_EQ(type({"validate", file, "-o", "json"}), static_cast<int>(ExitCode::Ok));
  EXPECT_EQ(json::parse(out.str())["notes"].size(), 1U);
  EXPECT_EQ(json::parse(out.str())["valid"], true);
  EXPECT_EQ(type({"validate", file, "-o", "sarif"}), static_cast<int>(ExitCode::Ok));
  EXPECT_EQ(json::parse(out.str())["runs"][0]["results"][0]["level"], "warning");
}

TEST_F(ValidateOutputTest, WithoutProblemsEveryFormatEndsWell) {
  std::filesystem::remove(bad());
  for (const char* output : {"text", "json", "yaml", "sarif", "github"}) {
    EXPECT_EQ(validate(output), static_cast<int>(ExitCode::Ok)) << output;
    if (std::string(output) == "sarif") {
      EXPECT_EQ(json::parse(out.str())["runs"][0]["results"], json::array());
    }
  }
  EXPECT_EQ(out.str(), "ok: 1 valid spec in 1 file\n");
}

TEST_F(ValidateOutputTest, OtherFormatsAreRefusedWithTheKnownOnes) {
  EXPECT_EQ(validate("checkstyle"), static_cast<int>(ExitCode::Usage));
  EXPECT_THAT(err.str(), testing::HasSubstr("is not one of github|json|sarif|text|yaml"));
}

// The hook

std::string slurp(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// The value of `key` in .pre-commit-hooks.yaml, which has one hook.
std::string hook(const std::string& key) {
  const std::string hooks = slurp(SCONVERGE_SOURCE_DIR "/.pre-commit-hooks.yaml");
  std::smatch found;
  const bool there = std::regex_search(hooks, found, std::regex("\n *" + key + ": ([^\n]+)\n"));
  EXPECT_TRUE(there) << key;
  return there ? found[1].str() : "";
}

TEST_F(ValidateOutputTest, TheHookTakesSpecFilesBelowJobs) {
  const std::regex files(hook("files"));
  for (const char* file :
       {"jobs/a.yaml", "jobs/team/a.yml", "jobs/a.json", "jobs/a.sbatch", "jobs/a.slurm"}) {
    EXPECT_TRUE(std::regex_search(file, files)) << file;
  }
  for (const char* file : {"a.yaml", "jobs/train.sh", "jobs/a.yaml.bak", "src/jobs/a.yaml"}) {
    EXPECT_FALSE(std::regex_search(file, files)) << file;
  }
}

TEST_F(ValidateOutputTest, TheHookLetsGoodFilesPassAndStopsBadOnes) {
  const std::string entry = hook("entry");
  ASSERT_TRUE(entry.starts_with("sconverge "));
  const auto run = [&](const std::string& files) {
    const std::string command = "'" SCONVERGE_BINARY "'" + entry.substr(entry.find(' ')) + " " +
                                files + " >'" + (directory / "output") + "' 2>&1";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  EXPECT_EQ(run("'" + specs() + "/good.yaml'"), 0) << slurp(directory / "output");
  EXPECT_EQ(run("'" + specs() + "/good.yaml' '" + bad() + "'"), kInvalid);
  EXPECT_THAT(slurp(directory / "output"),
              testing::HasSubstr("bad.yaml:5:40: spec.job.time_limit"));
}

}  // namespace
}  // namespace sconverge::test
