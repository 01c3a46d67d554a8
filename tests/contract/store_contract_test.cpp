#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "controller/store/sqlite_store.h"
#include "tests/support/builders.h"
#include "tests/support/fake_store.h"
#include "tests/support/full_values.h"
#include "tests/support/matchers.h"
#include "tests/support/same_history.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

/// Something a controller can stop and start on.
class Disk {
 public:
  virtual ~Disk() = default;
  virtual Store& store() = 0;
  virtual void restart() = 0;
};

class FakeDisk : public Disk {
 public:
  Store& store() override { return store_; }
  void restart() override { store_.crash(); }

 private:
  FakeStore store_{"lab"};
};

class SqliteDisk : public Disk {
 public:
  SqliteDisk() { start(); }
  Store& store() override { return *store_; }
  void restart() override {
    store_.reset();
    lock_.reset();
    start();
  }

 private:
  void start() {
    lock_.emplace(std::move(lock_state(directory_.path()).value()));
    store_ = std::move(open_controller_store(*lock_, "lab").value());
  }

  TempDirectory directory_;
  std::optional<StateLock> lock_;
  std::unique_ptr<Store> store_;
};

struct Kind {
  std::string name;
  std::function<std::unique_ptr<Disk>()> make;
};

class StoreContract : public testing::TestWithParam<Kind> {
 protected:
  Store& store() { return disk_->store(); }
  void restart() { disk_->restart(); }

  const SpecName train_ = a_name("train");
  const SpecName infer_ = a_name("infer");

 private:
  std::unique_ptr<Disk> disk_ = GetParam().make();
};

INSTANTIATE_TEST_SUITE_P(Stores, StoreContract,
                         testing::Values(Kind{"Fake", [] { return std::make_unique<FakeDisk>(); }},
                                         Kind{"Sqlite",
                                              [] { return std::make_unique<SqliteDisk>(); }}),
                         [](const auto& param) { return param.param.name; });

// Memory.

TEST_P(StoreContract, RemembersNothingAtFirst) {
  EXPECT_THAT(store().load(), HoldsHistory(History{}));
}

TEST_P(StoreContract, RemembersEveryFieldOverARestart) {
  const History history{{train_, full_entry("train")}};
  ASSERT_THAT(store().save(history, {train_}), Works());
  restart();
  EXPECT_THAT(store().load(), HoldsHistory(history));
}

TEST_P(StoreContract, WhatIsNotSetStaysUnset) {
  SpecHistory entry;
  entry.attempts = {Attempt{}};
  const History history{{train_, entry}};
  ASSERT_THAT(store().save(history, {train_}), Works());
  restart();
  EXPECT_THAT(store().load(), HoldsHistory(history));
}

TEST_P(StoreContract, AnyBytesAreKept) {
  SpecHistory entry = full_entry("train");
  entry.file = std::string("jobs/\xe4\xff.yaml");
  entry.attempts.back().reason = std::string("a\0b\x80", 4);
  const History history{{train_, entry}};
  ASSERT_THAT(store().save(history, {train_}), Works());
  restart();
  EXPECT_THAT(store().load(), HoldsHistory(history));
}

TEST_P(StoreContract, ManyEntriesAreSavedAtOnce) {
  History history;
  std::vector<SpecName> names;
  for (int i = 0; i < 200; ++i) {
    names.push_back(a_name("train-" + std::to_string(i)));
    history[names.back()] = full_entry(names.back().name);
  }
  ASSERT_THAT(store().save(history, names), Works());
  restart();
  EXPECT_THAT(store().load(), HoldsHistory(history));
}

TEST_P(StoreContract, NamesDifferByNamespace) {
  const SpecName other{"vision", "train"};
  History history{{train_, full_entry("train")}, {other, full_entry("train")}};
  history[other].file = "vision/train.yaml";
  ASSERT_THAT(store().save(history, {train_, other}), Works());
  restart();
  EXPECT_THAT(store().load(), HoldsHistory(history));
}

TEST_P(StoreContract, SavesOnlyTheNamedEntries) {
  const History history{{train_, full_entry("train")}, {infer_, full_entry("infer")}};
  ASSERT_THAT(store().save(history, {infer_}), Works());
  restart();
  EXPECT_THAT(store().load(), HoldsHistory(History{{infer_, full_entry("infer")}}));
}

TEST_P(StoreContract, ALaterSaveReplacesAnEntry) {
  History history{{train_, full_entry("train")}};
  ASSERT_THAT(store().save(history, {train_}), Works());
  history[train_].attempts.push_back(full_attempt(3));
  history[train_].submitted = nullptr;
  ASSERT_THAT(store().save(history, {train_}), Works());
  restart();
  EXPECT_THAT(store().load(), HoldsHistory(history));
}

TEST_P(StoreContract, WhatWasNotSavedIsNotRemembered) {
  History history{{train_, full_entry("train")}};
  const History saved = history;
  ASSERT_THAT(store().save(history, {train_}), Works());
  history[train_].attempts.clear();
  restart();
  EXPECT_THAT(store().load(), HoldsHistory(saved));
}

TEST_P(StoreContract, ANamedEntryThatHistoryLacksIsForgotten) {
  History history{{train_, full_entry("train")}, {infer_, full_entry("infer")}};
  ASSERT_THAT(store().save(history, {train_, infer_}), Works());
  history.erase(train_);
  ASSERT_THAT(store().save(history, {train_}), Works());
  restart();
  EXPECT_THAT(store().load(), HoldsHistory(history));
}

TEST_P(StoreContract, ForgettingWhatWasNeverKnownWorks) {
  EXPECT_THAT(store().save({}, {train_}), Works());
  EXPECT_THAT(store().save({}, {}), Works());
}

TEST_P(StoreContract, EqualContentsAreOneSpecAfterLoading) {
  SpecHistory entry = full_entry("train");
  entry.submitted = std::make_shared<JobSpec>(*entry.accepted);
  ASSERT_NE(entry.accepted, entry.submitted);
  ASSERT_THAT(store().save({{train_, entry}}, {train_}), Works());
  restart();
  const auto loaded = store().load();
  ASSERT_THAT(loaded, Works());
  EXPECT_EQ(loaded->at(train_).accepted, loaded->at(train_).submitted);
}

// Requests.

TEST_P(StoreContract, NobodyAskedForAnythingAtFirst) {
  const auto requests = store().requests();
  ASSERT_THAT(requests, Works());
  EXPECT_THAT(*requests, IsEmpty());
}

TEST_P(StoreContract, RequestsComeOldestFirstWithIdsOfTheirOwn) {
  const Request rerun{99, RequestKind::Rerun, train_, after_noon(2)};
  const Request removal{99, RequestKind::ApproveRemoval, infer_, after_noon(1)};
  const Request vanished{99, RequestKind::ApproveVanished, train_, after_noon(3)};
  for (const Request& request : {rerun, removal, vanished}) {
    ASSERT_THAT(store().add_request(request), Works());
  }
  restart();
  const auto requests = store().requests();
  ASSERT_THAT(requests, Works());
  ASSERT_THAT(*requests, SizeIs(3));
  const auto with_id_of = [](Request expected, const Request& found) {
    expected.id = found.id;
    return expected;
  };
  EXPECT_EQ(requests->at(0), with_id_of(rerun, requests->at(0)));
  EXPECT_EQ(requests->at(1), with_id_of(removal, requests->at(1)));
  EXPECT_EQ(requests->at(2), with_id_of(vanished, requests->at(2)));
  EXPECT_LT(requests->at(0).id, requests->at(1).id);
  EXPECT_LT(requests->at(1).id, requests->at(2).id);
}

TEST_P(StoreContract, OnlyAnsweredRequestsAreForgotten) {
  ASSERT_THAT(store().add_request({0, RequestKind::Rerun, train_, kNoon}), Works());
  ASSERT_THAT(store().add_request({0, RequestKind::Rerun, infer_, kNoon}), Works());
  const auto requests = store().requests();
  ASSERT_THAT(requests, Works());
  ASSERT_THAT(store().answered({requests->at(0)}), Works());
  restart();
  const auto left = store().requests();
  ASSERT_THAT(left, Works());
  EXPECT_THAT(*left, ElementsAre(requests->at(1)));
}

TEST_P(StoreContract, ARequestThatComesMeanwhileIsNotTakenForAnAnsweredOne) {
  ASSERT_THAT(store().add_request({0, RequestKind::Rerun, train_, kNoon}), Works());
  const auto first = store().requests();
  ASSERT_THAT(first, Works());
  ASSERT_THAT(store().answered(*first), Works());
  restart();
  ASSERT_THAT(store().add_request({0, RequestKind::Rerun, train_, kNoon}), Works());
  ASSERT_THAT(store().answered(*first), Works());
  const auto left = store().requests();
  ASSERT_THAT(left, Works());
  EXPECT_THAT(*left, ElementsAre(Field(&Request::spec, train_)));
}

// What is published.

void expect_same(const Published& a, const Published& b) {
  EXPECT_EQ(a.cluster, b.cluster);
  EXPECT_EQ(a.controller_id, b.controller_id);
  EXPECT_EQ(a.revision, b.revision);
  EXPECT_EQ(a.source_complete, b.source_complete);
  EXPECT_EQ(a.source_reason, b.source_reason);
  EXPECT_EQ(a.error, b.error);
  EXPECT_EQ(a.at, b.at);
  EXPECT_EQ(a.statuses, b.statuses);
  EXPECT_EQ(a.guards, b.guards);
}

TEST_P(StoreContract, NothingPublishedIsAnErrorAndNotEmpty) {
  EXPECT_THAT(store().published(), FailsWith(ErrorKind::Unavailable));
}

TEST_P(StoreContract, EveryPublishedFieldCanBeReadBack) {
  ASSERT_THAT(store().publish(full_published("lab")), Works());
  const auto published = store().published();
  ASSERT_THAT(published, Works());
  expect_same(*published, full_published("lab"));
}

TEST_P(StoreContract, PublishedStatusesComeSortedByName) {
  Published published = full_published("lab");
  published.statuses = {full_status("c"), full_status("a"), full_status("b")};
  ASSERT_THAT(store().publish(published), Works());
  const auto found = store().published();
  ASSERT_THAT(found, Works());
  EXPECT_THAT(found->statuses, ElementsAre(full_status("a"), full_status("b"), full_status("c")));
}

TEST_P(StoreContract, WhatIsPublishedReplacesWhatWasBefore) {
  Published published = full_published("lab");
  published.statuses = {full_status("b"), full_status("c"), full_status("d"), full_status("e")};
  ASSERT_THAT(store().publish(published), Works());

  published.statuses = {full_status("a"), full_status("c"), full_status("d")};
  published.statuses[2].verdict.message = "changed";
  published.error = "";
  published.guards.clear();
  ASSERT_THAT(store().publish(published), Works());
  const auto found = store().published();
  ASSERT_THAT(found, Works());
  expect_same(*found, published);
}

TEST_P(StoreContract, PublishingWorksOnAfterARestart) {
  Published published = full_published("lab");
  ASSERT_THAT(store().publish(published), Works());
  restart();
  published.statuses = {full_status("new")};
  ASSERT_THAT(store().publish(published), Works());
  const auto found = store().published();
  ASSERT_THAT(found, Works());
  expect_same(*found, published);
}

TEST_P(StoreContract, ItsSizeIsKnownAndGrowsWithWhatIsKept) {
  const auto before = store().size_bytes();
  ASSERT_TRUE(before);
  History history;
  std::vector<SpecName> names;
  for (int i = 0; i < 2000; ++i) {
    names.push_back(a_name("spec-" + std::to_string(i)));
    history[names.back()] = full_entry("spec-" + std::to_string(i));
  }
  ASSERT_THAT(store().save(history, names), Works());
  EXPECT_GT(store().size_bytes().value(), *before + 10'000);
}

}  // namespace
}  // namespace sconverge::test
