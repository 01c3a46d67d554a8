#include <gmock/gmock.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <cerrno>

#include "tests/files/directory_world.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Consistency : public DirectoryWorld {
 protected:
  // Does `change` once, right before a file is opened.
  void before_opening(const std::string& wanted, const std::function<void()>& change) {
    files->before = [this, wanted, change](const std::string& call, const std::string& path) {
      if (call != "open" || path != wanted) return;
      const auto keep = std::exchange(files->before, nullptr);
      change();
    };
  }
};

TEST_F(Consistency, AFileThatChangesWhileOthersAreReadIsReadAgain) {
  write("jobs/a.yaml", "job a");
  write("jobs/b.yaml", "job b");
  before_opening("b.yaml", [&] { write("jobs/a.yaml", "job other"); });
  const Desired desired = read();
  EXPECT_TRUE(desired.complete) << desired.incomplete_reason;
  EXPECT_THAT(names(desired), ElementsAre("b", "other"));
}

TEST_F(Consistency, AFileThatAppearsOrVanishesMeanwhileIsNoticed) {
  write("jobs/a.yaml", "job a");
  write("jobs/b.yaml", "job b");
  before_opening("b.yaml", [&] {
    remove("jobs/a.yaml");
    write("jobs/sub/c.yaml", "job c");
  });
  const Desired desired = read();
  EXPECT_TRUE(desired.complete) << desired.incomplete_reason;
  EXPECT_THAT(names(desired), ElementsAre("b", "c"));
}

TEST_F(Consistency, AFileThatVanishesBeforeItIsOpenedIsNoError) {
  write("jobs/a.yaml", "job a");
  write("jobs/b.yaml", "job b");
  before_opening("b.yaml", [&] { remove("jobs/b.yaml"); });
  const Desired desired = read();
  EXPECT_TRUE(desired.complete) << desired.incomplete_reason;
  EXPECT_THAT(names(desired), ElementsAre("a"));
  EXPECT_THAT(desired.problems, IsEmpty());
}

TEST_F(Consistency, WhatNeverHoldsStillIsIncompleteAndNothingIsTaken) {
  write("jobs/a.yaml", "job a");
  int turn = 0;
  files->before = [&](const std::string& call, const std::string&) {
    if (call != "list") return;
    ++turn;
    write("jobs/new" + std::to_string(turn) + ".yaml", "job n" + std::to_string(turn));
    now += std::chrono::hours(1);
  };
  const Desired desired = read();
  EXPECT_FALSE(desired.complete);
  EXPECT_THAT(desired.incomplete_reason, HasSubstr("kept changing while it was read"));
  EXPECT_THAT(desired.specs, IsEmpty());
  EXPECT_EQ(sleeps.size(), 4U);
}

TEST_F(Consistency, ALinkedRootThatFlipsMeanwhileIsReadAgainAsAWhole) {
  write("v1/a.yaml", "job a1");
  write("v1/b.yaml", "job b1");
  write("v2/a.yaml", "job a2");
  write("v2/b.yaml", "job b2");
  link("v1", "current");
  options.root = at("current");
  before_opening("b.yaml", [&] {
    link("v2", "current");
    remove("v1");
  });
  const Desired desired = read();
  EXPECT_TRUE(desired.complete) << desired.incomplete_reason;
  EXPECT_THAT(names(desired), ElementsAre("a2", "b2"));
}

TEST_F(Consistency, ALinkedRootThatFlipsMeanwhileToTheSameContentIsStillReadAgain) {
  write("v1/a.yaml", "job a");
  link("v1", "current");
  options.root = at("current");
  before_opening("a.yaml", [&] {
    write("v2/a.yaml", "job a");
    link("v2", "current");
  });
  EXPECT_TRUE(read().complete);
  EXPECT_EQ(parsed.size(), 2U);
}

// --- roots that come and go ---

TEST_F(Consistency, ARootThatDoesNotExistYetIsUnavailableUntilItAppears) {
  remove("jobs");
  EXPECT_FALSE(read().complete);
  EXPECT_EQ(read().incomplete_reason, at("jobs") + " does not exist");
  write("jobs/a.yaml", "job a");
  EXPECT_TRUE(read().complete);
}

TEST_F(Consistency, ARootThatIsAFileIsUnavailable) {
  remove("jobs");
  write("jobs", "job a");
  const Desired desired = read();
  EXPECT_FALSE(desired.complete);
  EXPECT_EQ(desired.incomplete_reason, at("jobs") + " is not a directory");
}

TEST_F(Consistency, ARootThatIsALinkToItselfIsUnavailable) {
  remove("jobs");
  link("jobs", "jobs");
  const Desired desired = read();
  EXPECT_FALSE(desired.complete);
  EXPECT_THAT(desired.incomplete_reason, HasSubstr("is a link that leads back to itself"));
}

TEST_F(Consistency, ADanglingRootSaysWhereTheWayEnds) {
  remove("jobs");
  link("v1/jobs", "jobs");
  const Desired desired = read();
  EXPECT_FALSE(desired.complete);
  EXPECT_EQ(desired.incomplete_reason,
            at("v1") + " does not exist (on the way of " + at("jobs") + ")");
}

TEST_F(Consistency, NoRootAtAllIsNotTheRootOfTheFileSystem) {
  options.root = "";
  const Desired desired = read();
  EXPECT_FALSE(desired.complete);
  EXPECT_EQ(desired.incomplete_reason, "no directory is named");
}

TEST_F(Consistency, ARootThatIsMovedAwayAndMadeAgainGoesOn) {
  write("jobs/a.yaml", "job a");
  EXPECT_TRUE(read().complete);
  rename("jobs", "away");
  EXPECT_FALSE(read().complete);
  EXPECT_THAT(read().specs, IsEmpty());
  write("jobs/b.yaml", "job b");
  const Desired desired = read();
  EXPECT_TRUE(desired.complete) << desired.incomplete_reason;
  EXPECT_THAT(names(desired), ElementsAre("b"));
}

TEST_F(Consistency, AnOrdinarilyEmptiedRootIsComplete) {
  write("jobs/a.yaml", "job a");
  EXPECT_TRUE(read().complete);
  remove("jobs");
  make_directory("jobs");
  const Desired desired = read();
  EXPECT_TRUE(desired.complete) << desired.incomplete_reason;
  EXPECT_THAT(desired.specs, IsEmpty());
}

// Where mounting is not allowed, a link to another file system stands for the mount.
class Mounted : public Consistency {
 protected:
  void unmounted_to(const std::string& path) {
    mounted_ = ::mount("none", at(path).c_str(), "tmpfs", 0, nullptr) == 0;
    if (mounted_) return mounts_.push_back(at(path));
    ASSERT_NE(device_of("/dev/shm"), device_of(base));
    std::string pattern = "/dev/shm/sconverge-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    rename(path, path + ".before");
    link(pattern, path);
    made_.push_back(pattern);
  }
  void mount_again(const std::string& path) {
    if (mounted_) {
      ASSERT_EQ(::umount(at(path).c_str()), 0);
      mounts_.clear();
    } else {
      remove(path);
      rename(path + ".before", path);
    }
  }
  void TearDown() override {
    for (const std::string& path : mounts_) ::umount2(path.c_str(), MNT_DETACH);
    for (const std::string& path : made_) ::rmdir(path.c_str());
  }
  static dev_t device_of(const std::string& path) {
    struct stat stat {};
    return ::stat(path.c_str(), &stat) == 0 ? stat.st_dev : 0;
  }

  bool mounted_{false};
  std::vector<std::string> mounts_;
  std::vector<std::string> made_;
};

TEST_F(Mounted, ARootThatIsEmptyOnAnotherFileSystemIsIncomplete) {
  write("jobs/a.yaml", "job a");
  EXPECT_TRUE(read().complete);
  unmounted_to("jobs");
  for (int i = 0; i < 2; ++i) {
    const Desired desired = read();
    EXPECT_FALSE(desired.complete);
    EXPECT_THAT(desired.incomplete_reason,
                HasSubstr("is empty and on another file system than before"));
  }
  mount_again("jobs");
  const Desired desired = read();
  EXPECT_TRUE(desired.complete) << desired.incomplete_reason;
  EXPECT_THAT(names(desired), ElementsAre("a"));
}

TEST_F(Mounted, AnotherFileSystemWithSpecsIsTaken) {
  write("jobs/a.yaml", "job a");
  EXPECT_TRUE(read().complete);
  unmounted_to("jobs");
  write("jobs/b.yaml", "job b");
  const Desired desired = read();
  EXPECT_TRUE(desired.complete) << desired.incomplete_reason;
  EXPECT_THAT(names(desired), ElementsAre("b"));
  remove("jobs/b.yaml");
  EXPECT_TRUE(read().complete) << "emptied on the file system it is on";
}

TEST_F(Consistency, ASubDirectoryThatIsEmptyOnAnotherFileSystemIsIncomplete) {
  write("jobs/team/a.yaml", "job a");
  write("jobs/b.yaml", "job b");
  EXPECT_TRUE(read().complete);
  if (::mount("none", at("jobs/team").c_str(), "tmpfs", 0, nullptr) != 0) {
    // Without the right to mount: an ordinarily emptied one is not taken for an unmounted one.
    remove("jobs/team/a.yaml");
    EXPECT_TRUE(read().complete);
    return;
  }
  const Desired desired = read();
  ::umount2(at("jobs/team").c_str(), MNT_DETACH);
  EXPECT_FALSE(desired.complete);
  EXPECT_THAT(desired.incomplete_reason, HasSubstr(at("jobs/team") + " is empty and on another"));
}

// --- errors ---

TEST_F(Consistency, AFileThatCannotBeReadMakesTheSnapshotIncompleteAndTheOthersAreTaken) {
  write("jobs/a.yaml", "job a");
  write("jobs/b.yaml", "job b");
  files->fault = [](const std::string& call, const std::string& path) {
    return call == "open" && path == "a.yaml" ? EACCES : 0;
  };
  const Desired desired = read();
  EXPECT_FALSE(desired.complete);
  EXPECT_EQ(desired.incomplete_reason, "a.yaml cannot be read: permission denied");
  EXPECT_THAT(names(desired), ElementsAre("b"));
  EXPECT_THAT(desired.invalid_files, ElementsAre("a.yaml"));
  ASSERT_EQ(desired.problems.size(), 1U);
  EXPECT_EQ(desired.problems[0].kind, ProblemKind::Permission);
  files->fault = nullptr;
  EXPECT_TRUE(read().complete);
}

TEST_F(Consistency, ADirectoryThatCannotBeReadMakesTheSnapshotIncomplete) {
  write("jobs/a.yaml", "job a");
  write("jobs/team/b.yaml", "job b");
  files->fault = [](const std::string& call, const std::string& path) {
    return call == "open" && path == "team" ? EACCES : 0;
  };
  const Desired desired = read();
  EXPECT_FALSE(desired.complete);
  EXPECT_EQ(desired.incomplete_reason, "team cannot be read: permission denied");
  EXPECT_THAT(names(desired), ElementsAre("a"));
}

TEST_F(Consistency, AStaleFileHandleOfTheRootIsUnavailable) {
  files->fault = [&](const std::string& call, const std::string& path) {
    return call == "stat" && path == at("jobs") ? ESTALE : 0;
  };
  const Desired desired = read();
  EXPECT_FALSE(desired.complete);
  EXPECT_EQ(desired.incomplete_reason, "cannot read " + at("jobs") + ": stale file handle");
}

TEST_F(Consistency, SeveralErrorsAreCounted) {
  write("jobs/a.yaml", "job a");
  write("jobs/b.yaml", "job b");
  files->fault = [](const std::string& call, const std::string&) {
    return call == "read" ? EIO : 0;
  };
  EXPECT_EQ(read().incomplete_reason, "a.yaml cannot be read: input/output error (and 1 more)");
}

// Fails each system call in turn until a snapshot needs fewer.
class AnyError : public DirectoryWorld, public testing::WithParamInterface<int> {
 protected:
  void SetUp() override {
    options.inotify = false;
    write(".git/HEAD", "ref: refs/heads/main\n");
    write(".git/packed-refs", "0123456789012345678901234567890123456789 refs/heads/main\n");
    write("v1/a.yaml", "job a\nscript a.sh");
    write("v1/a.sh", "echo");
    write("v1/team/b.yaml", "job b");
    write("v1/.store/c.yaml", "job c");
    write("v1/x.sbatch", "echo");
    link(".store/c.yaml", "v1/c.yaml");
    link(".store", "v1/linked");
    link("../README", "v1/out");
    write("README", "");
    remove("jobs");
    link("v1", "jobs");
  }

  // Reads with the nth call failing; false if there was no nth call.
  bool read_with_error(SpecSource& source, int n) {
    int calls = 0;
    std::string failed;
    files->fault = [&](const std::string& call, const std::string& path) {
      if (++calls != n) return 0;
      failed = call + " " + path;
      return GetParam();
    };
    const Desired desired = source.read();
    files->fault = nullptr;
    if (calls < n) return false;
    EXPECT_FALSE(desired.complete) << "call " << n << ": " << failed;
    EXPECT_FALSE(desired.incomplete_reason.empty()) << "call " << n << ": " << failed;
    return true;
  }
};

TEST_P(AnyError, AnywhereInAFirstSnapshotMakesItIncomplete) {
  int n = 0;
  while (read_with_error(*source(), n + 1)) ++n;
  EXPECT_GT(n, 60);
}

TEST_P(AnyError, AnywhereInALaterSnapshotMakesItIncompleteAndTheNextOneIsWhole) {
  const std::unique_ptr<SpecSource> kept = source();
  ASSERT_TRUE(kept->read().complete);
  int n = 0;
  while (read_with_error(*kept, n + 1)) {
    ++n;
    const Desired after = kept->read();
    EXPECT_TRUE(after.complete) << n << ": " << after.incomplete_reason;
    EXPECT_THAT(names(after), ElementsAre("a", "b", "c"));
  }
  EXPECT_GT(n, 20);
}

TEST_P(AnyError, AnywhereAfterAChangeMakesTheSnapshotIncomplete) {
  const std::unique_ptr<SpecSource> kept = source();
  ASSERT_TRUE(kept->read().complete);
  for (int n = 1; n < 1000; ++n) {
    write("v1/a.sh", "echo " + std::to_string(n));
    write("v1/team/b.yaml", "job b" + std::to_string(n));
    if (!read_with_error(*kept, n)) return;
  }
  ADD_FAILURE() << "a snapshot of four files takes a thousand calls";
}

INSTANTIATE_TEST_SUITE_P(Errno, AnyError, testing::Values(EIO, ESTALE, EACCES, EMFILE, ENOMEM));

}  // namespace
}  // namespace sconverge::test
