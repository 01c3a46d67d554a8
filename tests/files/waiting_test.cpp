#include <gmock/gmock.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <thread>

#include "tests/files/directory_world.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::Gt;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using Steady = std::chrono::steady_clock;

// A hint must come long before this; it is only ever reached by a failing test.
constexpr milliseconds kLong{20'000};
constexpr milliseconds kShort{150};

class Waiting : public DirectoryWorld {
 protected:
  Waiting() {
    options.quiet = milliseconds(20);
    options.poll = std::chrono::hours(1);
  }

  bool hinted() {
    const auto began = Steady::now();
    const bool result = watched().wait(kLong, {});
    return result && Steady::now() - began < kLong / 2;
  }
  bool hinted_after(const std::function<void()>& change) {
    read();
    change();
    return hinted();
  }
};

TEST_F(Waiting, BeforeTheFirstLookThereIsSomethingToSee) { EXPECT_TRUE(hinted()); }

TEST_F(Waiting, WithoutAChangeItLastsUntilTheTimeoutAndReadingIsNoChange) {
  write("jobs/a.yaml", "job a");
  EXPECT_TRUE(read().complete);
  const auto began = Steady::now();
  EXPECT_FALSE(watched().wait(kShort, {}));
  EXPECT_GE(Steady::now() - began, kShort);
}

TEST_F(Waiting, EveryKindOfChangeIsAHint) {
  write("jobs/a.yaml", "job a");
  write("jobs/team/deep/b.yaml", "job b");
  EXPECT_TRUE(hinted_after([&] { write("jobs/c.yaml", "job c"); })) << "created";
  EXPECT_TRUE(hinted_after([&] { write("jobs/a.yaml", "job a2"); })) << "modified";
  EXPECT_TRUE(hinted_after([&] { write("jobs/team/deep/b.yaml", "job b2"); })) << "deep";
  EXPECT_TRUE(hinted_after([&] { rename("jobs/a.yaml", "jobs/d.yaml"); })) << "renamed";
  EXPECT_TRUE(hinted_after([&] { rename("jobs/d.yaml", "d.yaml"); })) << "moved out";
  EXPECT_TRUE(hinted_after([&] { rename("d.yaml", "jobs/d.yaml"); })) << "moved in";
  EXPECT_TRUE(hinted_after([&] { remove("jobs/c.yaml"); })) << "removed";
  EXPECT_TRUE(hinted_after([&] { run("chmod 600 jobs/d.yaml"); })) << "mode changed";
  EXPECT_TRUE(hinted_after([&] { write("jobs/new/e.yaml", "job e"); })) << "new directory";
  EXPECT_TRUE(hinted_after([&] { write("jobs/new/e.yaml", "job e2"); })) << "in a new directory";
  EXPECT_TRUE(hinted_after([&] { write("jobs/train.sh", "echo"); })) << "a script";
  EXPECT_TRUE(hinted_after([&] { remove("jobs/team"); })) << "directory removed";
}

TEST_F(Waiting, AReadTellsWhatItWasFor) {
  write("jobs/a.yaml", "job a");
  read();
  EXPECT_EQ(watched().last_scan().trigger, ScanTrigger::Startup);
  EXPECT_GT(watched().last_scan().seconds, 0);
  read();
  EXPECT_EQ(watched().last_scan().trigger, ScanTrigger::Poll);
  EXPECT_TRUE(hinted_after([&] { write("jobs/b.yaml", "job b"); }));
  read();
  EXPECT_EQ(watched().last_scan().trigger, ScanTrigger::Event);
  read();
  EXPECT_EQ(watched().last_scan().trigger, ScanTrigger::Poll);
}

TEST_F(Waiting, AReadTellsTheEventsSinceTheOneBefore) {
  write("jobs/a.yaml", "job a");
  write("jobs/b.yaml", "job b");
  const auto events_of = [&](const std::function<void()>& change) {
    EXPECT_TRUE(hinted_after(change));
    read();
    return watched().last_scan().events;
  };
  const auto only = [](WatchEvent event) { return ElementsAre(Pair(event, Gt(0))); };
  EXPECT_THAT(events_of([&] { run("chmod 600 jobs/a.yaml"); }), only(WatchEvent::Modify));
  EXPECT_THAT(events_of([&] { rename("jobs/a.yaml", "jobs/c.yaml"); }), only(WatchEvent::Move));
  EXPECT_THAT(events_of([&] { remove("jobs/b.yaml"); }), only(WatchEvent::Delete));
  EXPECT_EQ(events_of([&] { write("jobs/d.yaml", "job d"); }).count(WatchEvent::Create), 1U);
  read();
  EXPECT_THAT(watched().last_scan().events, IsEmpty());
}

TEST_F(Waiting, TemporaryAndHiddenFilesAreNoHint) {
  write("jobs/a.yaml", "job a");
  EXPECT_TRUE(read().complete);
  write("jobs/.a.yaml.swp", "x");
  write("jobs/a.yaml~", "x");
  write("jobs/#a.yaml#", "x");
  write("unrelated", "x");
  EXPECT_FALSE(watched().wait(kShort, {}));
}

TEST_F(Waiting, AFlippedLinkOfTheRootIsAHint) {
  write("v1/a.yaml", "job a");
  write("v2/a.yaml", "job b");
  link("v1", "current");
  link("current", "outer");
  options.root = at("outer");
  EXPECT_TRUE(hinted_after([&] { link("v2", "current"); }));
  EXPECT_THAT(names(read()), ElementsAre("b"));
  EXPECT_TRUE(hinted_after([&] { write("v2/a.yaml", "job c"); }));
}

TEST_F(Waiting, AFlippedConfigMapIsAHint) {
  write("jobs/..1/a.yaml", "job a");
  write("jobs/..2/a.yaml", "job b");
  link("..1", "jobs/..data");
  link("..data/a.yaml", "jobs/a.yaml");
  EXPECT_TRUE(hinted_after([&] { link("..2", "jobs/..data"); }));
  EXPECT_THAT(names(read()), ElementsAre("b"));
}

TEST_F(Waiting, WhatALinkLeadsOverIsWatched) {
  write("jobs/.v1/a.yaml", "job a");
  write("jobs/.v2/a.yaml", "job b");
  link(".v1", "jobs/.hidden");
  link(".hidden/a.yaml", "jobs/a.yaml");
  EXPECT_TRUE(hinted_after([&] { write("jobs/.v1/a.yaml", "job a2"); })) << "target written";
  EXPECT_TRUE(hinted_after([&] { link(".v2", "jobs/.hidden"); })) << "hidden link flipped";
}

TEST_F(Waiting, ARootThatGoesAndComesIsAHintEachTime) {
  write("jobs/a.yaml", "job a");
  EXPECT_TRUE(hinted_after([&] { rename("jobs", "away"); })) << "moved away";
  EXPECT_TRUE(hinted_after([&] { write("jobs/b.yaml", "job b"); })) << "made again";
  EXPECT_TRUE(hinted_after([&] { write("jobs/b.yaml", "job c"); })) << "written to";
  EXPECT_TRUE(hinted_after([&] { remove("jobs"); })) << "removed";
  EXPECT_TRUE(hinted_after([&] { make_directory("jobs"); })) << "made once more";
  EXPECT_TRUE(hinted_after([&] { write("jobs/d.yaml", "job d"); })) << "written to again";
  EXPECT_THAT(names(read()), ElementsAre("d"));
}

TEST_F(Waiting, ARootWhoseParentsDoNotExistIsAHintWhenTheyAppear) {
  options.root = at("x/y/jobs");
  EXPECT_TRUE(hinted_after([&] { make_directory("x"); }));
  EXPECT_TRUE(hinted_after([&] { make_directory("x/y"); }));
  EXPECT_TRUE(hinted_after([&] { write("x/y/jobs/a.yaml", "job a"); }));
  EXPECT_THAT(names(read()), ElementsAre("a"));
}

TEST_F(Waiting, ADirectoryThatTakesAnothersPlaceIsWatched) {
  write("jobs/team/a.yaml", "job a");
  write("other/b.yaml", "job b");
  EXPECT_TRUE(hinted_after([&] {
    rename("jobs/team", "old");
    rename("other", "jobs/team");
  }));
  EXPECT_TRUE(hinted_after([&] { write("jobs/team/b.yaml", "job c"); }));
  EXPECT_TRUE(read().complete);
  write("old/a.yaml", "job d");
  EXPECT_FALSE(watched().wait(kShort, {})) << "what left is not watched";
}

TEST_F(Waiting, AMovedParentIsNotMistakenForTheOneInItsPlace) {
  make_directory("x/y");
  options.root = at("x/y/jobs");
  EXPECT_TRUE(hinted_after([&] {
    rename("x", "old");
    make_directory("x/y");
  }));
  EXPECT_TRUE(hinted_after([&] { write("x/y/jobs/a.yaml", "job a"); }));
}

TEST_F(Waiting, ADirectoryMadeAnewBetweenTwoLooksIsWatched) {
  // Several times: file systems like to give the same inode number again.
  for (int i = 0; i < 5; ++i) {
    write("jobs/team/a.yaml", "job a");
    read();
    remove("jobs/team");
    write("jobs/team/a.yaml", "job b");
    EXPECT_TRUE(hinted_after([&] { write("jobs/team/a.yaml", "job c"); })) << i;
  }
}

TEST_F(Waiting, ADirectoryMadeBetweenALookAndItsWatchesIsWatched) {
  write("jobs/a.yaml", "job a");
  files->before = [&](const std::string& call, const std::string& path) {
    if (call == "stat" && path == "a.yaml") make_directory("jobs/new");
  };
  EXPECT_TRUE(hinted_after([&] { write("jobs/new/b.yaml", "job b"); }));
}

TEST_F(Waiting, AfterGitsLockItIsSoonLookedAtAgain) {
  write("jobs/.git/HEAD", "ref: refs/heads/main\n");
  write("jobs/.git/index.lock", "");
  write("jobs/a.yaml", "job a");
  EXPECT_FALSE(read().complete);
  remove("jobs/.git/index.lock");
  EXPECT_TRUE(hinted());
  EXPECT_TRUE(read().complete);
}

// --- the quiet period ---

TEST_F(Waiting, AChangeIsHintedWhenItHasBeenQuiet) {
  options.quiet = milliseconds(300);
  write("jobs/a.yaml", "job a");
  EXPECT_TRUE(read().complete);
  std::atomic<Steady::time_point> last{Steady::now()};
  std::thread writer([&] {
    for (int i = 0; i < 10; ++i) {
      last = Steady::now();
      write("jobs/a.yaml", "job a" + std::to_string(i));
      std::this_thread::sleep_for(milliseconds(20));
    }
  });
  EXPECT_TRUE(hinted());
  const auto returned = Steady::now();
  writer.join();
  EXPECT_GE(returned - last.load(), options.quiet);
}

TEST_F(Waiting, ChangesWithoutEndAreNotWaitedOut) {
  options.quiet = milliseconds(200);
  write("jobs/a.yaml", "job a");
  EXPECT_TRUE(read().complete);
  std::atomic<bool> enough{false};
  std::thread writer([&] {
    for (int i = 0; !enough; ++i) {
      write("jobs/a.yaml", "job a" + std::to_string(i));
      std::this_thread::sleep_for(milliseconds(5));
    }
  });
  EXPECT_TRUE(hinted());
  enough = true;
  writer.join();
}

TEST_F(Waiting, ATimeoutBeforeTheQuietStillTellsOfTheChange) {
  options.quiet = kLong;
  write("jobs/a.yaml", "job a");
  EXPECT_TRUE(read().complete);
  write("jobs/a.yaml", "job b");
  EXPECT_TRUE(watched().wait(milliseconds(1), {}));
  EXPECT_TRUE(read().complete);
  EXPECT_FALSE(watched().wait(milliseconds(1), {})) << "it has been looked at";
}

// --- stopping ---

TEST_F(Waiting, AStopEndsItAtOnce) {
  options.inotify = false;  // whose events would wake it, too
  EXPECT_TRUE(read().complete);
  std::stop_source stop;
  std::thread stopper([&] {
    std::this_thread::sleep_for(milliseconds(20));
    stop.request_stop();
  });
  const auto began = Steady::now();
  EXPECT_FALSE(watched().wait(kLong, stop.get_token()));
  EXPECT_LT(Steady::now() - began, kLong / 2);
  stopper.join();
  EXPECT_FALSE(watched().wait(kLong, stop.get_token())) << "and again";
  EXPECT_LT(Steady::now() - began, kLong / 2);
  EXPECT_FALSE(watched().wait(kShort, {}));
}

// --- the poll ---

TEST_F(Waiting, ThePollRunsWithoutAnyEvent) {
  options.poll = milliseconds(30);
  EXPECT_TRUE(read().complete);
  EXPECT_TRUE(hinted());
}

TEST_F(Waiting, WithoutInotifyChangesAreFoundByThePoll) {
  options.inotify = false;
  options.poll = milliseconds(30);
  write("jobs/a.yaml", "job a");
  add_watch = [](int, const std::string&, std::uint32_t) {
    ADD_FAILURE();
    return -EINVAL;
  };
  EXPECT_TRUE(hinted_after([&] { write("jobs/a.yaml", "job b"); }));
  EXPECT_THAT(names(read()), ElementsAre("b"));
  EXPECT_THAT(said, IsEmpty());
}

TEST_F(Waiting, WhenInotifyCannotStartThePollGoesOnAndItIsSaidOnce) {
  options.poll = milliseconds(30);
  bool works = false;
  start_inotify = [&] { return works ? ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC) : -EMFILE; };
  write("jobs/a.yaml", "job a");
  EXPECT_TRUE(hinted_after([&] { write("jobs/a.yaml", "job b"); }));
  EXPECT_THAT(names(read()), ElementsAre("b"));
  ASSERT_EQ(said.size(), 1U);
  EXPECT_THAT(said[0], HasSubstr("inotify is not available (too many open files"));
  works = true;
  EXPECT_TRUE(read().complete);
  ASSERT_EQ(said.size(), 2U);
  EXPECT_THAT(said[1], HasSubstr("again"));
}

TEST_F(Waiting, WhenTheWatchLimitIsMetTheRestIsPolledAndItIsSaidOnce) {
  for (int i = 0; i < 5; ++i) write("jobs/d" + std::to_string(i) + "/a.yaml", "broken");
  options.poll = milliseconds(30);
  int watches = 0;
  int limit = 3;
  add_watch = [&](int fd, const std::string& path, std::uint32_t mask) {
    if (++watches > limit) return -ENOSPC;
    return ::inotify_add_watch(fd, path.c_str(), mask);
  };
  EXPECT_TRUE(hinted_after([&] { write("jobs/d4/a.yaml", "job a"); }));
  EXPECT_THAT(names(read()), ElementsAre("a"));
  ASSERT_EQ(said.size(), 1U);
  EXPECT_THAT(said[0], HasSubstr("fs.inotify.max_user_watches is met"));
  limit = 1000;
  read();
  EXPECT_EQ(said.size(), 2U);
}

TEST_F(Waiting, AfterAnOverflowEverythingIsWatchedAgain) {
  write("jobs/team/a.yaml", "job a");
  write("jobs/b.yaml", "job c");
  EXPECT_TRUE(hinted_after([&] {
    int limit = 16384;
    std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> limit;
    // Equal events in a row would be taken together.
    for (int i = 0; i < limit + 100; ++i) {
      ::chmod(at(i % 2 == 0 ? "jobs/team/a.yaml" : "jobs/b.yaml").c_str(), 0600);
    }
    remove("jobs/team");
    write("jobs/team/a.yaml", "job a");
  }));
  EXPECT_TRUE(read().complete);
  EXPECT_EQ(watched().last_scan().events[WatchEvent::Overflow], 1);
  EXPECT_THAT(said, ElementsAre(HasSubstr("inotify's queue overflowed")));
  EXPECT_TRUE(hinted_after([&] { write("jobs/team/a.yaml", "job b"); }));
}

}  // namespace
}  // namespace sconverge::test
