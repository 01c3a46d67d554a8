#include "controller/store/database.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace sconverge {
namespace {

/// "scnv": tells our files from any other program's.
constexpr int kApplicationId = 0x73636e76;
constexpr int kFormat = 1;

constexpr const char* kSchema = R"(
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE cluster (name TEXT PRIMARY KEY, published TEXT) WITHOUT ROWID;
CREATE TABLE spec_text (digest TEXT PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE history (
  cluster TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
  accepted TEXT, submitted TEXT, record TEXT NOT NULL,
  PRIMARY KEY (cluster, namespace, name)) WITHOUT ROWID;
CREATE TABLE request (
  id INTEGER PRIMARY KEY AUTOINCREMENT, cluster TEXT NOT NULL, kind TEXT NOT NULL,
  namespace TEXT NOT NULL, name TEXT NOT NULL, at INTEGER NOT NULL);
CREATE TABLE status (
  cluster TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL, record TEXT NOT NULL,
  PRIMARY KEY (cluster, namespace, name)) WITHOUT ROWID;
)";

enum class Contents { Nothing, Ours };

int number(SQLite::Database& database, const char* query) {
  return database.execAndGet(query).getInt();
}

/// Changes nothing in the file.
Result<Contents> identify(SQLite::Database& database, const std::string& path) {
  const int application = number(database, "PRAGMA application_id");
  if (application == 0 && number(database, "SELECT count(*) FROM sqlite_schema") == 0) {
    return Contents::Nothing;
  }
  if (application != kApplicationId) {
    return Error{.kind = ErrorKind::Rejected,
                 .message = path +
                            " is a database of another program: give another directory "
                            "with --state, or move the file away"};
  }
  const int format = number(database, "PRAGMA user_version");
  if (format > kFormat) {
    return Error{.kind = ErrorKind::Rejected,
                 .message = path + " was written by a newer sconverge (format " +
                            std::to_string(format) + ", this one knows up to " +
                            std::to_string(kFormat) +
                            "): install that release again, or give another directory with "
                            "--state"};
  }
  if (format != kFormat) {
    return damaged(path, "format " + std::to_string(format) + " was never released");
  }
  return Contents::Ours;
}

DatabasePtr connect(const std::string& path, milliseconds busy_timeout) {
  auto database = std::make_unique<SQLite::Database>(
      path, SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX, static_cast<int>(busy_timeout.count()));
  // The WAL file would keep the size of the largest save it ever held.
  database->exec("PRAGMA journal_size_limit = 16777216");
  return database;
}

void create_schema(SQLite::Database& database) {
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = FULL");
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  database.exec(kSchema);
  database.exec("PRAGMA application_id = " + std::to_string(kApplicationId));
  database.exec("PRAGMA user_version = " + std::to_string(kFormat));
  transaction.commit();
}

/// SQLite would create the file readable by others, and takes the rights of its side files from it.
Result<Done> create_file(const std::string& path) {
  struct stat wal {};
  if (::stat((path + "-wal").c_str(), &wal) == 0 && wal.st_size > 0) {
    // SQLite would delete the WAL of an empty database, and with it what may be mended.
    return Error{.kind = ErrorKind::Rejected,
                 .message = path + " is missing, but " + path +
                            "-wal is there: put the file back, or restore both from a backup, or "
                            "move the -wal away to start anew"};
  }
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    return Error{.kind = errno == EACCES ? ErrorKind::Denied : ErrorKind::Unavailable,
                 .message = "cannot create " + path + ": " + std::strerror(errno)};
  }
  ::close(descriptor);
  return Done{};
}

Error no_state(const std::string& directory) {
  return Error{.kind = ErrorKind::Rejected,
               .message = "no state in " + directory +
                          ": has `sconverge run` been started with this --state?"};
}

}  // namespace

std::string database_path(const std::string& directory) { return directory + "/state.db"; }

Result<Done> create_database(const std::string& directory) {
  const std::string path = database_path(directory);
  struct stat file {};
  const bool exists = ::stat(path.c_str(), &file) == 0;
  if (!exists) {
    if (auto created = create_file(path); !created) return created;
  } else if (S_ISREG(file.st_mode) && (file.st_mode & 0077U) != 0) {
    ::chmod(path.c_str(), 0600);
  }
  return guarded(path, [&]() -> Result<Done> {
    const DatabasePtr database = connect(path, seconds{10});
    const auto contents = identify(*database, path);
    if (!contents) return contents.error();
    if (*contents == Contents::Nothing) create_schema(*database);
    const std::string verdict = database->execAndGet("PRAGMA quick_check(1)").getString();
    if (verdict != "ok") return damaged(path, verdict);
    return Done{};
  });
}

Result<DatabasePtr> open_database(const std::string& directory, milliseconds busy_timeout) {
  const std::string path = database_path(directory);
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0 && (errno == ENOENT || errno == ENOTDIR)) {
    return no_state(directory);
  }
  return guarded(path, [&]() -> Result<DatabasePtr> {
    DatabasePtr database = connect(path, busy_timeout);
    const auto contents = identify(*database, path);
    if (!contents) return contents.error();
    if (*contents == Contents::Nothing) return no_state(directory);
    return database;
  });
}

Error damaged(const std::string& path, const std::string& damage) {
  return Error{.kind = ErrorKind::Rejected,
               .message = path + " is damaged (" + damage +
                          "): restore it from a backup, or mend it with `sqlite3 state.db "
                          ".recover`; without it finished jobs would be run again"};
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
    default:
      return {.kind = ErrorKind::Unavailable, .message = path + ": " + what};
  }
}

}  // namespace sconverge
