#include "controller/files/settling.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>

#include "tests/files/directory_world.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Le;

constexpr TimePoint kStart{milliseconds{1'000'000}};
constexpr milliseconds kQuiet{250};
constexpr milliseconds kZero{0};

Signature stamped(TimePoint mtime, TimePoint ctime) {
  const auto ns = [](TimePoint t) {
    return std::chrono::nanoseconds(t.time_since_epoch()).count();
  };
  return {1, 1, 1, ns(mtime), ns(ctime)};
}

TEST(Settling, AFileOfTheQuietPeriodsAgeIsSettled) {
  Settling settling(kQuiet);
  const Signature file = stamped(kStart, kStart);
  EXPECT_EQ(settling.remaining("a", file, false, kStart + milliseconds(249)), milliseconds(1));
  EXPECT_EQ(settling.remaining("a", file, false, kStart + kQuiet), kZero);
}

TEST(Settling, AnOldModificationTimeDoesNotHideAFreshChange) {
  Settling settling(kQuiet);
  const Signature copied = stamped(kStart - seconds(1000), kStart);
  EXPECT_GT(settling.remaining("a", copied, false, kStart + milliseconds(100)), kZero);
}

TEST(Settling, ATimeInTheFutureIsWaitedOutBySight) {
  Settling settling(kQuiet);
  const Signature file = stamped(kStart + seconds(1000), kStart);
  EXPECT_EQ(settling.remaining("a", file, false, kStart), kQuiet);
  EXPECT_EQ(settling.remaining("a", file, false, kStart + milliseconds(100)), milliseconds(150));
  EXPECT_EQ(settling.remaining("a", file, false, kStart + kQuiet), kZero);
}

TEST(Settling, AChangeBeginsTheQuietPeriodAnew) {
  Settling settling(kQuiet);
  const Signature before = stamped(kStart + seconds(1000), kStart);
  const Signature after = stamped(kStart + seconds(1001), kStart);
  EXPECT_EQ(settling.remaining("a", before, false, kStart), kQuiet);
  EXPECT_EQ(settling.remaining("a", after, false, kStart + milliseconds(200)), kQuiet);
}

TEST(Settling, ARemoteFilesTimesProveNothing) {
  Settling settling(kQuiet);
  const Signature file = stamped(kStart - seconds(1000), kStart - seconds(1000));
  EXPECT_EQ(settling.remaining("a", file, true, kStart), kQuiet);
  EXPECT_EQ(settling.remaining("a", file, true, kStart + kQuiet), kZero);
}

TEST(Settling, TimeThatRunsBackwardsProvesNothing) {
  Settling settling(kQuiet);
  const Signature file = stamped(kStart, kStart);
  EXPECT_GT(settling.remaining("a", file, true, kStart), kZero);
  EXPECT_EQ(settling.remaining("a", file, true, kStart - seconds(100)), kQuiet);
  EXPECT_GT(settling.remaining("a", file, true, kStart - seconds(99) - milliseconds(900)), kZero);
}

class BeingWritten : public DirectoryWorld {};

TEST_F(BeingWritten, AFreshFileIsWaitedForAndThenTaken) {
  write("jobs/a.yaml", "job a");
  now = changed_at("jobs/a.yaml") + milliseconds(100);
  const Desired desired = read();
  EXPECT_TRUE(desired.complete) << desired.incomplete_reason;
  EXPECT_THAT(names(desired), ElementsAre("a"));
  EXPECT_THAT(sleeps, ElementsAre(milliseconds(150)));
}

TEST_F(BeingWritten, AHalfWrittenFileIsNeitherAcceptedNorRefused) {
  write("jobs/a.yaml", "job a");
  write("jobs/b.yaml", "job b\nbrok");
  now = changed_at("jobs/b.yaml");
  on_sleep = [&] {
    if (sleeps.size() == 1) write("jobs/b.yaml", "job b\njob c");
    now = std::max(now, changed_at("jobs/b.yaml") + milliseconds(sleeps.size() == 1 ? 1 : 250));
  };
  const Desired desired = read();
  EXPECT_TRUE(desired.complete) << desired.incomplete_reason;
  EXPECT_THAT(names(desired), ElementsAre("a", "b", "c"));
  EXPECT_THAT(desired.problems, IsEmpty());
}

TEST_F(BeingWritten, AFileThatIsWrittenAllTheTimeIsLeftOutAndTheSnapshotIncomplete) {
  write("jobs/a.yaml", "job a");
  write("jobs/log.yaml", "brok");
  now = changed_at("jobs/log.yaml") + milliseconds(10);
  const TimePoint began = now;
  on_sleep = [&] {
    // Bigger each time, and stamped with the time it is.
    write("jobs/log.yaml", std::string(sleeps.size() + 4, 'x'));
    const std::int64_t ms = now.time_since_epoch().count();
    const std::array<timespec, 2> times = {timespec{ms / 1000, ms % 1000 * 1'000'000},
                                           timespec{ms / 1000, ms % 1000 * 1'000'000}};
    ASSERT_EQ(::utimensat(AT_FDCWD, at("jobs/log.yaml").c_str(), times.data(), 0), 0);
  };
  const Desired desired = read();
  EXPECT_FALSE(desired.complete);
  EXPECT_EQ(desired.incomplete_reason, "log.yaml is still being written");
  EXPECT_THAT(desired.problems, IsEmpty());
  EXPECT_THAT(now - began, Le(4 * options.quiet));
}

TEST_F(BeingWritten, TheOthersAreTakenMeanwhile) {
  write("jobs/a.yaml", "job a");
  write("jobs/b.yaml", "job b");
  files->remote = true;
  EXPECT_TRUE(read().complete);
  std::string text = "job b";
  files->before = [&](const std::string& call, const std::string&) {
    if (call == "list") write("jobs/b.yaml", text += 'b');
  };
  const Desired desired = read();
  EXPECT_FALSE(desired.complete);
  EXPECT_EQ(desired.incomplete_reason, "b.yaml is still being written");
  EXPECT_THAT(names(desired), ElementsAre("a"));
}

TEST_F(BeingWritten, AFreshScriptIsWaitedForToo) {
  options.quiet = milliseconds(10);
  write("jobs/a.yaml", "job a\nscript a.sh");
  write("jobs/a.sh", "echo");
  EXPECT_TRUE(read().complete);
  // Until the spec itself is old enough to be settled.
  while (changed_at("jobs/a.sh") - changed_at("jobs/a.yaml") <= options.quiet) {
    write("jobs/a.sh", "echo ha");
  }
  now = changed_at("jobs/a.sh");
  on_sleep = [&] {
    if (sleeps.size() == 1) write("jobs/a.sh", "echo half and the rest");
    now = std::max(now, changed_at("jobs/a.sh") + milliseconds(sleeps.size() == 1 ? 1 : 10));
  };
  const Desired desired = read();
  EXPECT_TRUE(desired.complete) << desired.incomplete_reason;
  EXPECT_EQ(desired.specs.begin()->second->script, "echo half and the rest");
}

TEST_F(BeingWritten, FilesOfARemoteFileSystemAreWatchedForTheQuietPeriod) {
  files->remote = true;
  write("jobs/a.yaml", "job a");
  EXPECT_TRUE(read().complete);
  EXPECT_THAT(sleeps, ElementsAre(options.quiet));
  EXPECT_TRUE(read().complete);
  EXPECT_EQ(sleeps.size(), 1U) << "an unchanged file is not waited for again";
}

}  // namespace
}  // namespace sconverge::test
