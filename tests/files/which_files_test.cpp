#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "tests/files/directory_world.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class WhichFiles : public DirectoryWorld {};

TEST_F(WhichFiles, YamlAndJsonAreReadSubDirectoriesIncluded) {
  write("jobs/b.yml", "job b");
  write("jobs/a.yaml", "job a");
  write("jobs/deep/er/c.json", "job c");
  const Desired desired = read();
  EXPECT_TRUE(desired.complete) << desired.incomplete_reason;
  EXPECT_THAT(names(desired), ElementsAre("a", "b", "c"));
  EXPECT_THAT(parsed, ElementsAre("a.yaml", "b.yml", "deep/er/c.json"));
  EXPECT_EQ(desired.valid_files, 3);
  EXPECT_EQ(desired.specs.begin()->second->file, "a.yaml");
}

TEST_F(WhichFiles, AnEmptyDirectoryIsCompleteAndEmpty) {
  const Desired desired = read();
  EXPECT_TRUE(desired.complete) << desired.incomplete_reason;
  EXPECT_THAT(desired.specs, IsEmpty());
  EXPECT_TRUE(desired.names_known);
}

TEST_F(WhichFiles, HiddenTemporaryAndOtherFilesAreCountedAndNotRead) {
  for (const std::string name :
       {".a.yaml", ".a.yaml.swp", "a.yaml~", "#a.yaml#", "~a.yaml", "#a.yaml", "a.yaml.swp",
        "a.yaml.tmp", "a.yaml.bak", "a.yaml.orig", "README.md", "train.sh", "4913", "yaml"}) {
    write("jobs/" + name, "broken");
  }
  const Desired desired = read();
  EXPECT_TRUE(desired.complete);
  EXPECT_THAT(parsed, IsEmpty());
  EXPECT_EQ(desired.ignored_files, 14);
  EXPECT_THAT(desired.problems, IsEmpty());
}

TEST_F(WhichFiles, GitAndHiddenDirectoriesAndBackupsOfDirectoriesAreNotEntered) {
  write("jobs/.git/a.yaml", "broken");
  write("jobs/.cache/a.yaml", "broken");
  write("jobs/team.bak/a.yaml", "broken");
  EXPECT_TRUE(read().complete);
  EXPECT_THAT(parsed, IsEmpty());
}

TEST_F(WhichFiles, AnSbatchScriptWithoutTheMarkIsSomebodysScript) {
  write("jobs/a.sbatch", "#!/bin/bash\n#SBATCH -n1\n#SCONVERGENT --name=a\n");
  write("jobs/b.slurm", "#!/bin/bash\necho '#SCONVERGE'\n");
  const Desired desired = read();
  EXPECT_TRUE(desired.complete);
  EXPECT_THAT(desired.problems, IsEmpty());
  EXPECT_EQ(desired.ignored_files, 2);
  EXPECT_EQ(desired.valid_files, 0);
}

TEST_F(WhichFiles, AnSbatchScriptWithTheMarkIsASpec) {
  write("jobs/a.sbatch", "#!/bin/bash\n#SCONVERGE --name=train\ntrue\n");
  write("jobs/b.slurm", "#!/bin/bash\n#SCONVERGE\ntrue\n");
  const Desired desired = read();
  EXPECT_TRUE(desired.complete);
  EXPECT_THAT(whats(desired), IsEmpty());
  EXPECT_THAT(names(desired), ElementsAre("b", "train"));
  EXPECT_EQ(desired.ignored_files, 0);
}

TEST_F(WhichFiles, AMarkedSbatchScriptThatIsTooLargeIsNotTakenForItsBeginning) {
  write("jobs/a.sbatch",
        "#!/bin/bash\n#SCONVERGE --name=train\n" + std::string(std::size_t{1024} * 1024, '#'));
  const Desired desired = read();
  EXPECT_THAT(whats(desired), HasSubstr("larger than 1 MiB"));
  EXPECT_THAT(names(desired), IsEmpty());
  EXPECT_FALSE(desired.names_known);
}

TEST_F(WhichFiles, PipesAndSocketsAreRefusedAndNeverOpened) {
  ASSERT_EQ(::mkfifo(at("jobs/pipe.yaml").c_str(), 0666), 0);
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, at("jobs/s.json").c_str(), sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ::close(fd);
  const Desired desired = read();
  EXPECT_THAT(whats(desired), HasSubstr("pipe.yaml: is a named pipe, not a regular file"));
  EXPECT_THAT(whats(desired), HasSubstr("s.json: is a socket, not a regular file"));
  EXPECT_THAT(files->opened, Not(testing::Contains("pipe.yaml")));
  EXPECT_TRUE(desired.complete);
  EXPECT_FALSE(desired.names_known);
}

TEST_F(WhichFiles, APipeThatTakesAFilesPlaceDoesNotBlock) {
  write("jobs/a.yaml", "job a");
  files->before = [&](const std::string& call, const std::string& path) {
    if (call != "open" || path != "a.yaml") return;
    remove("jobs/a.yaml");
    ASSERT_EQ(::mkfifo(at("jobs/a.yaml").c_str(), 0666), 0);
    files->before = nullptr;
  };
  EXPECT_THAT(whats(read()), HasSubstr("a.yaml: is a named pipe"));
}

TEST_F(WhichFiles, ADeviceIsRefused) {
  if (::mknod(at("jobs/zero.yaml").c_str(), S_IFCHR | 0666, 0x105) != 0) {
    link("/dev/zero", "jobs/zero.yaml");  // without the right to make one
  }
  const Desired desired = read();
  EXPECT_THAT(desired.invalid_files, ElementsAre("zero.yaml"));
  EXPECT_THAT(files->opened, Not(testing::Contains("zero.yaml")));
}

TEST_F(WhichFiles, AFileThatIsTooLargeIsAProblemAndNotOpened) {
  write("jobs/a.yaml", std::string(kMaxSpecFileBytes + 1, '#'));
  const Desired desired = read();
  ASSERT_EQ(desired.problems.size(), 1U);
  EXPECT_EQ(desired.problems[0].kind, ProblemKind::TooLarge);
  EXPECT_THAT(whats(desired), HasSubstr("is 1048577 bytes long; at most 1048576 are read"));
  EXPECT_THAT(files->opened, Not(testing::Contains("a.yaml")));
}

TEST_F(WhichFiles, AFileOfTheLargestSizeIsRead) {
  write("jobs/a.yaml", "job " + std::string(kMaxSpecFileBytes - 4, 'a'));
  EXPECT_EQ(read().specs.size(), 1U);
}

// --- links ---

TEST_F(WhichFiles, ALinkThatStaysInsideIsFollowed) {
  write("jobs/.store/a.yaml", "job a");
  write("jobs/.store/team/b.yaml", "job b");
  link(".store/a.yaml", "jobs/a.yaml");
  link(".store/team", "jobs/team");
  make_directory("jobs/sub");
  link("../.store/a.yaml", "jobs/sub/again.yaml");
  const Desired desired = read();
  EXPECT_TRUE(desired.complete) << desired.incomplete_reason;
  EXPECT_THAT(names(desired), ElementsAre("a", "b"));
  EXPECT_THAT(desired.problems, IsEmpty());
}

TEST_F(WhichFiles, AnAbsoluteLinkIntoTheDirectoryIsFollowed) {
  write("jobs/.store/a.yaml", "job a");
  link(at("jobs/.store/a.yaml"), "jobs/a.yaml");
  EXPECT_THAT(names(read()), ElementsAre("a"));
}

TEST_F(WhichFiles, WhatSeveralPathsLeadToIsReadOnce) {
  write("jobs/v1/a.yaml", "job a");
  link("v1", "jobs/current");
  link("v1/a.yaml", "jobs/a.yaml");
  link(".hidden", "jobs/l1");
  link(".hidden/deep", "jobs/l0");
  write("jobs/.hidden/deep/b.yaml", "job b");
  link("l1/deep/b.yaml", "jobs/b.yaml");
  const Desired desired = read();
  EXPECT_THAT(names(desired), ElementsAre("a", "b"));
  EXPECT_THAT(desired.problems, IsEmpty());
}

TEST_F(WhichFiles, ALinkOutOfTheDirectoryIsAProblemAndNeverOpened) {
  write("outside/a.yaml", "job a");
  write("jobs/ok.yaml", "job ok");
  link("../outside/a.yaml", "jobs/a.yaml");
  link(at("outside/a.yaml"), "jobs/b.yaml");
  link("../outside", "jobs/team");
  link("/etc/passwd", "jobs/c.json");
  link("../outside/nothing.yaml", "jobs/d.yaml");
  const Desired desired = read();
  EXPECT_THAT(desired.invalid_files, ElementsAre("a.yaml", "b.yaml", "c.json", "d.yaml", "team"));
  EXPECT_THAT(whats(desired),
              HasSubstr("a.yaml: is a link that leads out of the directory, to ../outside/a.yaml"));
  EXPECT_THAT(whats(desired),
              HasSubstr("c.json: is a link that leads out of the directory, to /etc/passwd"));
  EXPECT_TRUE(desired.complete);
  EXPECT_THAT(names(desired), ElementsAre("ok"));
  EXPECT_FALSE(desired.names_known);
  EXPECT_THAT(files->opened, Not(testing::Contains(HasSubstr("passwd"))));
}

TEST_F(WhichFiles, ALinkToSomeOtherFileOutsideIsIgnored) {
  write("README.md", "broken");
  link("../README.md", "jobs/README.md");
  const Desired desired = read();
  EXPECT_THAT(desired.problems, IsEmpty());
  EXPECT_EQ(desired.ignored_files, 1);
}

TEST_F(WhichFiles, LinksThatLeadBackAreProblems) {
  link("b.yaml", "jobs/a.yaml");
  link("a.yaml", "jobs/b.yaml");
  make_directory("jobs/team/deep");
  link("../..", "jobs/team/deep/all");
  const Desired desired = read();
  EXPECT_THAT(whats(desired), HasSubstr("a.yaml: is a link that leads back to itself"));
  EXPECT_THAT(whats(desired),
              HasSubstr("team/deep/all: is a link to a directory that contains it"));
  EXPECT_EQ(desired.problems.size(), 3U);
}

TEST_F(WhichFiles, DirectoriesThatLinkToEachOtherAreReadOnce) {
  write("jobs/.x/a.yaml", "job a");
  write("jobs/.y/b.yaml", "job b");
  write("jobs/.y/README", "");
  link("../.y", "jobs/.x/other");
  link("../.x", "jobs/.y/other");
  link(".x", "jobs/team");
  const Desired desired = read();
  EXPECT_TRUE(desired.complete) << desired.incomplete_reason;
  EXPECT_THAT(names(desired), ElementsAre("a", "b"));
  EXPECT_EQ(desired.ignored_files, 1);
}

TEST_F(WhichFiles, ALinkIntoGitIsAProblem) {
  write("jobs/.git/hooks/a.yaml", "job a");
  link(".git/hooks", "jobs/hooks");
  EXPECT_THAT(whats(read()), HasSubstr("hooks: is a link into .git"));
  EXPECT_THAT(parsed, IsEmpty());
}

TEST_F(WhichFiles, ALinkToNothingMakesTheSnapshotIncomplete) {
  write("jobs/a.yaml", "job a");
  link(".versions/v2", "jobs/team");
  const Desired desired = read();
  EXPECT_FALSE(desired.complete);
  EXPECT_THAT(desired.incomplete_reason,
              HasSubstr("team is a link to .versions, which does not exist"));
  EXPECT_THAT(names(desired), ElementsAre("a"));
}

TEST_F(WhichFiles, AFileReplacedByALinkWhileItIsOpenedIsNotFollowed) {
  write("outside.yaml", "job secret");
  write("jobs/a.yaml", "job a");
  files->before = [&](const std::string& call, const std::string& path) {
    if (call != "open" || path != "a.yaml") return;
    link("../outside.yaml", "jobs/a.yaml");
    files->before = nullptr;
  };
  const Desired desired = read();
  EXPECT_THAT(parsed, IsEmpty());
  EXPECT_THAT(desired.invalid_files, ElementsAre("a.yaml"));
}

TEST(OpenComponentWise, OpensWhatIsBelowAndNothingElse) {
  std::string pattern = testing::TempDir() + "sconverge-open-XXXXXX";
  ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
  FileSystem real;
  const UniqueFd root(real.open_at(-100, pattern, 0));
  ASSERT_TRUE(root.is_open());
  ASSERT_EQ(::mkdirat(root.get(), "d", 0777), 0);
  ASSERT_EQ(::symlinkat("d", root.get(), "link"), 0);
  ASSERT_EQ(::symlinkat("/etc/passwd", root.get(), "d/passwd"), 0);
  const auto opens = [&](const std::string& path) {
    const bool strict = UniqueFd(real.open_beneath(root.get(), path, 0)).is_open();
    EXPECT_EQ(UniqueFd(open_component_wise(root.get(), path, 0)).is_open(), strict) << path;
    return strict;
  };
  EXPECT_TRUE(opens("."));
  EXPECT_TRUE(opens("d"));
  EXPECT_FALSE(opens("link"));
  EXPECT_FALSE(opens("link/passwd"));
  EXPECT_FALSE(opens("d/passwd"));
  EXPECT_FALSE(opens("../" + pattern.substr(pattern.rfind('/') + 1)));
  EXPECT_FALSE(opens(".."));
  EXPECT_FALSE(opens("/etc/passwd"));
  EXPECT_FALSE(opens("d/nothing"));
  ::unlinkat(root.get(), "d/passwd", 0);
  ::unlinkat(root.get(), "link", 0);
  ::unlinkat(root.get(), "d", AT_REMOVEDIR);
  ::rmdir(pattern.c_str());
}

}  // namespace
}  // namespace sconverge::test
