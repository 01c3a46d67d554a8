#include "controller/store/sqlite_store.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <utility>

#include "controller/store/codec.h"
#include "controller/store/connection.h"
#include "controller/store/database.h"
#include "controller/store/status_table.h"

namespace sconverge {
namespace {

enum class Role { Controller, Verb };

class SqliteStore final : public Store {
 public:
  SqliteStore(std::string cluster, Role role, std::unique_ptr<Connection> connection)
      : cluster_(std::move(cluster)), role_(role), connection_(std::move(connection)) {}

  Result<History> load() override;
  Result<Done> save(const History& history, const std::vector<SpecName>& names) override;
  Result<std::vector<Request>> requests() override;
  Result<Done> add_request(const Request& request) override;
  Result<Done> answered(const std::vector<Request>& requests) override;
  Result<Done> publish(const Published& published) override;
  Result<Published> published() override;
  std::optional<std::uint64_t> size_bytes() const override;

 private:
  using SpecTexts = std::map<std::string, JobSpecPtr>;

  void collect_texts();
  Result<SpecTexts> read_texts();
  Result<History> read_history(const SpecTexts& texts);
  std::optional<std::string> put_text(const JobSpecPtr& spec);

  [[nodiscard]] const std::string& path() const { return connection_->path(); }

  template <typename Action>
  auto as_controller(const Action& action) -> decltype(action()) {
    if (role_ == Role::Controller) return guarded(path(), action);
    return Error{.kind = ErrorKind::Rejected,
                 .message = path() + ": only the controller writes its memory"};
  }

  std::string cluster_;
  Role role_;
  std::unique_ptr<Connection> connection_;
  StatusTable statuses_{*connection_, cluster_};
  bool collected_{false};

  Statement get_texts_{*connection_,
                       "SELECT digest, text FROM spec_text WHERE digest IN"
                       " (SELECT accepted FROM history WHERE cluster = ?1"
                       "  UNION SELECT submitted FROM history WHERE cluster = ?1)"};
  Statement put_text_{*connection_, "INSERT INTO spec_text VALUES (?, ?) ON CONFLICT DO NOTHING"};
  Statement get_history_{*connection_,
                         "SELECT namespace, name, record, accepted, submitted FROM history"
                         " WHERE cluster = ?"};
  Statement put_history_{*connection_, "INSERT OR REPLACE INTO history VALUES (?, ?, ?, ?, ?, ?)"};
  Statement drop_history_{*connection_,
                          "DELETE FROM history WHERE cluster = ? AND namespace = ? AND name = ?"};
  Statement get_requests_{*connection_,
                          "SELECT id, kind, namespace, name, at FROM request"
                          " WHERE cluster = ? ORDER BY id"};
  Statement put_request_{*connection_,
                         "INSERT INTO request (cluster, kind, namespace, name, at)"
                         " VALUES (?, ?, ?, ?, ?)"};
  Statement drop_request_{*connection_, "DELETE FROM request WHERE cluster = ? AND id = ?"};
};

Result<History> SqliteStore::load() {
  return guarded(path(), [&]() -> Result<History> {
    if (role_ == Role::Controller && !std::exchange(collected_, true)) collect_texts();
    // One transaction, so that texts and records are of the same state.
    Transaction transaction(*connection_, Transaction::Kind::Read);
    const auto texts = read_texts();
    if (!texts) return texts.error();
    return read_history(*texts);
  });
}

void SqliteStore::collect_texts() {
  const auto collected = guarded(path(), [&]() -> Result<Done> {
    connection_->execute(
        "DELETE FROM spec_text WHERE digest NOT IN"
        " (SELECT accepted FROM history WHERE accepted IS NOT NULL"
        "  UNION SELECT submitted FROM history WHERE submitted IS NOT NULL)");
    return Done{};
  });
  // Housekeeping only: memory can be read on a full disk, too.
  static_cast<void>(collected);
}

Result<SqliteStore::SpecTexts> SqliteStore::read_texts() {
  SpecTexts texts;
  Query rows(get_texts_, cluster_);
  while (rows.step()) {
    std::string digest = rows.text(0);
    const std::string text = rows.text(1);
    if (sha256_hex(text) != digest) return damaged(path(), "spec text " + digest + " has changed");
    JobSpecPtr spec = from_canonical(text);
    if (spec == nullptr) return damaged(path(), "spec text " + digest + " cannot be read");
    texts.emplace(std::move(digest), std::move(spec));
  }
  return texts;
}

Result<History> SqliteStore::read_history(const SpecTexts& texts) {
  History history;
  Query rows(get_history_, cluster_);
  while (rows.step()) {
    const SpecName name{rows.text(0), rows.text(1)};
    auto entry = history_from(rows.text(2));
    if (!entry) {
      return damaged(path(), "the record of " + to_text(name) + ": " + entry.error().message);
    }
    for (const auto& [column, spec] : {std::pair{3, &entry->accepted}, {4, &entry->submitted}}) {
      const auto digest = rows.text_if_any(column);
      if (!digest) continue;
      const auto text = texts.find(*digest);
      if (text == texts.end()) {
        return damaged(path(), "the spec text of " + to_text(name) + " is missing");
      }
      *spec = text->second;
    }
    history.emplace_hint(history.end(), name, std::move(*entry));
  }
  return history;
}

Result<Done> SqliteStore::save(const History& history, const std::vector<SpecName>& names) {
  return as_controller([&]() -> Result<Done> {
    if (names.empty()) return Done{};
    Transaction transaction(*connection_, Transaction::Kind::Write);
    for (const SpecName& name : names) {
      const auto found = history.find(name);
      if (found == history.end()) {
        Query(drop_history_, cluster_, name.name_space, name.name).run();
        continue;
      }
      const SpecHistory& entry = found->second;
      const auto accepted = put_text(entry.accepted);
      const auto submitted =
          entry.submitted == entry.accepted ? accepted : put_text(entry.submitted);
      Query(put_history_, cluster_, name.name_space, name.name, accepted, submitted,
            history_record(entry))
          .run();
    }
    transaction.commit();
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
  return guarded(path(), [&]() -> Result<std::vector<Request>> {
    std::vector<Request> requests;
    Query rows(get_requests_, cluster_);
    while (rows.step()) {
      const auto kind = request_kind_from(rows.text(1));
      if (!kind) {
        return damaged(path(),
                       "request " + std::to_string(rows.integer(0)) + " is of unknown kind");
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
  return guarded(path(), [&]() -> Result<Done> {
    Transaction transaction(*connection_, Transaction::Kind::Write);
    Query(put_request_, cluster_, request_word(request.kind), request.spec.name_space,
          request.spec.name, std::int64_t{request.at.time_since_epoch().count()})
        .run();
    transaction.commit();
    return Done{};
  });
}

Result<Done> SqliteStore::answered(const std::vector<Request>& requests) {
  return as_controller([&]() -> Result<Done> {
    if (requests.empty()) return Done{};
    Transaction transaction(*connection_, Transaction::Kind::Write);
    for (const Request& request : requests) Query(drop_request_, cluster_, request.id).run();
    transaction.commit();
    return Done{};
  });
}

Result<Done> SqliteStore::publish(const Published& published) {
  return as_controller([&]() -> Result<Done> {
    statuses_.write(published);
    return Done{};
  });
}

Result<Published> SqliteStore::published() {
  return guarded(path(), [&] { return statuses_.read(); });
}

std::optional<std::uint64_t> SqliteStore::size_bytes() const {
  struct stat file {};
  if (::stat(path().c_str(), &file) != 0) return std::nullopt;
  auto bytes = static_cast<std::uint64_t>(file.st_size);
  if (::stat((path() + "-wal").c_str(), &file) == 0) {
    bytes += static_cast<std::uint64_t>(file.st_size);
  }
  return bytes;
}

Result<std::unique_ptr<Store>> open_store(const std::string& directory, const std::string& cluster,
                                          Role role, const StoreLimits& limits) {
  auto connection = open_database(directory, limits.busy_timeout);
  if (!connection) return connection.error();
  return guarded(database_path(directory), [&]() -> Result<std::unique_ptr<Store>> {
    if (limits.max_pages > 0) {
      (*connection)->execute("PRAGMA max_page_count = " + std::to_string(limits.max_pages));
    }
    if (role == Role::Controller) {
      Statement know(**connection, "INSERT INTO cluster VALUES (?, NULL) ON CONFLICT DO NOTHING");
      Query(know, cluster).run();
    }
    return std::unique_ptr<Store>(
        std::make_unique<SqliteStore>(cluster, role, std::move(*connection)));
  });
}

}  // namespace

Result<std::unique_ptr<Store>> open_controller_store(const StateLock& lock,
                                                     const std::string& cluster,
                                                     const StoreLimits& limits) {
  return open_store(lock.directory(), cluster, Role::Controller, limits);
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
  const auto connection = open_database(directory, StoreLimits{}.busy_timeout);
  if (!connection) return connection.error();
  return guarded(database_path(directory), [&]() -> Result<std::vector<std::string>> {
    std::vector<std::string> clusters;
    Statement names(**connection, "SELECT name FROM cluster ORDER BY name");
    Query rows(names);
    while (rows.step()) clusters.push_back(rows.text(0));
    return clusters;
  });
}

Result<std::string> claim_controller_id(const StateLock& lock, const std::string& wanted) {
  const auto connection = open_database(lock.directory(), StoreLimits{}.busy_timeout);
  if (!connection) return connection.error();
  const auto claimed = guarded(database_path(lock.directory()), [&]() -> Result<Done> {
    Transaction transaction(**connection, Transaction::Kind::Write);
    Statement claim(**connection,
                    "INSERT INTO meta VALUES ('controllerId', ?) ON CONFLICT DO NOTHING");
    Query(claim, wanted).run();
    transaction.commit();
    return Done{};
  });
  if (!claimed) return claimed.error();
  return controller_id_in(lock.directory());
}

Result<std::string> controller_id_in(const std::string& directory) {
  const auto connection = open_database(directory, StoreLimits{}.busy_timeout);
  if (!connection) return connection.error();
  return guarded(database_path(directory), [&]() -> Result<std::string> {
    Statement get(**connection, "SELECT value FROM meta WHERE key = 'controllerId'");
    Query row(get);
    return row.step() ? row.text(0) : std::string();
  });
}

}  // namespace sconverge
