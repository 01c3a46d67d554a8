#include "controller/store/sqlite_store.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <map>
#include <utility>

#include "controller/store/codec.h"
#include "controller/store/database.h"

namespace sconverge {
namespace {

/// One use of a prepared statement.
class Query {
 public:
  template <typename... Arguments>
  explicit Query(SQLite::Statement& statement, const Arguments&... arguments)
      : statement_(statement) {
    int index = 0;
    (bind(++index, arguments), ...);
  }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;
  ~Query() { statement_.tryReset(); }

  bool step() { return statement_.executeStep(); }
  void run() { statement_.exec(); }
  [[nodiscard]] std::string text(int column) const {
    return statement_.getColumn(column).getString();
  }
  [[nodiscard]] std::int64_t integer(int column) const {
    return statement_.getColumn(column).getInt64();
  }
  [[nodiscard]] bool null(int column) const { return statement_.isColumnNull(column); }

 private:
  void bind(int index, const std::string& value) { statement_.bind(index, value); }
  void bind(int index, std::int64_t value) { statement_.bind(index, value); }
  void bind(int index, const std::optional<std::string>& value) {
    if (value) {
      statement_.bind(index, *value);
    } else {
      statement_.bind(index);
    }
  }

  SQLite::Statement& statement_;
};

enum class Sync {
  Full,    ///< survives a power cut
  Normal,  ///< the last transactions may be lost by one, but nothing is damaged
};

/// A write transaction, rolled back unless committed.
class Write {
 public:
  Write(SQLite::Database& database, Sync sync)
      : transaction_(synced(database, sync), SQLite::TransactionBehavior::IMMEDIATE) {}
  void commit() { transaction_.commit(); }

 private:
  static SQLite::Database& synced(SQLite::Database& database, Sync sync) {
    database.exec(sync == Sync::Full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    return database;
  }

  SQLite::Transaction transaction_;
};

enum class Role { Controller, Verb };

class SqliteStore final : public Store {
 public:
  SqliteStore(const std::string& directory, std::string cluster, Role role, DatabasePtr database)
      : path_(database_path(directory)),
        cluster_(std::move(cluster)),
        role_(role),
        database_(std::move(database)) {}

  Result<History> load() override;
  Result<Done> save(const History& history, const std::vector<SpecName>& names) override;
  Result<std::vector<Request>> requests() override;
  Result<Done> add_request(const Request& request) override;
  Result<Done> answered(const std::vector<Request>& requests) override;
  Result<Done> publish(const Published& published) override;
  Result<Published> published() override;

 private:
  using SpecTexts = std::map<std::string, JobSpecPtr, std::less<>>;

  void collect_texts();
  Result<SpecTexts> read_texts();
  Result<History> read_history(const SpecTexts& texts);
  std::optional<std::string> put_text(const JobSpecPtr& spec);
  void put_statuses(const std::vector<SpecStatus>& statuses);
  Result<std::vector<SpecStatus>> read_statuses();

  template <typename Action>
  auto as_controller(const Action& action) -> decltype(action()) {
    if (role_ == Role::Controller) return guarded(path_, action);
    return Error{.kind = ErrorKind::Rejected,
                 .message = path_ + ": only the controller writes its memory"};
  }

  SQLite::Statement prepared(const char* query) const { return {*database_, query}; }

  std::string path_;
  std::string cluster_;
  Role role_;
  DatabasePtr database_;

  SQLite::Statement get_texts_ = prepared(
      "SELECT digest, text FROM spec_text WHERE digest IN"
      " (SELECT accepted FROM history WHERE cluster = ?1"
      "  UNION SELECT submitted FROM history WHERE cluster = ?1)");
  SQLite::Statement get_history_ = prepared(
      "SELECT namespace, name, accepted, submitted, record FROM history WHERE cluster = ?");
  SQLite::Statement put_text_ =
      prepared("INSERT INTO spec_text VALUES (?, ?) ON CONFLICT DO NOTHING");
  SQLite::Statement put_history_ =
      prepared("INSERT OR REPLACE INTO history VALUES (?, ?, ?, ?, ?, ?)");
  SQLite::Statement drop_history_ =
      prepared("DELETE FROM history WHERE cluster = ? AND namespace = ? AND name = ?");
  SQLite::Statement get_requests_ =
      prepared("SELECT id, kind, namespace, name, at FROM request WHERE cluster = ? ORDER BY id");
  SQLite::Statement put_request_ =
      prepared("INSERT INTO request (cluster, kind, namespace, name, at) VALUES (?, ?, ?, ?, ?)");
  SQLite::Statement drop_request_ = prepared("DELETE FROM request WHERE cluster = ? AND id = ?");
  SQLite::Statement put_summary_ = prepared("INSERT OR REPLACE INTO cluster VALUES (?, ?)");
  SQLite::Statement get_summary_ = prepared("SELECT published FROM cluster WHERE name = ?");
  SQLite::Statement put_status_ = prepared("INSERT OR REPLACE INTO status VALUES (?, ?, ?, ?)");
  SQLite::Statement drop_status_ =
      prepared("DELETE FROM status WHERE cluster = ? AND namespace = ? AND name = ?");
  SQLite::Statement drop_statuses_ = prepared("DELETE FROM status WHERE cluster = ?");
  SQLite::Statement get_statuses_ = prepared(
      "SELECT namespace, name, record FROM status WHERE cluster = ?"
      " ORDER BY namespace, name");

  bool collected_{false};
  /// What this connection has last published, by name; nothing before its first time.
  std::optional<std::vector<SpecStatus>> published_{};
};

Result<History> SqliteStore::load() {
  return guarded(path_, [&]() -> Result<History> {
    if (role_ == Role::Controller && !std::exchange(collected_, true)) collect_texts();
    // One transaction, so that both readings see the same state.
    SQLite::Transaction transaction(*database_);
    const auto texts = read_texts();
    if (!texts) return texts.error();
    auto history = read_history(*texts);
    transaction.commit();
    return history;
  });
}

void SqliteStore::collect_texts() {
  // Housekeeping: memory can be read on a full disk, too.
  static_cast<void>(
      database_->tryExec("DELETE FROM spec_text WHERE digest NOT IN"
                         " (SELECT accepted FROM history WHERE accepted IS NOT NULL"
                         "  UNION SELECT submitted FROM history WHERE submitted IS NOT NULL)"));
}

Result<SqliteStore::SpecTexts> SqliteStore::read_texts() {
  SpecTexts texts;
  Query rows(get_texts_, cluster_);
  while (rows.step()) {
    const std::string digest = rows.text(0);
    const std::string text = rows.text(1);
    if (sha256_hex(text) != digest) return damaged(path_, "spec text " + digest + " has changed");
    JobSpecPtr spec = from_canonical(text);
    if (spec == nullptr) return damaged(path_, "spec text " + digest + " cannot be read");
    texts.emplace(digest, std::move(spec));
  }
  return texts;
}

Result<History> SqliteStore::read_history(const SpecTexts& texts) {
  History history;
  Query rows(get_history_, cluster_);
  while (rows.step()) {
    const SpecName name{rows.text(0), rows.text(1)};
    auto entry = history_from(rows.text(4));
    if (!entry) {
      return damaged(path_, "the record of " + to_text(name) + ": " + entry.error().message);
    }
    for (const auto& [column, spec] : {std::pair{2, &entry->accepted}, {3, &entry->submitted}}) {
      if (rows.null(column)) continue;
      const auto found = texts.find(rows.text(column));
      if (found == texts.end()) {
        return damaged(path_, "the spec text of " + to_text(name) + " is missing");
      }
      *spec = found->second;
    }
    history.emplace_hint(history.end(), name, std::move(*entry));
  }
  return history;
}

Result<Done> SqliteStore::save(const History& history, const std::vector<SpecName>& names) {
  return as_controller([&]() -> Result<Done> {
    if (names.empty()) return Done{};
    Write write(*database_, Sync::Full);
    for (const SpecName& name : names) {
      const auto found = history.find(name);
      if (found == history.end()) {
        Query(drop_history_, cluster_, name.name_space, name.name).run();
        continue;
      }
      const SpecHistory& entry = found->second;
      Query(put_history_, cluster_, name.name_space, name.name, put_text(entry.accepted),
            put_text(entry.submitted), history_record(entry))
          .run();
    }
    write.commit();
    return Done{};
  });
}

std::optional<std::string> SqliteStore::put_text(const JobSpecPtr& spec) {
  if (spec == nullptr) return std::nullopt;
  const std::string text = canonical_text(*spec);
  std::string digest = sha256_hex(text);
  Query(put_text_, digest, text).run();
  return digest;
}

Result<std::vector<Request>> SqliteStore::requests() {
  return guarded(path_, [&]() -> Result<std::vector<Request>> {
    std::vector<Request> requests;
    Query rows(get_requests_, cluster_);
    while (rows.step()) {
      const auto kind = request_kind_from(rows.text(1));
      if (!kind) {
        return damaged(path_, "request " + std::to_string(rows.integer(0)) + " is of unknown kind");
      }
      requests.push_back({.id = rows.integer(0),
                          .kind = *kind,
                          .spec = {rows.text(2), rows.text(3)},
                          .at = TimePoint(milliseconds(rows.integer(4)))});
    }
    return requests;
  });
}

Result<Done> SqliteStore::add_request(const Request& request) {
  return guarded(path_, [&]() -> Result<Done> {
    Write write(*database_, Sync::Full);
    Query(put_request_, cluster_, request_word(request.kind), request.spec.name_space,
          request.spec.name, std::int64_t{request.at.time_since_epoch().count()})
        .run();
    write.commit();
    return Done{};
  });
}

Result<Done> SqliteStore::answered(const std::vector<Request>& requests) {
  return as_controller([&]() -> Result<Done> {
    if (requests.empty()) return Done{};
    Write write(*database_, Sync::Full);
    for (const Request& request : requests) Query(drop_request_, cluster_, request.id).run();
    write.commit();
    return Done{};
  });
}

bool by_name(const SpecStatus& a, const SpecStatus& b) { return a.name < b.name; }

Result<Done> SqliteStore::publish(const Published& published) {
  return as_controller([&]() -> Result<Done> {
    std::vector<SpecStatus> statuses = published.statuses;
    std::sort(statuses.begin(), statuses.end(), by_name);
    Write write(*database_, Sync::Normal);
    Query(put_summary_, cluster_, summary_record(published)).run();
    if (!published_) {
      Query(drop_statuses_, cluster_).run();
      published_.emplace();
    }
    put_statuses(statuses);
    published_.reset();  // unknown until the commit has succeeded
    write.commit();
    published_ = std::move(statuses);
    return Done{};
  });
}

/// Rewrites only the rows that differ from what was published before.
void SqliteStore::put_statuses(const std::vector<SpecStatus>& statuses) {
  auto old = published_->begin();
  const auto drop_before = [&](const SpecName* name) {
    for (; old != published_->end() && (name == nullptr || old->name < *name); ++old) {
      Query(drop_status_, cluster_, old->name.name_space, old->name.name).run();
    }
  };
  for (const SpecStatus& status : statuses) {
    drop_before(&status.name);
    const bool known = old != published_->end() && old->name == status.name;
    if (!known || *old != status) {
      Query(put_status_, cluster_, status.name.name_space, status.name.name, status_record(status))
          .run();
    }
    if (known) ++old;
  }
  drop_before(nullptr);
}

Result<Published> SqliteStore::published() {
  return guarded(path_, [&]() -> Result<Published> {
    SQLite::Transaction transaction(*database_);
    Query row(get_summary_, cluster_);
    if (!row.step() || row.null(0)) {
      return Error{.kind = ErrorKind::Unavailable,
                   .message = "nothing is known yet about cluster " + cluster_ + " in " + path_ +
                              ": no tick of a controller has ended there"};
    }
    auto published = summary_from(row.text(0));
    if (!published) {
      return damaged(path_, "the summary of " + cluster_ + ": " + published.error().message);
    }
    auto statuses = read_statuses();
    if (!statuses) return statuses.error();
    published->statuses = std::move(*statuses);
    return published;
  });
}

Result<std::vector<SpecStatus>> SqliteStore::read_statuses() {
  std::vector<SpecStatus> statuses;
  Query rows(get_statuses_, cluster_);
  while (rows.step()) {
    auto status = status_from(rows.text(2));
    if (!status) {
      const SpecName name{rows.text(0), rows.text(1)};
      return damaged(path_, "the status of " + to_text(name) + ": " + status.error().message);
    }
    statuses.push_back(std::move(*status));
  }
  return statuses;
}

Result<std::unique_ptr<Store>> open_store(const std::string& directory, const std::string& cluster,
                                          Role role, const StoreLimits& limits) {
  auto database = open_database(directory, limits.busy_timeout);
  if (!database) return database.error();
  return guarded(database_path(directory), [&]() -> Result<std::unique_ptr<Store>> {
    if (limits.max_pages > 0) {
      (*database)->exec("PRAGMA max_page_count = " + std::to_string(limits.max_pages));
    }
    return std::unique_ptr<Store>(
        std::make_unique<SqliteStore>(directory, cluster, role, std::move(*database)));
  });
}

}  // namespace

Result<std::unique_ptr<Store>> open_controller_store(const StateLock& lock,
                                                     const std::string& cluster,
                                                     const StoreLimits& limits) {
  const std::string& directory = lock.directory();
  auto database = open_database(directory, limits.busy_timeout);
  if (!database) return database.error();
  auto known = guarded(database_path(directory), [&]() -> Result<Done> {
    SQLite::Statement put(**database,
                          "INSERT INTO cluster VALUES (?, NULL) ON CONFLICT DO NOTHING");
    Query(put, cluster).run();
    return Done{};
  });
  if (!known) return known.error();
  return open_store(directory, cluster, Role::Controller, limits);
}

Result<std::unique_ptr<Store>> open_verb_store(const std::string& directory,
                                               const std::string& cluster,
                                               const StoreLimits& limits) {
  const auto clusters = clusters_in(directory);
  if (!clusters) return clusters.error();
  if (std::find(clusters->begin(), clusters->end(), cluster) == clusters->end()) {
    std::string known;
    for (const std::string& name : *clusters) known += (known.empty() ? "" : ", ") + name;
    return Error{.kind = ErrorKind::Rejected,
                 .message = "no cluster \"" + cluster + "\" in the state " + directory +
                            (known.empty() ? "" : "; it has " + known)};
  }
  return open_store(directory, cluster, Role::Verb, limits);
}

Result<std::vector<std::string>> clusters_in(const std::string& directory) {
  auto database = open_database(directory, StoreLimits{}.busy_timeout);
  if (!database) return database.error();
  return guarded(database_path(directory), [&]() -> Result<std::vector<std::string>> {
    std::vector<std::string> clusters;
    SQLite::Statement rows(**database, "SELECT name FROM cluster ORDER BY name");
    while (rows.executeStep()) clusters.push_back(rows.getColumn(0).getString());
    return clusters;
  });
}

Result<std::string> claim_controller_id(const StateLock& lock, const std::string& wanted) {
  auto database = open_database(lock.directory(), StoreLimits{}.busy_timeout);
  if (!database) return database.error();
  auto claimed = guarded(database_path(lock.directory()), [&]() -> Result<Done> {
    SQLite::Statement put(**database,
                          "INSERT INTO meta VALUES ('controllerId', ?) ON CONFLICT DO NOTHING");
    Query(put, wanted).run();
    return Done{};
  });
  if (!claimed) return claimed.error();
  return controller_id_in(lock.directory());
}

Result<std::string> controller_id_in(const std::string& directory) {
  auto database = open_database(directory, StoreLimits{}.busy_timeout);
  if (!database) return database.error();
  return guarded(database_path(directory), [&]() -> Result<std::string> {
    SQLite::Statement row(**database, "SELECT value FROM meta WHERE key = 'controllerId'");
    return row.executeStep() ? row.getColumn(0).getString() : std::string();
  });
}

}  // namespace sconverge
