#include "controller/store/state_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "controller/store/database.h"

namespace sconverge {
namespace {

Error failed(const std::string& doing, const std::string& path, int error) {
  const bool denied = error == EACCES || error == EPERM || error == EROFS;
  return Error{.kind = denied ? ErrorKind::Denied : ErrorKind::Unavailable,
               .message = "cannot " + doing + " " + path + ": " + std::strerror(error) +
                          ": the state directory (--state) must be writable by the user that runs "
                          "sconverge"};
}

Error is_a_file(const std::string& path) {
  return Error{.kind = ErrorKind::Rejected,
               .message = path + " is not a directory: give a directory with --state"};
}

/// A directory that a power cut can take away again would take the store with it.
void sync_entry(const std::string& parent) {
  const int descriptor = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

Result<Done> make_directory(const std::filesystem::path& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) == 0) {
    if (S_ISDIR(found.st_mode)) return Done{};
    return is_a_file(path);
  }
  const std::filesystem::path parent = path.has_parent_path() ? path.parent_path() : ".";
  if (errno == ENOENT && parent != path && !path.empty()) {
    if (auto made = make_directory(parent); !made) return made;
  }
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    return errno == ENOTDIR ? is_a_file(parent) : failed("create the directory", path, errno);
  }
  sync_entry(parent);
  return Done{};
}

/// "process 1234 on host" as its holder wrote it, and nothing that could upset a terminal.
std::string holder(int descriptor) {
  std::array<char, 128> buffer{};
  const ssize_t length = ::pread(descriptor, buffer.data(), buffer.size(), 0);
  std::string text;
  for (ssize_t i = 0; i < length && buffer[static_cast<std::size_t>(i)] != '\n'; ++i) {
    const auto c = static_cast<unsigned char>(buffer[static_cast<std::size_t>(i)]);
    text += std::isprint(c) != 0 ? static_cast<char>(c) : '?';
  }
  return text.empty() ? "a process that has just started" : text;
}

bool write_holder(int descriptor) {
  std::array<char, 65> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host = {"unknown"};
  const std::string text =
      "process " + std::to_string(::getpid()) + " on " + std::string(host.data()) + "\n";
  return ::ftruncate(descriptor, 0) == 0 &&
         ::pwrite(descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
}

}  // namespace

StateLock::StateLock(std::string directory, int descriptor)
    : directory_(std::move(directory)), descriptor_(descriptor) {}

StateLock::StateLock(StateLock&& other) noexcept
    : directory_(std::move(other.directory_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

StateLock& StateLock::operator=(StateLock&& other) noexcept {
  std::swap(directory_, other.directory_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

StateLock::~StateLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<StateLock> lock_state(const std::string& directory) {
  if (auto made = make_directory(directory); !made) return made.error();
  const std::string path = directory + "/lock";
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return failed("open", path, errno);
  StateLock lock(directory, descriptor);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return failed("lock", path, errno);
    return Error{.kind = ErrorKind::Denied,
                 .message = "state directory " + directory + " is in use by " + holder(descriptor) +
                            ": stop that controller, or give this one a directory of its own with "
                            "--state"};
  }
  if (!write_holder(descriptor)) return failed("write", path, errno);
  if (auto created = create_database(directory); !created) return created.error();
  return lock;
}

}  // namespace sconverge
