#include "controller/slurm/token.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "controller/slurm/wire_claims.h"

namespace sconverge {
namespace {

constexpr std::size_t kMaxTokenBytes = 64 * 1024;

Error denied(const std::string& message) { return {ErrorKind::Denied, message}; }

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

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// It goes into a header, so nothing but visible ASCII may be in it.
bool fits_a_header(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7F; });
}

}  // namespace

Result<Token> TokenSource::current() {
  const std::lock_guard lock(mutex_);
  struct stat now {};
  const bool unchanged = token_ && stamp_ && stat(file_.c_str(), &now) == 0 &&
                         now.st_dev == stamp_->device && now.st_ino == stamp_->inode &&
                         now.st_size == stamp_->size &&
                         now.st_ctim.tv_sec == stamp_->changed.tv_sec &&
                         now.st_ctim.tv_nsec == stamp_->changed.tv_nsec;
  if (unchanged) return *token_;
  return read_locked();
}

bool TokenSource::renew(unsigned used) {
  const std::lock_guard lock(mutex_);
  return read_locked().ok() && token_->number > used;
}

std::optional<Token> TokenSource::last() const {
  const std::lock_guard lock(mutex_);
  return token_;
}

Result<Token> TokenSource::read_locked() {
  if (file_.empty()) {
    const char* variable = std::getenv("SLURM_JWT");
    return adopt_locked(variable != nullptr ? variable : "", "the variable SLURM_JWT");
  }
  const std::string source = "token file \"" + file_ + "\"";
  const OpenFile file(file_);
  struct stat state {};
  if (file.descriptor() < 0 || fstat(file.descriptor(), &state) != 0) {
    return denied(source + " cannot be read: " + std::strerror(errno));
  }
  if (!S_ISREG(state.st_mode)) return denied(source + " is not a regular file");
  std::string text(kMaxTokenBytes, '\0');
  const ssize_t size = read(file.descriptor(), text.data(), text.size());
  if (size < 0) return denied(source + " cannot be read: " + std::strerror(errno));
  text.resize(static_cast<std::size_t>(size));
  // Taken before the text was read: a change in between is seen as one next time.
  stamp_ = Stamp{state.st_dev, state.st_ino, state.st_size, state.st_ctim};
  return adopt_locked(text, source);
}

Result<Token> TokenSource::adopt_locked(const std::string& text, const std::string& source) {
  std::string_view word = trimmed(text);
  // As "scontrol token" prints it.
  constexpr std::string_view kPrefix = "SLURM_JWT=";
  if (word.starts_with(kPrefix)) word.remove_prefix(kPrefix.size());
  if (word.empty()) {
    token_.reset();
    return denied(source + " holds no token; write one with \"scontrol token\"");
  }
  if (!fits_a_header(word)) {
    token_.reset();
    return denied(source + " holds something that is not a single token");
  }
  if (token_ && token_->text == word) return *token_;
  const TokenClaims claims = claims_of_jwt(word);
  token_ = Token{std::string(word), ++count_, claims.expiry, claims.user};
  return *token_;
}

}  // namespace sconverge
