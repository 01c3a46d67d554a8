#include "specs/script.h"

#include "tests/specs/spec_text.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::string> found_in(std::string_view script) {
  std::vector<std::string> lines;
  for (const ScriptProblem& problem : check_script_text(script)) {
    lines.push_back(std::to_string(problem.line) + ": " + problem.what + " (" + problem.remedy +
                    ")");
  }
  return lines;
}

TEST(Script, IsFineAsSbatchTakesIt) {
  for (const char* script : {"#!/bin/sh\n", "#!/bin/sh", "#! /usr/bin/env python3\nprint(1)\n",
                             "#!/bin/sh\necho \xC3\xA9\n", "#!/bin/sh\nprintf '\r'\n"}) {
    EXPECT_THAT(found_in(script), IsEmpty()) << script;
  }
}

TEST(Script, MayNotBeEmpty) {
  for (const char* script : {"", "\n", " \t\n\n"}) {
    EXPECT_THAT(found_in(script), ElementsAre(HasSubstr("the script is empty"))) << script;
  }
}

TEST(Script, MustBeginWithAnInterpreter) {
  for (const char* script :
       {"echo\n", "\n#!/bin/sh\n", " #!/bin/sh\n", "##!/bin/sh\n", "#SBATCHX\n#"}) {
    EXPECT_THAT(found_in(script),
                testing::Contains(HasSubstr("1: the script does not begin with `#!`")))
        << script;
  }
}

TEST(Script, MayNotHoldNul) {
  EXPECT_THAT(found_in(std::string_view("#!/bin/sh\n\0", 11)),
              ElementsAre(HasSubstr("2: the script holds a NUL")));
}

TEST(Script, MayNotHaveDosLineBreaks) {
  EXPECT_THAT(found_in("#!/bin/sh\na\nb\r\nc\r\n"),
              ElementsAre(HasSubstr("3: the script has DOS line breaks")));
}

TEST(Script, MustBeUtf8BecauseJsonIs) {
  EXPECT_THAT(found_in("#!/bin/sh\n\xE9\n"), ElementsAre(HasSubstr("2: the script is not UTF-8")));
}

TEST(Script, MayHaveFourMebibytes) {
  std::string script = "#!/bin/sh\n";
  script.resize(4 * 1024 * 1024, 'x');
  EXPECT_THAT(found_in(script), IsEmpty());
  EXPECT_THAT(found_in(script + "x"), ElementsAre(HasSubstr("larger than 4 MiB")));
}

TEST(Script, IsCheckedAsATextWhateverItsDirectivesSay) {
  EXPECT_THAT(check_script_text("#!/bin/sh\n#SBATCH --no-such-thing\n"), IsEmpty());
  EXPECT_THAT(check_script_text("#SBATCH -N 2\r\n\xE9"), SizeIs(3));
}

TEST(InlineScript, TellsLineAndColumnInTheSpecFile) {
  EXPECT_THAT(problems_of("apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: a}\nspec:\n"
                          "  script: |\n"                    // line 5
                          "    #!/bin/sh\n"                  // line 6
                          "\n"                               // line 7
                          "    #SBATCH -N 2 --time=2hh\n"),  // line 8
              HasSubstr("a.yaml:8:18: spec.script: "));
}

TEST(InlineScript, TellsTheColumnBehindAnIndentationThatIsGiven) {
  EXPECT_THAT(problems_of("apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: a}\nspec:\n"
                          "  script: |1\n"
                          "   #!/bin/sh\n"
                          "   #SBATCH --time=2hh\n"),
              HasSubstr("a.yaml:7:12: spec.script: "));
}

TEST(InlineScript, TellsTheFieldAndTheScriptsLineWhereLinesAreNotKept) {
  EXPECT_THAT(problems_of("apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: a}\nspec:\n"
                          "  script: \"#!/bin/sh\\n#SBATCH --time=2hh\\n\"\n"),
              HasSubstr("a.yaml:5:11: spec.script: line 2: "));
  EXPECT_THAT(problems_of("apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: a}\nspec:\n"
                          "  script: >\n    #!/bin/sh\n\n    #SBATCH --time=2hh\n"),
              HasSubstr("a.yaml:5:11: spec.script: line 2: "));
}

TEST(InlineScript, OfAFileWithDosLineBreaksHasNone) {
  std::string text = spec_text();
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 2)) {
    text.replace(at, 1, "\r\n");
  }
  EXPECT_EQ(read_one(text).script, read_one(spec_text()).script);
}

// A file that names scripts, and the scripts.
struct ScriptFileTest : testing::Test {
  SpecFile read(const std::string& script_line) {
    return read_spec_file(
        "apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  " + script_line + "\n",
        "dir/a.yaml", [this](const std::string& path) {
          asked.push_back(path);
          return answer;
        });
  }
  ScriptText answer{.text = "#!/bin/sh\ntrue\n", .error = ""};
  std::vector<std::string> asked{};
};

TEST_F(ScriptFileTest, IsReadRelativeToTheSpecFile) {
  const SpecFile file = read("scriptFile: scripts/train.sh");
  ASSERT_THAT(file.specs, SizeIs(1));
  EXPECT_EQ(file.specs[0].script, "#!/bin/sh\ntrue\n");
  EXPECT_THAT(asked, ElementsAre("scripts/train.sh"));
  EXPECT_THAT(file.script_files, ElementsAre("scripts/train.sh"));
}

TEST_F(ScriptFileTest, GivesTheSameGenerationAsTheSameTextInline) {
  const SpecFile file = read("scriptFile: train.sh");
  const SpecFile in_line = read("script: \"#!/bin/sh\\ntrue\\n\"");
  ASSERT_THAT(file.specs, SizeIs(1));
  ASSERT_THAT(in_line.specs, SizeIs(1));
  EXPECT_EQ(generation_of(file.specs[0]), generation_of(in_line.specs[0]));
}

TEST_F(ScriptFileTest, ThatCannotBeReadIsAProblemOfTheSpecFile) {
  answer = {.text = "", .error = "no such file"};
  const SpecFile file = read("scriptFile: train.sh");
  ASSERT_THAT(file.problems, SizeIs(1));
  EXPECT_EQ(file.problems[0].kind, ProblemKind::Io);
  EXPECT_THAT(to_text(file.problems[0]),
              HasSubstr("dir/a.yaml:5:15: spec.scriptFile: \"train.sh\": no such file"));
  EXPECT_THAT(file.script_files, ElementsAre("train.sh"));  // to be looked at again when it changes
}

TEST_F(ScriptFileTest, IsCheckedLikeAnyScript) {
  answer.text = "#!/bin/sh\n#SBATCH --time=2hh\n";
  const SpecFile file = read("scriptFile: train.sh");
  ASSERT_THAT(file.problems, SizeIs(1));
  EXPECT_THAT(to_text(file.problems[0]), HasSubstr("\"train.sh\" line 2: "));
}

TEST_F(ScriptFileTest, NeverLeadsOutOfTheDirectory) {
  for (const char* path : {"/etc/passwd", "../x.sh", "a/../../x.sh", "a/..", ".."}) {
    const SpecFile file = read("scriptFile: " + std::string(path));
    ASSERT_THAT(file.problems, SizeIs(1)) << path;
    EXPECT_EQ(file.problems[0].kind, ProblemKind::Permission) << path;
    EXPECT_THAT(file.script_files, IsEmpty()) << path;
  }
  EXPECT_THAT(asked, IsEmpty());
}

TEST_F(ScriptFileTest, MustBeAPath) {
  for (const char* path : {"\"\"", "\"a\\nb\"", "\"a\\0b\"", "[a]", "5"}) {
    EXPECT_THAT(read("scriptFile: " + std::string(path)).problems, SizeIs(1)) << path;
  }
  EXPECT_THAT(asked, IsEmpty());
}

TEST_F(ScriptFileTest, ExcludesAnInlineScript) {
  EXPECT_THAT(to_text(read("scriptFile: a.sh\n  script: \"#!/bin/sh\"").problems.at(0)),
              HasSubstr("has both `script` and `scriptFile`"));
  EXPECT_THAT(to_text(read("suspend: true").problems.at(0)), HasSubstr("has no script"));
}

}  // namespace
}  // namespace sconverge::test
