#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "controller/core/result.h"
#include "controller/core/time.h"

namespace SQLite {
class Database;
}

namespace sconverge {

using DatabasePtr = std::unique_ptr<SQLite::Database>;

std::string database_path(const std::string& directory);

/// Makes an empty store if there is none, and proves that the one there can be used.
/// REQUIRES: the lock of `directory` is held, and this process has no connection to its store.
Result<Done> create_database(const std::string& directory);

/// REQUIRES: nothing; a store that does not exist, is foreign or of a newer release is an Error.
Result<DatabasePtr> open_database(const std::string& directory, milliseconds busy_timeout);

/// What an exception of SQLite means to people.
Error database_error(const std::string& path, const std::runtime_error& failure);

/// `damage` is a clause, e.g. "the record of vision/train: ...".
Error damaged(const std::string& path, const std::string& damage);

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
