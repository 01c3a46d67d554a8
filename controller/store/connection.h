#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "controller/core/result.h"
#include "controller/core/time.h"

namespace SQLite {
class Database;
class Statement;
class Transaction;
}  // namespace SQLite

namespace sconverge {

// SQLite in our words. What fails throws SQLite's exception, a std::runtime_error, to be caught by
// `guarded` in the function that serves a port.

/// A connection to an existing file. One thread.
class Connection {
 public:
  Connection(const std::string& path, milliseconds busy_timeout);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  void execute(const std::string& statements);
  /// The first value of the first row. REQUIRES: there is one.
  std::string value(const std::string& query);

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  friend class Statement;
  friend class Transaction;
  std::string path_;
  std::unique_ptr<SQLite::Database> database_;
};

/// A statement compiled once, used by many Queries. The connection must outlive it.
class Statement {
 public:
  Statement(Connection& connection, const char* sql);
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement();

 private:
  friend class Query;
  std::unique_ptr<SQLite::Statement> statement_;
};

/// One use of a statement; several at once of the same one are not possible.
class Query {
 public:
  template <typename... Arguments>
  explicit Query(Statement& statement, const Arguments&... arguments)
      : statement_(*statement.statement_) {
    int index = 0;
    (bind(++index, arguments), ...);
  }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;
  ~Query();

  /// For statements without rows.
  void run();
  /// Goes to the next row; false if there is none.
  bool step();
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::optional<std::string> text_if_any(int column) const;

 private:
  void bind(int index, const std::string& value);
  void bind(int index, std::int64_t value);
  void bind(int index, const std::optional<std::string>& value);

  SQLite::Statement& statement_;
};

/// Rolled back unless committed.
class Transaction {
 public:
  enum class Kind {
    Read,
    Write,         ///< after the commit, it survives a power cut
    CarelessWrite  ///< the last ones may be lost by a power cut, but nothing is damaged
  };
  Transaction(Connection& connection, Kind kind);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  std::unique_ptr<SQLite::Transaction> transaction_;
};

/// `path` is damaged: `damage` is a clause, e.g. "the record of vision/train: ...".
Error damaged(const std::string& path, const std::string& damage);

/// What an exception of SQLite means to people.
Error database_error(const std::string& path, const std::runtime_error& failure);

/// Calls `action` and turns an exception of SQLite into an Error about `path`.
template <typename Action>
auto guarded(const std::string& path, const Action& action) -> decltype(action()) {
  try {
    return action();
  } catch (const std::runtime_error& failure) {
    return database_error(path, failure);
  }
}

}  // namespace sconverge
