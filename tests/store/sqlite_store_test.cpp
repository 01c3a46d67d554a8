#include "controller/store/sqlite_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/full_values.h"
#include "tests/support/matchers.h"
#include "tests/support/same_history.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

/// A state directory whose controller knows the clusters "lab" and "gcp".
class SqliteStoreTest : public testing::Test {
 protected:
  void stop_controller() {
    lab_.reset();
    gcp_.reset();
    lock_.reset();
  }

  [[nodiscard]] std::unique_ptr<Store> verb(const std::string& cluster = "lab") const {
    auto store = open_verb_store(directory_.path(), cluster);
    EXPECT_THAT(store, Works());
    return std::move(*store);
  }

  const SpecName train_ = a_name("train");
  const History history_{{train_, full_entry("train")}};
  TempDirectory directory_;
  std::optional<StateLock> lock_ = std::move(*lock_state(directory_.path()));
  std::unique_ptr<Store> lab_ = std::move(*open_controller_store(*lock_, "lab"));
  std::unique_ptr<Store> gcp_ = std::move(*open_controller_store(*lock_, "gcp"));
};

TEST_F(SqliteStoreTest, EachClusterHasAMemoryOfItsOwn) {
  ASSERT_THAT(lab_->save(history_, {train_}), Works());
  ASSERT_THAT(gcp_->add_request({0, RequestKind::Rerun, train_, kNoon}), Works());
  ASSERT_THAT(gcp_->publish(full_published("gcp")), Works());
  ASSERT_THAT(gcp_->save({}, {train_}), Works());

  EXPECT_THAT(lab_->load(), HoldsHistory(history_));
  EXPECT_THAT(gcp_->load(), HoldsHistory(History{}));
  EXPECT_TRUE(lab_->requests()->empty());
  const auto elsewhere = gcp_->requests();
  ASSERT_THAT(lab_->answered(*elsewhere), Works());
  EXPECT_EQ(gcp_->requests()->size(), 1U);
  EXPECT_THAT(lab_->published(), FailsWith(ErrorKind::Unavailable));
}

TEST_F(SqliteStoreTest, ListsItsClusters) {
  const auto clusters = clusters_in(directory_.path());
  ASSERT_THAT(clusters, Works());
  EXPECT_THAT(*clusters, ElementsAre("gcp", "lab"));
}

TEST_F(SqliteStoreTest, AVerbReadsBesideTheRunningController) {
  ASSERT_THAT(lab_->save(history_, {train_}), Works());
  ASSERT_THAT(lab_->publish(full_published("lab")), Works());
  EXPECT_THAT(verb()->load(), HoldsHistory(history_));
  EXPECT_EQ(verb()->published()->statuses, full_published("lab").statuses);
}

TEST_F(SqliteStoreTest, AVerbReadsWithTheControllerDown) {
  ASSERT_THAT(lab_->save(history_, {train_}), Works());
  ASSERT_THAT(lab_->publish(full_published("lab")), Works());
  stop_controller();
  EXPECT_THAT(verb()->load(), HoldsHistory(history_));
  EXPECT_EQ(verb()->published()->statuses, full_published("lab").statuses);
}

TEST_F(SqliteStoreTest, AVerbsRequestReachesTheRunningController) {
  ASSERT_TRUE(lab_->requests()->empty());
  ASSERT_THAT(verb()->add_request({0, RequestKind::Rerun, train_, kNoon}), Works());
  EXPECT_THAT(*lab_->requests(), ElementsAre(Field(&Request::spec, train_)));
}

TEST_F(SqliteStoreTest, AVerbsRequestWaitsForTheControllersNextStart) {
  stop_controller();
  ASSERT_THAT(verb()->add_request({0, RequestKind::Rerun, train_, kNoon}), Works());
  const auto lock = lock_state(directory_.path());
  ASSERT_THAT(lock, Works());
  const auto store = open_controller_store(*lock, "lab");
  ASSERT_THAT(store, Works());
  EXPECT_THAT(*(*store)->requests(), ElementsAre(Field(&Request::spec, train_)));
}

TEST_F(SqliteStoreTest, AVerbNeverWritesTheControllersMemory) {
  EXPECT_THAT(verb()->save(history_, {train_}), FailsWith(ErrorKind::Rejected));
  EXPECT_THAT(verb()->answered({}), FailsWith(ErrorKind::Rejected));
  EXPECT_THAT(verb()->publish(full_published("lab")), FailsWith(ErrorKind::Rejected));
}

TEST_F(SqliteStoreTest, AVerbIsToldWhichClustersThereAre) {
  const auto store = open_verb_store(directory_.path(), "lap");
  ASSERT_THAT(store, FailsWith(ErrorKind::Rejected));
  EXPECT_THAT(store.error().message,
              AllOf(HasSubstr("\"lap\""), HasSubstr(directory_.path()), HasSubstr("gcp, lab")));
}

TEST_F(SqliteStoreTest, AVerbDoesNotMakeAStateWhereNoneIs) {
  const TempDirectory empty;
  for (const std::string& directory : {empty.path(), empty / "missing"}) {
    const auto store = open_verb_store(directory, "lab");
    ASSERT_THAT(store, FailsWith(ErrorKind::Rejected));
    EXPECT_EQ(store.error().message,
              "no state in " + directory + ": has `sconverge run` been started with this --state?");
    EXPECT_THAT(clusters_in(directory), FailsWith(ErrorKind::Rejected));
    EXPECT_THAT(controller_id_in(directory), FailsWith(ErrorKind::Rejected));
  }
  EXPECT_TRUE(std::filesystem::is_empty(empty.path()));
}

TEST_F(SqliteStoreTest, TheControllerIdIsWrittenOnce) {
  EXPECT_EQ(*controller_id_in(directory_.path()), "");
  EXPECT_EQ(*claim_controller_id(*lock_, "prod"), "prod");
  EXPECT_EQ(*claim_controller_id(*lock_, "test"), "prod");
  stop_controller();
  EXPECT_EQ(*controller_id_in(directory_.path()), "prod");
}

}  // namespace
}  // namespace sconverge::test
