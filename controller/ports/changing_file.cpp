#include "controller/ports/changing_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace sconverge {
namespace {

constexpr std::size_t kMostBytes = 1024 * 1024;

Error denied(const std::string& why) { return {ErrorKind::Denied, why}; }

class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

std::string stamp_text(const struct stat& state) {
  std::string text;
  for (const auto number :
       {static_cast<long long>(state.st_dev), static_cast<long long>(state.st_ino),
        static_cast<long long>(state.st_size), static_cast<long long>(state.st_mtim.tv_sec),
        static_cast<long long>(state.st_mtim.tv_nsec), static_cast<long long>(state.st_ctim.tv_sec),
        static_cast<long long>(state.st_ctim.tv_nsec)}) {
    text += std::to_string(number) + " ";
  }
  return text;
}

std::string reason() { return std::string("cannot be read: ") + std::strerror(errno); }

}  // namespace

Result<ChangingFile> read_changing_file(const std::string& path) {
  const OpenFile file(path);
  struct stat state {};
  if (file.descriptor() < 0 || fstat(file.descriptor(), &state) != 0) return denied(reason());
  if (!S_ISREG(state.st_mode)) return denied("is not a regular file");
  ChangingFile found{{}, stamp_text(state), (state.st_mode & S_IROTH) != 0};
  char buffer[4096];
  for (;;) {
    const ssize_t size = read(file.descriptor(), buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return denied(reason());
    if (size == 0) return found;
    found.text.append(buffer, static_cast<std::size_t>(size));
    if (found.text.size() > kMostBytes) return denied("is larger than 1 MiB");
  }
}

std::string stamp_of(const std::string& path) {
  struct stat state {};
  return stat(path.c_str(), &state) == 0 ? stamp_text(state) : "not there";
}

}  // namespace sconverge
