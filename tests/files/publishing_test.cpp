#include <gmock/gmock.h>
#include <unistd.h>

#include "controller/files/checkout.h"
#include "tests/files/directory_world.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const std::string kCommitA(40, 'a');
const std::string kCommitB(40, 'b');

class Publishing : public DirectoryWorld {
 protected:
  /// A checkout in `jobs/` that follows `origin/`.
  void make_checkout() {
    remove("jobs");
    run(git() + "init -q -b main origin");
    commit("a.yaml", "job a");
    run(git() + "clone -q origin jobs");
  }
  std::string commit(const std::string& file, const std::string& text) {
    write("origin/" + file, text);
    run(git() + "-C origin add -A && " + git() + "-C origin commit -q -m change");
    return run(git() + "-C origin rev-parse HEAD");
  }
  static std::string git() {
    return "git -c user.name=a -c user.email=a@b -c protocol.file.allow=always "
           "-c safe.directory='*' ";
  }
};

TEST_F(Publishing, AGitPullInPlaceIsFollowedAndNamesItsCommit) {
  make_checkout();
  EXPECT_THAT(names(read()), ElementsAre("a"));
  const std::string head = commit("b.yaml", "job b");
  run(git() + "-C jobs pull -q");
  const Desired desired = read();
  EXPECT_TRUE(desired.complete) << desired.incomplete_reason;
  EXPECT_THAT(names(desired), ElementsAre("a", "b"));
  EXPECT_EQ(desired.revision, head);
}

TEST_F(Publishing, ANewCommitWithTheSameFilesIsANewRevision) {
  make_checkout();
  EXPECT_TRUE(read().complete);
  run(git() + "-C jobs commit -q --allow-empty -m nothing");
  const Desired desired = read();
  EXPECT_EQ(desired.revision, run(git() + "-C jobs rev-parse HEAD"));
  EXPECT_THAT(parsed, ElementsAre("a.yaml"));
}

TEST_F(Publishing, TheCommitIsFoundInPackedRefsAndInADetachedHead) {
  make_checkout();
  const std::string head = run(git() + "-C jobs rev-parse HEAD");
  run(git() + "-C jobs pack-refs --all");
  EXPECT_EQ(read().revision, head);
  run(git() + "-C jobs checkout -q --detach");
  EXPECT_EQ(read().revision, head);
}

TEST_F(Publishing, TheCommitIsFoundInAParentDirectory) {
  make_checkout();
  write("jobs/team/deep/b.yaml", "job b");
  options.root = at("jobs/team/deep");
  EXPECT_EQ(read().revision, run(git() + "-C jobs rev-parse HEAD"));
}

TEST_F(Publishing, TheCommitOfAWorktreeIsFound) {
  make_checkout();
  commit("b.yaml", "job b");
  run(git() + "-C origin worktree add -q ../tree -b side HEAD~1");
  options.root = at("tree");
  const Desired desired = read();
  EXPECT_EQ(desired.revision, run(git() + "-C tree rev-parse HEAD"));
  EXPECT_NE(desired.revision, run(git() + "-C origin rev-parse HEAD"));
  EXPECT_THAT(names(desired), ElementsAre("a"));
}

TEST_F(Publishing, WithoutACommitTheRevisionIsADigestOfNamesContentsAndScripts) {
  write("jobs/a.yaml", "job a\nscript a.sh");
  write("jobs/a.sh", "echo 1");
  const std::string first = read().revision;
  EXPECT_THAT(first, testing::MatchesRegex("sha256:[0-9a-f]{12}"));
  EXPECT_EQ(source()->read().revision, first);
  write("jobs/a.sh", "echo 2");
  const std::string second = read().revision;
  EXPECT_NE(second, first);
  rename("jobs/a.yaml", "jobs/b.yaml");
  EXPECT_NE(read().revision, second);
}

TEST_F(Publishing, AnUnbornBranchAndABrokenGitGiveADigest) {
  write("jobs/a.yaml", "job a");
  run(git() + "init -q jobs");
  EXPECT_THAT(read().revision, StartsWith("sha256:"));
  write("jobs/.git/HEAD", "ref: ../../etc/passwd\n");
  EXPECT_THAT(read().revision, StartsWith("sha256:"));
  remove("jobs/.git");
  write("jobs/.git", "gitdir: /nowhere\n");
  const Desired desired = read();
  EXPECT_TRUE(desired.complete);
  EXPECT_THAT(desired.revision, StartsWith("sha256:"));
}

TEST_F(Publishing, NothingIsReadWhileGitHoldsItsLock) {
  make_checkout();
  write("jobs/.git/index.lock", "");
  Desired desired = read();
  EXPECT_FALSE(desired.complete);
  EXPECT_THAT(parsed, IsEmpty());
  EXPECT_THAT(desired.specs, IsEmpty());
  EXPECT_THAT(desired.incomplete_reason,
              HasSubstr("git is changing the directory: " + at("jobs/.git/index.lock")));
  remove("jobs/.git/index.lock");
  desired = read();
  EXPECT_TRUE(desired.complete) << desired.incomplete_reason;
}

TEST_F(Publishing, AnOldLockSaysHowToRemoveIt) {
  make_checkout();
  write("jobs/.git/index.lock", "");
  now = changed_at("jobs/.git/index.lock") + std::chrono::minutes(12) + seconds(1);
  EXPECT_THAT(read().incomplete_reason,
              HasSubstr("exists for 12 minutes; if no git process is at work there, remove it: "
                        "rm -f '" +
                        at("jobs/.git/index.lock") + "'"));
  now -= std::chrono::minutes(11);
  EXPECT_THAT(read().incomplete_reason, testing::Not(HasSubstr("rm -f")));
}

TEST_F(Publishing, ALockThatAppearsWhileFilesAreReadDiscardsThem) {
  make_checkout();
  files->before = [&](const std::string& call, const std::string& path) {
    if (call == "open" && path == "a.yaml") write("jobs/.git/index.lock", "");
  };
  const Desired desired = read();
  EXPECT_FALSE(desired.complete);
  EXPECT_THAT(desired.specs, IsEmpty());
}

TEST_F(Publishing, TheLockOfAWorktreeIsItsOwn) {
  make_checkout();
  run(git() + "-C origin worktree add -q ../tree -b side");
  options.root = at("tree");
  write("origin/.git/index.lock", "");
  EXPECT_TRUE(read().complete);
  write("origin/.git/worktrees/tree/index.lock", "");
  EXPECT_FALSE(read().complete);
}

// git-sync: a worktree named by its commit, and one link that is renamed over.
TEST_F(Publishing, AGitSyncFlipIsFollowedAndItsTargetIsTheRevision) {
  remove("jobs");
  write(".worktrees/" + kCommitA + "/team/a.yaml", "job a");
  link(".worktrees/" + kCommitA, "jobs");
  EXPECT_EQ(read().revision, kCommitA);
  write(".worktrees/" + kCommitB + "/team/b.yaml", "job b");
  link(".worktrees/" + kCommitB, "jobs");
  remove(".worktrees/" + kCommitA);
  const Desired desired = read();
  EXPECT_TRUE(desired.complete) << desired.incomplete_reason;
  EXPECT_EQ(desired.revision, kCommitB);
  EXPECT_THAT(names(desired), ElementsAre("b"));
}

TEST_F(Publishing, AGitSyncLinkMayBeAParentOfTheRoot) {
  write(".worktrees/" + kCommitA + "/team/a.yaml", "job a");
  link(".worktrees/" + kCommitA, "current");
  options.root = at("current/team");
  const Desired desired = read();
  EXPECT_THAT(names(desired), ElementsAre("a"));
  EXPECT_EQ(desired.revision, kCommitA);
}

TEST(PublishedCommit, IsAWholeHashAndNothingThatLooksABitLikeOne) {
  EXPECT_EQ(published_commit({"x", "../.worktrees/" + kCommitA + "/"}), kCommitA);
  EXPECT_EQ(published_commit({std::string(64, 'f')}), std::string(64, 'f'));
  EXPECT_EQ(published_commit({"20261130", "deadbeef", std::string(40, 'g'), "/"}), "");
}

// The kubelet: files are links into ..data, which is renamed over.
class ConfigMap : public Publishing {
 protected:
  void publish(const std::string& stamp, const std::string& text) {
    write("jobs/.." + stamp + "/job.yaml", text);
    const bool first = ::access(at("jobs/..data").c_str(), F_OK) != 0;
    link(".." + stamp, "jobs/..data");
    if (first) link("..data/job.yaml", "jobs/job.yaml");
  }
};

TEST_F(ConfigMap, YieldsEverySpecOnce) {
  publish("2026_11_30", "job a");
  const Desired desired = read();
  EXPECT_TRUE(desired.complete) << desired.incomplete_reason;
  EXPECT_THAT(names(desired), ElementsAre("a"));
  EXPECT_THAT(parsed, ElementsAre("job.yaml"));
  EXPECT_EQ(desired.ignored_files, 0);
}

TEST_F(ConfigMap, AFlipIsFollowed) {
  publish("2026_11_30", "job a");
  EXPECT_TRUE(read().complete);
  publish("2026_12_01", "job b");
  remove("jobs/..2026_11_30");
  const Desired desired = read();
  EXPECT_TRUE(desired.complete) << desired.incomplete_reason;
  EXPECT_THAT(names(desired), ElementsAre("b"));
}

TEST_F(ConfigMap, AFlipWhileItIsReadNeverMixesTwoVersions) {
  publish("1", "job a1");
  write("jobs/..1/other.yaml", "job b1");
  link("..data/other.yaml", "jobs/other.yaml");
  files->before = [&](const std::string& call, const std::string& path) {
    if (call != "open" || path != "..1/other.yaml") return;
    files->before = nullptr;
    write("jobs/..2/other.yaml", "job b2");
    publish("2", "job a2");
  };
  const Desired desired = read();
  EXPECT_TRUE(desired.complete) << desired.incomplete_reason;
  EXPECT_THAT(names(desired), ElementsAre("a2", "b2"));
}

}  // namespace
}  // namespace sconverge::test
