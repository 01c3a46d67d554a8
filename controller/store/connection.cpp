#include "controller/store/connection.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

namespace sconverge {

Connection::Connection(const std::string& path, milliseconds busy_timeout)
    : path_(path),
      database_(std::make_unique<SQLite::Database>(path,
                                                   SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX,
                                                   static_cast<int>(busy_timeout.count()))) {
  // The WAL file would keep the size of the largest save it ever held.
  execute("PRAGMA journal_size_limit = 16777216");
}

Connection::~Connection() = default;

void Connection::execute(const std::string& statements) { database_->exec(statements); }

std::string Connection::value(const std::string& query) {
  return database_->execAndGet(query).getString();
}

Statement::Statement(Connection& connection, const char* sql)
    : statement_(std::make_unique<SQLite::Statement>(*connection.database_, sql)) {}

Statement::~Statement() = default;

Query::~Query() { statement_.tryReset(); }

void Query::run() { statement_.exec(); }

bool Query::step() { return statement_.executeStep(); }

std::string Query::text(int column) const { return statement_.getColumn(column).getString(); }

std::int64_t Query::integer(int column) const { return statement_.getColumn(column).getInt64(); }

std::optional<std::string> Query::text_if_any(int column) const {
  if (statement_.isColumnNull(column)) return std::nullopt;
  return text(column);
}

void Query::bind(int index, const std::string& value) { statement_.bind(index, value); }

void Query::bind(int index, std::int64_t value) { statement_.bind(index, value); }

void Query::bind(int index, const std::optional<std::string>& value) {
  if (value) {
    statement_.bind(index, *value);
  } else {
    statement_.bind(index);
  }
}

Transaction::Transaction(Connection& connection, Kind kind) {
  if (kind != Kind::Read) {
    connection.execute(kind == Kind::Write ? "PRAGMA synchronous = FULL"
                                           : "PRAGMA synchronous = NORMAL");
  }
  // A write that began by reading could not wait for another's to end.
  transaction_ = std::make_unique<SQLite::Transaction>(
      *connection.database_, kind == Kind::Read ? SQLite::TransactionBehavior::DEFERRED
                                                : SQLite::TransactionBehavior::IMMEDIATE);
}

Transaction::~Transaction() = default;

void Transaction::commit() { transaction_->commit(); }

Error damaged(const std::string& path, const std::string& damage) {
  return {.kind = ErrorKind::Rejected,
          .message = path + " is damaged (" + damage +
                     "): restore it from a backup, or mend it with `sqlite3 state.db .recover`; "
                     "without it finished jobs would be run again"};
}

Error database_error(const std::string& path, const std::runtime_error& failure) {
  const auto* sqlite = dynamic_cast<const SQLite::Exception*>(&failure);
  const std::string what = failure.what();
  switch (sqlite == nullptr ? SQLITE_ERROR : sqlite->getErrorCode() & 0xff) {
    case SQLITE_FULL:
      return {.kind = ErrorKind::Unavailable,
              .message = path +
                         ": no space left to write: free some on its disk; nothing was "
                         "changed"};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {.kind = ErrorKind::Unavailable,
              .message = path +
                         " is locked by another program (a backup, an sqlite3 shell?): end "
                         "it; nothing was changed"};
    case SQLITE_NOTADB:
      return {.kind = ErrorKind::Rejected,
              .message = path +
                         " is not a state file of sconverge: give another directory with "
                         "--state, or move the file away"};
    case SQLITE_CORRUPT:
      return damaged(path, what);
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return {.kind = ErrorKind::Denied,
              .message = "cannot open " + path + " for writing (" + what +
                         "): run as the user that runs the controller, or mend the rights of the "
                         "file and its directory"};
    case SQLITE_IOERR:
      return {.kind = ErrorKind::Unavailable,
              .message = path + ": " + what + ": look at its disk, its room and the system's log"};
    default:
      return {.kind = ErrorKind::Unavailable, .message = path + ": " + what};
  }
}

}  // namespace sconverge
