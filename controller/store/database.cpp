#include "controller/store/database.h"

#include <fcntl.h>
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

/// Changes nothing in the file.
Result<Contents> identify(Connection& database) {
  const std::string& path = database.path();
  const std::string application = database.value("PRAGMA application_id");
  if (application == "0" && database.value("SELECT count(*) FROM sqlite_schema") == "0") {
    return Contents::Nothing;
  }
  if (application != std::to_string(kApplicationId)) {
    return Error{.kind = ErrorKind::Rejected,
                 .message = path +
                            " is a database of another program: give another directory "
                            "with --state, or move the file away"};
  }
  const int format = std::stoi(database.value("PRAGMA user_version"));
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

void create_schema(Connection& database) {
  database.execute("PRAGMA journal_mode = WAL");
  Transaction transaction(database, Transaction::Kind::Write);
  database.execute(kSchema);
  database.execute("PRAGMA application_id = " + std::to_string(kApplicationId));
  database.execute("PRAGMA user_version = " + std::to_string(kFormat));
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
    Connection database(path, seconds{10});
    const auto contents = identify(database);
    if (!contents) return contents.error();
    if (*contents == Contents::Nothing) create_schema(database);
    const std::string verdict = database.value("PRAGMA quick_check(1)");
    if (verdict != "ok") return damaged(path, verdict);
    return Done{};
  });
}

Result<std::unique_ptr<Connection>> open_database(const std::string& directory,
                                                  milliseconds busy_timeout) {
  const std::string path = database_path(directory);
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0 && (errno == ENOENT || errno == ENOTDIR)) {
    return no_state(directory);
  }
  return guarded(path, [&]() -> Result<std::unique_ptr<Connection>> {
    auto database = std::make_unique<Connection>(path, busy_timeout);
    const auto contents = identify(*database);
    if (!contents) return contents.error();
    if (*contents == Contents::Nothing) return no_state(directory);
    return database;
  });
}

}  // namespace sconverge
