#include "controller/store/state_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "controller/store/sqlite_store.h"
#include "tests/store/child_process.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

unsigned mode_of(const std::string& path) {
  struct stat found {};
  EXPECT_EQ(::stat(path.c_str(), &found), 0) << path;
  return found.st_mode & 0777U;
}

std::string refusal(const std::string& directory) {
  const auto lock = lock_state(directory);
  return lock ? "" : lock.error().message;
}

TEST(StateLock, CreatesTheDirectoryAndItsParentsForTheirOwnerOnly) {
  const TempDirectory top;
  const mode_t before = ::umask(0);
  const auto lock = lock_state(top / "a/b");
  ASSERT_THAT(lock, Works());
  const auto store = open_controller_store(*lock, "lab");
  ::umask(before);
  ASSERT_THAT(store, Works());
  EXPECT_EQ(mode_of(top / "a"), 0700U);
  EXPECT_EQ(mode_of(top / "a/b"), 0700U);
  for (const auto& file : std::filesystem::directory_iterator(top / "a/b")) {
    EXPECT_EQ(mode_of(file.path()), 0600U) << file.path();
  }
}

TEST(StateLock, TakesOthersRightsFromAStoreThatWasCopiedInPlace) {
  const TempDirectory top;
  ASSERT_THAT(lock_state(top.path()), Works());
  ::chmod((top / "state.db").c_str(), 0644);
  ASSERT_THAT(lock_state(top.path()), Works());
  EXPECT_EQ(mode_of(top / "state.db"), 0600U);
}

TEST(StateLock, ASecondControllerIsToldWhoHoldsWhat) {
  const TempDirectory top;
  ChildProcess holder([&](int ready) {
    const auto lock = lock_state(top.path());
    tell(ready, lock.ok() ? "locked\n" : "refused\n");
    ::pause();
  });
  ASSERT_EQ(holder.line(), "locked");
  EXPECT_THAT(lock_state(top.path()), FailsWith(ErrorKind::Denied));
  EXPECT_THAT(refusal(top.path()),
              AllOf(HasSubstr(top.path()), HasSubstr("process " + std::to_string(holder.pid())),
                    HasSubstr("--state")));
}

TEST(StateLock, EndsWithItsProcessHoweverThatEnds) {
  const TempDirectory top;
  ChildProcess holder([&](int ready) {
    const auto lock = lock_state(top.path());
    tell(ready, lock.ok() ? "locked\n" : "refused\n");
    ::pause();
  });
  ASSERT_EQ(holder.line(), "locked");
  holder.kill();
  EXPECT_THAT(lock_state(top.path()), Works());
}

TEST(StateLock, EndsWithItsOwner) {
  const TempDirectory top;
  {
    auto first = lock_state(top.path());
    ASSERT_THAT(first, Works());
    const StateLock moved = std::move(*first);
    EXPECT_EQ(moved.directory(), top.path());
    EXPECT_THAT(lock_state(top.path()), FailsWith(ErrorKind::Denied));
  }
  EXPECT_THAT(lock_state(top.path()), Works());
}

TEST(StateLock, AHoldersTextCannotWriteToATerminal) {
  const TempDirectory top;
  const auto lock = lock_state(top.path());
  ASSERT_THAT(lock, Works());
  std::ofstream(top / "lock") << "\x1b[31mred\nmore";
  EXPECT_THAT(refusal(top.path()), AllOf(HasSubstr("?[31mred"), Not(HasSubstr("more"))));
}

TEST(StateLock, AFileInTheWayIsNamedAndLeftAlone) {
  const TempDirectory top;
  std::ofstream(top / "file") << "precious";
  EXPECT_THAT(lock_state(top / "file"), FailsWith(ErrorKind::Rejected));
  EXPECT_THAT(refusal(top / "file"),
              AllOf(HasSubstr(top / "file is not a directory"), HasSubstr("--state")));
  EXPECT_THAT(refusal(top / "file/below"), HasSubstr(top / "file is not a directory"));
  EXPECT_EQ(std::filesystem::file_size(top / "file"), 8U);
}

TEST(StateLock, ADirectoryThatCannotBeWrittenIsNamed) {
  const TempDirectory top;
  std::filesystem::create_directory(top / "state");
  ::chmod((top / "state").c_str(), 0555);
  ::chmod(top.path().c_str(), 0755);
  ChildProcess unprivileged([&](int answer) {
    if (::geteuid() == 0 && ::setuid(65534) != 0) return;
    tell(answer, refusal(top / "state") + "\n");
    tell(answer, refusal(top / "state/below") + "\n");
  });
  EXPECT_THAT(unprivileged.line(),
              AllOf(HasSubstr(top / "state/lock: Permission denied"), HasSubstr("--state")));
  EXPECT_THAT(unprivileged.line(), HasSubstr(top / "state/below: Permission denied"));
}

}  // namespace
}  // namespace sconverge::test
