#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sconverge {

/// Owns a file descriptor.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept;
  UniqueFd(const UniqueFd&) = delete;
  UniqueFd& operator=(const UniqueFd&) = delete;
  ~UniqueFd();

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool is_open() const { return fd_ >= 0; }

 private:
  int fd_{-1};
};

/// Tells one state of a file from another without reading it.
struct Signature {
  std::uint64_t device{0};
  std::uint64_t inode{0};
  std::int64_t size{0};
  std::int64_t mtime_ns{0};
  std::int64_t ctime_ns{0};

  friend bool operator==(const Signature&, const Signature&) = default;
};

Signature signature_of(const struct stat& stat);

struct DirectoryItem {
  std::string name;
  unsigned char type;  ///< DT_REG, DT_LNK, ...; DT_UNKNOWN where the file system does not tell
};

/// The system calls a snapshot is made of, so that tests can fail any of them. All return zero (or
/// a descriptor, or a count), or a negative errno.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  virtual int open_at(int directory, const std::string& path, int flags);

  /// Opens `path` below the directory `root`; no component of it may be a link or "..".
  virtual int open_beneath(int root, const std::string& path, int flags);

  /// `follow`: of what a link leads to, not of the link.
  virtual int stat_at(int directory, const std::string& path, bool follow, struct stat& out);
  virtual int stat_open(int fd, struct stat& out);
  virtual int read_link(int directory, const std::string& path, std::string& target);

  /// All names but "." and "..", sorted.
  virtual int list(int fd, std::vector<DirectoryItem>& items);
  virtual ssize_t read(int fd, char* buffer, std::size_t size);

  /// Whether timestamps are made by another machine's clock (NFS, SMB, FUSE, 9p, Ceph, Lustre...).
  virtual int is_remote(int fd, bool& remote);
};

/// `open_beneath` without openat2(2), for kernels and sandboxes that lack it: component by
/// component.
int open_component_wise(int root, const std::string& path, int flags);

/// Reads up to `limit` bytes. Zero or a negative errno.
int read_text(FileSystem& files, int fd, std::size_t limit, std::string& text);

/// The system's text for an errno, e.g. "permission denied".
std::string error_text(int error);

/// "a/b"; `b` alone if `a` is empty.
std::string join_path(const std::string& a, const std::string& b);

/// Everything before the last "/"; empty if there is none.
std::string parent_path(const std::string& path);

/// The non-empty components.
std::vector<std::string> components_of(const std::string& path);

}  // namespace sconverge
