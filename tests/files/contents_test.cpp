#include <gmock/gmock.h>

#include <cerrno>

#include "tests/files/directory_world.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Contents : public DirectoryWorld {
 protected:
  static std::vector<std::string> invalid_names(const Desired& desired) {
    std::vector<std::string> result;
    for (const auto& [name, problems] : desired.invalid) result.push_back(name.name);
    return result;
  }
  std::string script_of(const std::string& name) {
    const Desired desired = read();
    const auto found = desired.specs.find({"default", name});
    return found == desired.specs.end() ? "(" + whats(desired) + ")" : found->second->script;
  }
};

// --- what is declared ---

TEST_F(Contents, AFileWithAProblemIsRefusedWholeAndItsNamesStayDeclared) {
  write("jobs/a.yaml", "job a\nbad b");
  write("jobs/c.yaml", "job c");
  const Desired desired = read();
  EXPECT_TRUE(desired.complete);
  EXPECT_TRUE(desired.names_known);
  EXPECT_THAT(names(desired), ElementsAre("c"));
  EXPECT_THAT(invalid_names(desired), ElementsAre("a", "b"));
  EXPECT_THAT(desired.invalid_files, ElementsAre("a.yaml"));
  EXPECT_EQ(desired.valid_files, 1);
  EXPECT_EQ(to_text(desired.invalid.at({"default", "a"}).at(0)), "a.yaml:2: is bad");
}

TEST_F(Contents, ASyntaxErrorMakesNamesUnknown) {
  write("jobs/a.yaml", "broken");
  const Desired desired = read();
  EXPECT_TRUE(desired.complete);
  EXPECT_FALSE(desired.names_known);
}

TEST_F(Contents, ANameDeclaredInTwoFilesIsAProblemOfBothThatNamesTheOther) {
  write("jobs/a.yaml", "job x\njob a");
  write("jobs/b.yaml", "job b\njob x");
  write("jobs/c.yaml", "job c");
  const Desired desired = read();
  EXPECT_TRUE(desired.complete);
  EXPECT_THAT(names(desired), ElementsAre("c"));
  EXPECT_THAT(invalid_names(desired), ElementsAre("a", "b", "x"));
  EXPECT_EQ(desired.invalid.at({"default", "x"}).size(), 2U);
  EXPECT_EQ(desired.invalid.at({"default", "a"}).size(), 1U);
  EXPECT_THAT(desired.invalid_files, ElementsAre("a.yaml", "b.yaml"));
  ASSERT_EQ(desired.problems.size(), 2U);
  EXPECT_EQ(desired.problems[0].kind, ProblemKind::Duplicate);
  EXPECT_THAT(to_text(desired.problems[0]),
              HasSubstr("a.yaml:1: metadata.name: \"default/x\" is also declared in b.yaml:2"));
  EXPECT_THAT(to_text(desired.problems[1]),
              HasSubstr("b.yaml:2: metadata.name: \"default/x\" is also declared in a.yaml:1"));
  EXPECT_TRUE(desired.names_known);
}

TEST_F(Contents, ANameInARefusedFileStillCollides) {
  write("jobs/a.yaml", "bad x");
  write("jobs/b.yaml", "job x");
  const Desired desired = read();
  EXPECT_THAT(desired.specs, IsEmpty());
  EXPECT_THAT(desired.invalid_files, ElementsAre("a.yaml", "b.yaml"));
  EXPECT_EQ(desired.problems.size(), 3U);
}

TEST_F(Contents, AResolvedCollisionGivesTheSpecBackWithoutReadingItsFileAgain) {
  write("jobs/a.yaml", "job x");
  write("jobs/b.yaml", "job x");
  EXPECT_THAT(read().specs, IsEmpty());
  remove("jobs/b.yaml");
  EXPECT_THAT(names(read()), ElementsAre("x"));
  EXPECT_EQ(parsed.size(), 2U);
}

// --- only what changed is parsed ---

TEST_F(Contents, OneChangedFileAmongManyIsParsedAlone) {
  for (int i = 0; i < 200; ++i) {
    write("jobs/team" + std::to_string(i % 7) + "/" + std::to_string(i) + ".yaml",
          "job j" + std::to_string(i));
  }
  const Desired before = read();
  EXPECT_EQ(parsed.size(), 200U);
  parsed.clear();
  write("jobs/team3/3.yaml", "job other");
  const Desired after = read();
  EXPECT_THAT(parsed, ElementsAre("team3/3.yaml"));
  EXPECT_EQ(after.specs.size(), 200U);
  EXPECT_EQ(after.specs.at({"default", "j4"}), before.specs.at({"default", "j4"}))
      << "an unchanged spec is the same object";
}

TEST_F(Contents, NothingIsParsedWhenNothingChanged) {
  write("jobs/a.yaml", "job a");
  const Desired before = read();
  files->opened.clear();
  int lists = 0;
  files->before = [&](const std::string& call, const std::string&) { lists += call == "list"; };
  const Desired after = read();
  EXPECT_EQ(lists, 1) << "one look is enough when nothing changed";
  EXPECT_EQ(parsed.size(), 1U);
  EXPECT_THAT(files->opened, testing::Not(testing::Contains("a.yaml")));
  EXPECT_EQ(after.specs, before.specs);
  EXPECT_EQ(after.revision, before.revision);
  EXPECT_TRUE(after.complete);
}

TEST_F(Contents, AChangeThatKeepsSizeAndModificationTimeIsSeen) {
  write("jobs/a.yaml", "job a");
  run("touch -d '2020-01-01' jobs/a.yaml");
  EXPECT_THAT(names(read()), ElementsAre("a"));
  run("printf 'job b' > jobs/a.yaml; touch -d '2020-01-01' jobs/a.yaml");
  EXPECT_THAT(names(read()), ElementsAre("b"));
}

TEST_F(Contents, AFileThatWentAndCameBackIsReadAgain) {
  write("jobs/a.yaml", "job a");
  EXPECT_TRUE(read().complete);
  rename("jobs/a.yaml", "a.yaml");
  EXPECT_THAT(read().specs, IsEmpty());
  rename("a.yaml", "jobs/a.yaml");
  EXPECT_THAT(names(read()), ElementsAre("a"));
}

TEST_F(Contents, ATemporaryFileDoesNotChangeWhatIsDeclared) {
  write("jobs/a.yaml", "job a");
  EXPECT_EQ(read().ignored_files, 0);
  write("jobs/a.yaml~", "job a");
  const Desired desired = read();
  EXPECT_EQ(desired.ignored_files, 1);
  EXPECT_THAT(names(desired), ElementsAre("a"));
}

// --- scripts ---

TEST_F(Contents, AScriptIsReadRelativeToItsSpecAndIsNoSpecItself) {
  write("jobs/team/a.yaml", "job a\nscript scripts/a.sh");
  write("jobs/team/scripts/a.sh", "echo a");
  write("jobs/team/b.yaml", "job b\nscript ../both.sbatch");
  write("jobs/both.sbatch", "echo b");
  EXPECT_EQ(script_of("a"), "echo a");
  EXPECT_EQ(script_of("b"), "echo b");
}

TEST_F(Contents, AChangedScriptReadsItsSpecAgainAndNoOther) {
  write("jobs/a.yaml", "job a\nscript a.sh");
  write("jobs/b.yaml", "job b");
  write("jobs/a.sh", "echo 1");
  EXPECT_EQ(script_of("a"), "echo 1");
  parsed.clear();
  write("jobs/a.sh", "echo 2");
  EXPECT_EQ(script_of("a"), "echo 2");
  EXPECT_THAT(parsed, ElementsAre("a.yaml"));
}

TEST_F(Contents, AMissingScriptIsAProblemUntilItAppears) {
  write("jobs/a.yaml", "job a\nscript a.sh");
  EXPECT_THAT(script_of("a"), HasSubstr("a.yaml:2: a.sh does not exist"));
  EXPECT_TRUE(read().complete);
  write("jobs/a.sh", "echo");
  EXPECT_EQ(script_of("a"), "echo");
  remove("jobs/a.sh");
  EXPECT_THAT(script_of("a"), HasSubstr("a.sh does not exist"));
}

TEST_F(Contents, AScriptOutsideOfTheDirectoryIsNeverRead) {
  write("secret.sh", "echo secret");
  link("../secret.sh", "jobs/link.sh");
  write("jobs/a.yaml", "job a\nscript ../secret.sh");
  write("jobs/b.yaml", "job b\nscript link.sh");
  write("jobs/c.yaml", "job c\nscript " + at("jobs/ok.sh"));
  write("jobs/d.yaml", "job d\nscript x/../../secret.sh");
  make_directory("jobs/x");
  write("jobs/ok.sh", "echo ok");
  EXPECT_THAT(script_of("a"), HasSubstr("../secret.sh leads out of the directory"));
  const std::string problems = whats(read());
  EXPECT_THAT(problems, HasSubstr("link.sh leads out of the directory"));
  EXPECT_THAT(problems, HasSubstr("ok.sh is not a path relative to the spec file"));
  EXPECT_THAT(problems, HasSubstr("x/../../secret.sh leads out of the directory"));
  EXPECT_THAT(files->opened, testing::Not(testing::Contains(HasSubstr("secret"))));
}

TEST_F(Contents, ALinkedScriptInsideIsReadAndItsTargetIsWatched) {
  write("jobs/.v1/a.sh", "echo 1");
  write("jobs/.v2/a.sh", "echo 2");
  link(".v1", "jobs/.current");
  write("jobs/a.yaml", "job a\nscript .current/a.sh");
  EXPECT_EQ(script_of("a"), "echo 1");
  link(".v2", "jobs/.current");
  EXPECT_EQ(script_of("a"), "echo 2");
}

TEST_F(Contents, AScriptMustBeARegularFileOfAtMostOneMebibyte) {
  make_directory("jobs/d.sh");
  run("mkfifo jobs/p.sh");
  write("jobs/big.sh", std::string(1024 * 1024 + 1, '#'));
  write("jobs/fits.sh", std::string(1024 * 1024, '#'));
  write("jobs/a.yaml", "job a\nscript d.sh\nscript p.sh\nscript big.sh\nscript fits.sh");
  const Desired desired = read();
  EXPECT_EQ(desired.problems.size(), 3U);
  EXPECT_THAT(whats(desired), HasSubstr("d.sh is not a regular file"));
  EXPECT_THAT(whats(desired), HasSubstr("p.sh is not a regular file"));
  EXPECT_THAT(whats(desired), HasSubstr("big.sh is 1048577 bytes long; at most 1048576 are read"));
}

TEST_F(Contents, AScriptThatCannotBeReadMakesTheSnapshotIncomplete) {
  write("jobs/a.yaml", "job a\nscript a.sh");
  write("jobs/a.sh", "echo");
  EXPECT_TRUE(read().complete);
  files->fault = [](const std::string& call, const std::string& path) {
    return call == "stat" && path == "a.sh" ? EIO : 0;
  };
  const Desired desired = read();
  EXPECT_FALSE(desired.complete);
  EXPECT_EQ(desired.incomplete_reason,
            "a.yaml names the script \"a.sh\", which cannot be read: input/output error");
}

// --- with the real reader ---

TEST_F(Contents, RealSpecsAreReadFromTheDirectory) {
  write("jobs/a.yaml",
        "apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: a}\n"
        "spec:\n  job: {partition: main}\n  scriptFile: a.sh\n");
  write("jobs/a.sh", "#!/bin/bash\nsrun hostname\n");
  DirectorySeams seams;
  seams.now = [this] { return now; };
  const Desired desired = watch_directory(options, seams)->read();
  EXPECT_TRUE(desired.complete) << desired.incomplete_reason;
  ASSERT_EQ(desired.specs.size(), 1U) << whats(desired);
  EXPECT_EQ(desired.specs.begin()->second->script, "#!/bin/bash\nsrun hostname\n");
  EXPECT_EQ(desired.specs.begin()->second->file, "a.yaml");
}

TEST_F(Contents, AnEmptyFileIsAProblemAndNeverNoJobs) {
  write("jobs/a.yaml", "");
  DirectorySeams seams;
  seams.now = [this] { return now; };
  const Desired desired = watch_directory(options, seams)->read();
  EXPECT_TRUE(desired.complete);
  EXPECT_THAT(desired.invalid_files, ElementsAre("a.yaml"));
  EXPECT_FALSE(desired.names_known);
}

}  // namespace
}  // namespace sconverge::test
