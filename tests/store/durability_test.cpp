// What survives, and who may look meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <atomic>
#include <map>
#include <thread>

#include "controller/store/sqlite_store.h"
#include "tests/store/child_process.h"
#include "tests/support/full_values.h"
#include "tests/support/matchers.h"
#include "tests/support/same_history.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {
namespace {

/// Entry of the nth save: told apart by a number that counts up, with a script of its own.
SpecHistory numbered(int number) {
  SpecHistory entry = full_entry("train");
  entry.accepted = a_spec("train").script("#!/bin/sh\nsleep " + std::to_string(number)).ptr();
  entry.attempts.back().unseen = number;
  return entry;
}

int number_of(const History& history, const SpecName& name) {
  return history.at(name).newest()->unseen;
}

// The child's two entries always carry the same number, so that half a save would show.
void save_for_ever(const std::string& directory, int answer) {
  const auto lock = lock_state(directory);
  if (!lock) return;
  const auto store = open_controller_store(*lock, "lab");
  if (!store) return;
  auto loaded = (*store)->load();
  if (!loaded) return;
  const std::vector<SpecName> names{a_name("a"), a_name("b")};
  int number = loaded->empty() ? 0 : number_of(*loaded, names[0]);
  for (;;) {
    ++number;
    for (const SpecName& name : names) (*loaded)[name] = numbered(number);
    if (!(*store)->save(*loaded, names)) return;
    tell(answer, std::to_string(number) + "\n");
  }
}

TEST(Durability, EveryAcknowledgedSaveSurvivesAKillAtAnyMoment) {
  const TempDirectory directory;
  int acknowledged = 0;
  for (int round = 1; round <= 12; ++round) {
    ChildProcess child([&](int answer) { save_for_ever(directory.path(), answer); });
    for (int i = 0; i < round; ++i) {
      const std::string line = child.line();
      ASSERT_FALSE(line.empty()) << "the store could not be opened again in round " << round;
      acknowledged = std::stoi(line);
    }
    child.kill();

    const auto store = open_verb_store(directory.path(), "lab");
    ASSERT_THAT(store, Works());
    const auto loaded = (*store)->load();
    ASSERT_THAT(loaded, Works());
    EXPECT_GE(number_of(*loaded, a_name("a")), acknowledged);
    EXPECT_EQ(number_of(*loaded, a_name("a")), number_of(*loaded, a_name("b")));
  }
}

TEST(Durability, AKillWhileTheStoreIsFirstMadeDoesNoHarm) {
  for (int round = 0; round < 12; ++round) {
    const TempDirectory directory;
    ChildProcess child([&](int answer) {
      tell(answer, "go\n");
      static_cast<void>(lock_state(directory.path()));
    });
    ASSERT_EQ(child.line(), "go");
    for (int i = 0; i < round * 500; ++i) std::this_thread::yield();
    child.kill();
    EXPECT_THAT(lock_state(directory.path()), Works());
  }
}

// Counts fsyncs: a power cut cannot be had in a test, but what is not synced does not survive one.
std::atomic<int> syncs{0};
int (*real_sync)(sqlite3_file*, int) = nullptr;
int (*real_open)(sqlite3_vfs*, const char*, sqlite3_file*, int, int*) = nullptr;
std::map<const sqlite3_io_methods*, sqlite3_io_methods> counting_methods;  // by the real ones

int counting_sync(sqlite3_file* file, int flags) {
  ++syncs;
  return real_sync(file, flags);
}

int counting_open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out) {
  const int code = real_open(vfs, name, file, flags, out);
  if (file->pMethods != nullptr) {
    sqlite3_io_methods& methods = counting_methods[file->pMethods];
    methods = *file->pMethods;
    real_sync = methods.xSync;
    methods.xSync = counting_sync;
    file->pMethods = &methods;
  }
  return code;
}

class SyncCount : public testing::Test {
 protected:
  SyncCount() {
    usual_ = sqlite3_vfs_find(nullptr);
    counting_ = *usual_;
    counting_.zName = "counting";
    real_open = usual_->xOpen;
    counting_.xOpen = counting_open;
    EXPECT_EQ(sqlite3_vfs_register(&counting_, 1), SQLITE_OK);
    lock_ = std::move(*lock_state(directory_.path()));
    store_ = std::move(*open_controller_store(*lock_, "lab"));
    // A new WAL file is synced once on its own account.
    EXPECT_THAT(store_->save(history_, {a_name("train")}), Works());
  }
  ~SyncCount() override {
    store_.reset();
    sqlite3_vfs_unregister(&counting_);
  }

  template <typename Action>
  int syncs_during(const Action& action) {
    const int before = syncs;
    EXPECT_THAT(action(), Works());
    return syncs - before;
  }

  const History history_{{a_name("train"), full_entry("train")}};
  TempDirectory directory_;
  sqlite3_vfs* usual_{nullptr};
  sqlite3_vfs counting_{};
  std::optional<StateLock> lock_;
  std::unique_ptr<Store> store_;
};

TEST_F(SyncCount, ASaveHasReachedTheDiskWhenItReturns) {
  EXPECT_GE(syncs_during([&] { return store_->save(history_, {a_name("train")}); }), 1);
}

TEST_F(SyncCount, ASaveAfterAPublishHasReachedTheDiskToo) {
  ASSERT_THAT(store_->publish(full_published("lab")), Works());
  EXPECT_GE(syncs_during([&] { return store_->save(history_, {a_name("train")}); }), 1);
}

TEST_F(SyncCount, ABatchCostsNoMoreSyncsThanOneEntry) {
  History many;
  std::vector<SpecName> names;
  for (int i = 0; i < 100; ++i) {
    names.push_back(a_name("train-" + std::to_string(i)));
    many[names.back()].wanted = "0123456789abcdef";
  }
  EXPECT_EQ(syncs_during([&] { return store_->save(many, names); }),
            syncs_during([&] { return store_->save(history_, {a_name("train")}); }));
}

TEST_F(SyncCount, PublishingDoesNotWaitForTheDisk) {
  EXPECT_EQ(syncs_during([&] { return store_->publish(full_published("lab")); }), 0);
}

TEST_F(SyncCount, ARequestAndItsAnswerHaveReachedTheDisk) {
  const Request request{1, RequestKind::Rerun, a_name("train"), kNoon};
  EXPECT_GE(syncs_during([&] { return store_->add_request(request); }), 1);
  EXPECT_GE(syncs_during([&] { return store_->answered({request}); }), 1);
}

/// So many scripts that saves end while they are being read.
void save_ballast(Store& store) {
  History history;
  std::vector<SpecName> names;
  for (int i = 0; i < 100; ++i) {
    names.push_back(a_name("ballast-" + std::to_string(i)));
    history[names.back()].accepted =
        a_spec(names.back().name).script(std::string(20000, 'x')).ptr();
  }
  ASSERT_THAT(store.save(history, names), Works());
}

TEST(SideBySide, AVerbAlwaysReadsAWholeSaveWhileTheControllerWrites) {
  const TempDirectory directory;
  const auto lock = lock_state(directory.path());
  ASSERT_THAT(lock, Works());
  const auto store = open_controller_store(*lock, "lab");
  ASSERT_THAT(store, Works());
  const std::vector<SpecName> names{a_name("a"), a_name("b")};
  History history{{names[0], numbered(0)}, {names[1], numbered(0)}};
  ASSERT_THAT((*store)->save(history, names), Works());
  save_ballast(**store);

  std::atomic<bool> done{false};
  std::thread reader([&] {
    const auto verb = open_verb_store(directory.path(), "lab");
    ASSERT_THAT(verb, Works());
    int last = 0;
    while (!done) {
      const auto loaded = (*verb)->load();
      ASSERT_THAT(loaded, Works());
      EXPECT_EQ(number_of(*loaded, names[0]), number_of(*loaded, names[1]));
      EXPECT_GE(number_of(*loaded, names[0]), last);
      last = number_of(*loaded, names[0]);
      ASSERT_THAT((*verb)->add_request({0, RequestKind::Rerun, names[0], kNoon}), Works());
    }
  });
  for (int number = 1; number <= 40; ++number) {
    for (const SpecName& name : names) history[name] = numbered(number);
    EXPECT_THAT((*store)->save(history, names), Works());
    const auto requests = (*store)->requests();
    ASSERT_THAT(requests, Works());
    EXPECT_THAT((*store)->answered(*requests), Works());
  }
  done = true;
  reader.join();
}

TEST(SideBySide, TwoClustersSaveInTwoThreads) {
  const TempDirectory directory;
  const auto lock = lock_state(directory.path());
  ASSERT_THAT(lock, Works());
  const auto run = [&](const std::string& cluster) {
    const auto store = open_controller_store(*lock, cluster);
    ASSERT_THAT(store, Works());
    History history;
    for (int number = 1; number <= 30; ++number) {
      history[a_name("train")] = numbered(number);
      ASSERT_THAT((*store)->save(history, {a_name("train")}), Works());
      ASSERT_THAT((*store)->publish(full_published(cluster)), Works());
    }
    EXPECT_THAT((*store)->load(), HoldsHistory(history));
  };
  std::thread other([&] { run("gcp"); });
  run("lab");
  other.join();
}

}  // namespace
}  // namespace sconverge::test
