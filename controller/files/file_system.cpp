#include "controller/files/file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <string_view>
#include <system_error>

namespace sconverge {
namespace {

int or_errno(int result) { return result < 0 ? -errno : result; }

std::int64_t nanoseconds_of(const struct timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

// statfs(2): f_type of file systems whose server stamps the files.
constexpr std::array<std::uint32_t, 10> kRemoteTypes = {
    0x6969,      // NFS
    0xFF534D42,  // CIFS
    0xFE534D42,  // SMB2
    0x517B,      // SMB
    0x65735546,  // FUSE
    0x01021997,  // 9p
    0x00C36400,  // Ceph
    0x0BD00BD0,  // Lustre
    0x5346414F,  // AFS
    0x47504653,  // GPFS
};

}  // namespace

UniqueFd& UniqueFd::operator=(UniqueFd&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

UniqueFd::~UniqueFd() {
  if (fd_ >= 0) ::close(fd_);
}

Signature signature_of(const struct stat& stat) {
  return {static_cast<std::uint64_t>(stat.st_dev), static_cast<std::uint64_t>(stat.st_ino),
          static_cast<std::int64_t>(stat.st_size), nanoseconds_of(stat.st_mtim),
          nanoseconds_of(stat.st_ctim)};
}

int FileSystem::open_at(int directory, const std::string& path, int flags) {
  return or_errno(::openat(directory, path.c_str(), flags | O_CLOEXEC));
}

int FileSystem::open_beneath(int root, const std::string& path, int flags) {
  struct open_how how {};
  how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC | O_NOFOLLOW);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
  const long fd = ::syscall(SYS_openat2, root, path.c_str(), &how, sizeof how);
  if (fd >= 0) return static_cast<int>(fd);
  // Sandboxes written before openat2 answer EPERM to what they do not know.
  if (errno == ENOSYS || errno == EPERM) return open_component_wise(root, path, flags);
  return -errno;
}

int FileSystem::stat_at(int directory, const std::string& path, bool follow, struct stat& out) {
  return or_errno(::fstatat(directory, path.c_str(), &out, follow ? 0 : AT_SYMLINK_NOFOLLOW));
}

int FileSystem::stat_open(int fd, struct stat& out) { return or_errno(::fstat(fd, &out)); }

int FileSystem::read_link(int directory, const std::string& path, std::string& target) {
  std::array<char, 4096> buffer{};
  const ssize_t size = ::readlinkat(directory, path.c_str(), buffer.data(), buffer.size());
  if (size < 0) return -errno;
  if (static_cast<std::size_t>(size) == buffer.size()) return -ENAMETOOLONG;
  target.assign(buffer.data(), static_cast<std::size_t>(size));
  return 0;
}

int FileSystem::list(int fd, std::vector<DirectoryItem>& items) {
  const int copy = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return -errno;
  DIR* const directory = ::fdopendir(copy);
  if (directory == nullptr) {
    const int error = errno;
    ::close(copy);
    return -error;
  }
  items.clear();
  errno = 0;
  while (const dirent* item = ::readdir(directory)) {
    const std::string_view name = item->d_name;
    if (name != "." && name != "..") items.push_back({std::string(name), item->d_type});
    errno = 0;
  }
  const int error = errno;
  ::closedir(directory);
  std::sort(items.begin(), items.end(),
            [](const DirectoryItem& a, const DirectoryItem& b) { return a.name < b.name; });
  return -error;
}

ssize_t FileSystem::read(int fd, char* buffer, std::size_t size) {
  while (true) {
    const ssize_t count = ::read(fd, buffer, size);
    if (count >= 0) return count;
    if (errno != EINTR) return -errno;
  }
}

int FileSystem::is_remote(int fd, bool& remote) {
  struct statfs info {};
  if (::fstatfs(fd, &info) < 0) return -errno;
  const auto type = static_cast<std::uint32_t>(info.f_type);
  remote = std::find(kRemoteTypes.begin(), kRemoteTypes.end(), type) != kRemoteTypes.end();
  return 0;
}

int open_component_wise(int root, const std::string& path, int flags) {
  std::vector<std::string> names = components_of(path);
  if (names.empty()) return -ENOENT;
  if (path.front() == '/') return -EXDEV;
  if (std::find(names.begin(), names.end(), "..") != names.end()) return -EXDEV;
  const std::string last = std::move(names.back());
  names.pop_back();
  UniqueFd held;
  int directory = root;
  for (const std::string& name : names) {
    const int next =
        ::openat(directory, name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (next < 0) return -errno;
    held = UniqueFd(next);
    directory = held.get();
  }
  return or_errno(::openat(directory, last.c_str(), flags | O_NOFOLLOW | O_CLOEXEC));
}

int read_text(FileSystem& files, int fd, std::size_t limit, std::string& text) {
  text.clear();
  std::array<char, 65536> buffer{};
  while (text.size() < limit) {
    const std::size_t wanted = std::min(buffer.size(), limit - text.size());
    const ssize_t count = files.read(fd, buffer.data(), wanted);
    if (count < 0) return static_cast<int>(count);
    if (count == 0) return 0;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return 0;
}

std::string error_text(int error) {
  std::string text = std::generic_category().message(error);
  if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])) != 0) {
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  }
  return text;
}

std::string join_path(const std::string& a, const std::string& b) {
  if (a.empty()) return b;
  std::string path;
  path.reserve(a.size() + 1 + b.size());
  path += a;
  if (a.back() != '/') path += '/';
  path += b;
  return path;
}

std::string parent_path(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::vector<std::string> components_of(const std::string& path) {
  std::vector<std::string> names;
  std::size_t begin = 0;
  while (begin < path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (end > begin) names.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

}  // namespace sconverge
