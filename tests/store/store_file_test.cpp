// What is in the file, and what happens when it is not what it should be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "controller/store/sqlite_store.h"
#include "tests/support/full_values.h"
#include "tests/support/matchers.h"
#include "tests/support/same_history.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A connection to the file that knows nothing of the store.
class Shell {
 public:
  explicit Shell(const std::string& path) { EXPECT_EQ(sqlite3_open(path.c_str(), &sqlite_), 0); }
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;
  ~Shell() { sqlite3_close(sqlite_); }

  /// The first value of the first row, or nothing.
  std::string run(const std::string& statements) {
    std::string value;
    const auto keep = [](void* out, int, char** columns, char**) {
      auto& text = *static_cast<std::string*>(out);
      if (text.empty() && columns[0] != nullptr) text = columns[0];
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(sqlite_, statements.c_str(), keep, &value, nullptr), SQLITE_OK)
        << statements << ": " << sqlite3_errmsg(sqlite_);
    return value;
  }

 private:
  sqlite3* sqlite_{nullptr};
};

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class StoreFile : public testing::Test {
 protected:
  StoreFile() { start(); }

  void start() {
    lock_ = std::move(*lock_state(directory_.path()));
    store_ = std::move(*open_controller_store(*lock_, "lab"));
  }

  void stop() {
    store_.reset();
    lock_.reset();
  }

  void save() { ASSERT_THAT(store_->save(history_, {train_}), Works()); }

  std::string sql(const std::string& statements) { return Shell(path_).run(statements); }

  [[nodiscard]] std::string refusal_of_controller() const {
    const auto lock = lock_state(directory_.path());
    if (!lock) return lock.error().message;
    const auto store = open_controller_store(*lock, "lab");
    if (!store) return store.error().message;
    const auto history = (*store)->load();
    return history ? "" : history.error().message;
  }

  [[nodiscard]] std::string refusal_of_verb() const {
    const auto store = open_verb_store(directory_.path(), "lab");
    if (!store) return store.error().message;
    const auto history = (*store)->load();
    return history ? "" : history.error().message;
  }

  const SpecName train_ = a_name("train");
  History history_{{train_, full_entry("train")}};
  TempDirectory directory_;
  const std::string path_ = directory_ / "state.db";
  std::optional<StateLock> lock_;
  std::unique_ptr<Store> store_;
};

// What is written, and what is not written again.

TEST_F(StoreFile, AChangeOfStateDoesNotWriteTheScriptAgain) {
  save();
  sql("CREATE TABLE written (digest); CREATE TRIGGER watch AFTER INSERT ON spec_text"
      " BEGIN INSERT INTO written VALUES (new.digest); END");
  history_[train_].attempts.back().reason = "Priority";
  save();
  EXPECT_EQ(sql("SELECT count(*) FROM written"), "0");
}

TEST_F(StoreFile, TextsNobodyRefersToAreCollectedAtTheNextStart) {
  history_[train_].submitted = nullptr;
  save();
  history_[train_].accepted = a_spec("train").partition("other").ptr();
  save();
  EXPECT_EQ(sql("SELECT count(*) FROM spec_text"), "2");
  stop();
  start();
  EXPECT_THAT(store_->load(), HoldsHistory(history_));
  EXPECT_EQ(sql("SELECT count(*) FROM spec_text"), "1");
}

TEST_F(StoreFile, CollectingSparesTheTextsOfOtherClusters) {
  save();
  const auto other = open_controller_store(*lock_, "gcp");
  ASSERT_THAT(other, Works());
  ASSERT_THAT((*other)->load(), Works());
  EXPECT_THAT(store_->load(), HoldsHistory(history_));
}

TEST_F(StoreFile, PublishingWritesOnlyTheRowsThatChanged) {
  Published published = full_published("lab");
  published.statuses = {full_status("a"), full_status("b"), full_status("c")};
  ASSERT_THAT(store_->publish(published), Works());
  sql("CREATE TABLE written (name); CREATE TRIGGER watch AFTER INSERT ON status"
      " BEGIN INSERT INTO written VALUES (new.name); END");
  published.statuses[1].verdict.message = "changed";
  ASSERT_THAT(store_->publish(published), Works());
  EXPECT_EQ(sql("SELECT group_concat(name) FROM written"), "b");
}

TEST_F(StoreFile, AFailedPublishIsMadeGoodByTheNext) {
  Published published = full_published("lab");
  ASSERT_THAT(store_->publish(published), Works());
  sql("CREATE TRIGGER refuse BEFORE INSERT ON status BEGIN SELECT RAISE(ABORT, 'no'); END");
  published.statuses = {full_status("b")};
  EXPECT_FALSE(store_->publish(published).ok());
  sql("DROP TRIGGER refuse");
  ASSERT_THAT(store_->publish(published), Works());
  EXPECT_EQ(store_->published()->statuses, published.statuses);
}

TEST_F(StoreFile, ASaveIsWholeOrNotAtAll) {
  save();
  sql("CREATE TRIGGER refuse BEFORE INSERT ON history WHEN new.name = 'zzz'"
      " BEGIN SELECT RAISE(ABORT, 'no'); END");
  const History before = history_;
  history_[train_].attempts.clear();
  history_[a_name("zzz")] = full_entry("zzz");
  EXPECT_FALSE(store_->save(history_, {train_, a_name("zzz")}).ok());
  EXPECT_THAT(store_->load(), HoldsHistory(before));
}

// No room, no peace.

TEST_F(StoreFile, AFullDiskChangesNothingAndIsSaid) {
  save();
  const std::string pages = sql("PRAGMA page_count");
  const auto limited =
      open_controller_store(*lock_, "lab", StoreLimits{.max_pages = std::stoll(pages) + 2});
  ASSERT_THAT(limited, Works());
  History larger = history_;
  larger[train_].attempts.clear();
  larger[a_name("large")].accepted = a_spec("large").script(std::string(100000, 'x')).ptr();

  const auto saved = (*limited)->save(larger, {train_, a_name("large")});
  ASSERT_THAT(saved, FailsWith(ErrorKind::Unavailable));
  EXPECT_THAT(saved.error().message, AllOf(HasSubstr(path_), HasSubstr("no space left")));
  EXPECT_THAT((*limited)->load(), HoldsHistory(history_));

  // The same connection works on once there is room for what is asked of it.
  larger.erase(a_name("large"));
  ASSERT_THAT((*limited)->save(larger, {train_}), Works());
  EXPECT_THAT((*limited)->load(), HoldsHistory(larger));
}

TEST_F(StoreFile, AnothersLongTransactionIsSaidAndReadingGoesOn) {
  save();
  const auto impatient =
      open_controller_store(*lock_, "lab", StoreLimits{.busy_timeout = milliseconds{1}});
  ASSERT_THAT(impatient, Works());
  Shell shell(path_);
  shell.run("BEGIN IMMEDIATE");
  const auto saved = (*impatient)->save(history_, {train_});
  ASSERT_THAT(saved, FailsWith(ErrorKind::Unavailable));
  EXPECT_THAT(saved.error().message, HasSubstr(path_ + " is locked by another program"));
  EXPECT_THAT((*impatient)->load(), HoldsHistory(history_));
  shell.run("ROLLBACK");
  EXPECT_THAT((*impatient)->save(history_, {train_}), Works());
}

// Not ours.

TEST_F(StoreFile, ATextFileIsNotTakenForAStore) {
  stop();
  const std::string text(5000, 'x');
  std::ofstream(path_, std::ios::trunc) << text;
  const auto lock = lock_state(directory_.path());
  ASSERT_THAT(lock, FailsWith(ErrorKind::Rejected));
  EXPECT_THAT(lock.error().message,
              AllOf(HasSubstr(path_ + " is not a state file"), HasSubstr("--state")));
  EXPECT_THAT(refusal_of_verb(), HasSubstr(path_ + " is not a state file"));
  EXPECT_EQ(bytes_of(path_), text);
}

TEST_F(StoreFile, AnotherProgramsDatabaseIsNotTakenForAStore) {
  stop();
  std::filesystem::remove(path_);
  sql("CREATE TABLE precious (x); INSERT INTO precious VALUES (7)");
  const std::string before = bytes_of(path_);
  EXPECT_THAT(lock_state(directory_.path()), FailsWith(ErrorKind::Rejected));
  EXPECT_THAT(refusal_of_controller(), HasSubstr(path_ + " is a database of another program"));
  EXPECT_THAT(refusal_of_verb(), HasSubstr(path_ + " is a database of another program"));
  EXPECT_EQ(bytes_of(path_), before);
}

TEST_F(StoreFile, ANewerFormatIsLeftToTheReleaseThatWroteIt) {
  save();
  stop();
  sql("PRAGMA user_version = 2");
  const std::string before = bytes_of(path_);
  EXPECT_THAT(lock_state(directory_.path()), FailsWith(ErrorKind::Rejected));
  EXPECT_THAT(
      refusal_of_controller(),
      AllOf(HasSubstr(path_), HasSubstr("newer sconverge (format 2, this one knows up to 1"),
            HasSubstr("--state")));
  EXPECT_THAT(refusal_of_verb(), HasSubstr("newer sconverge"));
  EXPECT_EQ(bytes_of(path_), before);
}

TEST_F(StoreFile, ADirectoryInItsPlaceIsRefused) {
  stop();
  std::filesystem::remove(path_);
  std::filesystem::create_directory(path_);
  EXPECT_THAT(refusal_of_controller(), HasSubstr(path_));
  EXPECT_THAT(refusal_of_verb(), HasSubstr(path_));
}

TEST_F(StoreFile, AMissingFileWhoseJournalIsThereIsNotReplaced) {
  stop();
  std::filesystem::remove(path_);
  std::ofstream(path_ + "-wal") << "frames";
  EXPECT_THAT(lock_state(directory_.path()), FailsWith(ErrorKind::Rejected));
  EXPECT_THAT(refusal_of_controller(),
              AllOf(HasSubstr(path_ + " is missing"), HasSubstr("state.db-wal")));
  EXPECT_EQ(bytes_of(path_ + "-wal"), "frames");
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(StoreFile, AFirstStartThatWasCutShortIsFinishedByTheNext) {
  stop();
  std::filesystem::remove(path_);
  std::ofstream(path_).flush();
  EXPECT_THAT(refusal_of_verb(), HasSubstr("no state in"));
  start();
  save();
  EXPECT_THAT(store_->load(), HoldsHistory(history_));
}

// Damaged.

TEST_F(StoreFile, ATruncatedFileIsDamagedAndLeftAlone) {
  for (int i = 0; i < 50; ++i) {
    history_[a_name("train-" + std::to_string(i))] = full_entry("train-" + std::to_string(i));
  }
  std::vector<SpecName> names;
  for (const auto& [name, entry] : history_) names.push_back(name);
  ASSERT_THAT(store_->save(history_, names), Works());
  stop();
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) / 2);
  const std::string before = bytes_of(path_);
  EXPECT_THAT(lock_state(directory_.path()), FailsWith(ErrorKind::Rejected));
  EXPECT_THAT(refusal_of_controller(),
              AllOf(HasSubstr(path_ + " is damaged"), HasSubstr("restore it from a backup")));
  EXPECT_THAT(refusal_of_verb(), HasSubstr(path_ + " is damaged"));
  EXPECT_EQ(bytes_of(path_), before);
}

TEST_F(StoreFile, OverwrittenPagesAreDamage) {
  save();
  stop();
  const auto size = static_cast<std::streamoff>(std::filesystem::file_size(path_));
  {
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(4096);
    file << std::string(static_cast<std::size_t>(size - 4096), '\x5a');
  }
  EXPECT_THAT(refusal_of_controller(), HasSubstr(path_ + " is damaged"));
  EXPECT_THAT(refusal_of_verb(), HasSubstr(path_ + " is damaged"));
}

TEST_F(StoreFile, DamageThatLoadingWouldNotMeetIsFoundAtTheStart) {
  ASSERT_THAT(store_->publish(full_published("lab")), Works());
  const int page = std::stoi(sql("SELECT rootpage FROM sqlite_schema WHERE name = 'status'"));
  stop();
  {
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp((page - 1) * 4096);
    file << std::string(4096, '\x5a');
  }
  EXPECT_THAT(lock_state(directory_.path()), FailsWith(ErrorKind::Rejected));
  EXPECT_THAT(refusal_of_controller(), HasSubstr(path_ + " is damaged"));
}

TEST_F(StoreFile, ARecordThatCannotBeReadIsNamedAndNotDropped) {
  save();
  sql("UPDATE history SET record = replace(record, '\"Overruled\"', '\"Dreaming\"')");
  const auto loaded = store_->load();
  ASSERT_THAT(loaded, FailsWith(ErrorKind::Rejected));
  EXPECT_THAT(loaded.error().message,
              AllOf(HasSubstr(path_), HasSubstr("the record of default/train"),
                    HasSubstr("attempts.0.ourHold: \"Dreaming\" is not known")));
}

TEST_F(StoreFile, AnAlteredSpecTextIsDamage) {
  save();
  sql("UPDATE spec_text SET text = replace(text, 'gpu', 'cpu')");
  EXPECT_THAT(refusal_of_verb(), AllOf(HasSubstr(path_), HasSubstr("spec text")));
}

TEST_F(StoreFile, AMissingSpecTextNamesItsSpec) {
  save();
  sql("DELETE FROM spec_text");
  EXPECT_THAT(refusal_of_verb(), HasSubstr("the spec text of default/train is missing"));
}

TEST_F(StoreFile, AnUnknownRequestIsAnErrorAndStays) {
  ASSERT_THAT(store_->add_request({0, RequestKind::Rerun, train_, kNoon}), Works());
  sql("UPDATE request SET kind = 'Levitate'");
  const auto requests = store_->requests();
  ASSERT_THAT(requests, FailsWith(ErrorKind::Rejected));
  EXPECT_THAT(requests.error().message, HasSubstr("request 1"));
  EXPECT_EQ(sql("SELECT count(*) FROM request"), "1");
}

TEST_F(StoreFile, AStatusThatCannotBeReadIsNamed) {
  ASSERT_THAT(store_->publish(full_published("lab")), Works());
  sql("UPDATE status SET record = 'x' WHERE name = 'train'");
  const auto published = store_->published();
  ASSERT_THAT(published, FailsWith(ErrorKind::Rejected));
  EXPECT_THAT(published.error().message, HasSubstr("the status of default/train"));
}

TEST_F(StoreFile, TokensOfSlurmAreNotWhatIsKept) {
  // Nothing but what the ports hand over is written; this holds the columns to that.
  EXPECT_EQ(sql("SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE type = "
                "'table' AND name NOT LIKE 'sqlite_%' ORDER BY name)"),
            "cluster,history,meta,request,spec_text,status");
}

}  // namespace
}  // namespace sconverge::test
