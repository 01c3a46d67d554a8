#include "controller/gateway/bearer_tokens.h"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <tuple>
#include <utility>

namespace sconverge {
namespace {

constexpr std::size_t kMostBytes = 1024 * 1024;

/// Tells one state of a file from another. All zero: there is none.
struct Stamp {
  dev_t device{0};
  ino_t inode{0};
  off_t size{0};
  time_t changed{0};
  long changed_ns{0};  // NOLINT(google-runtime-int): as in struct timespec

  friend bool operator==(const Stamp&, const Stamp&) = default;
};

Stamp stamp_of(const struct stat& state) {
  return {state.st_dev, state.st_ino, state.st_size, state.st_ctim.tv_sec, state.st_ctim.tv_nsec};
}

Stamp stamp_of(const std::string& file) {
  struct stat state {};
  return ::stat(file.c_str(), &state) == 0 ? stamp_of(state) : Stamp{};
}

class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

struct TokensText {
  std::string text{};
  Stamp stamp{};
  bool world_readable{false};
};

Result<TokensText> read_file(const std::string& file) {
  const auto unreadable = [&](const std::string& why) {
    return Error{ErrorKind::Rejected, "tokens file " + file + " cannot be read: " + why};
  };
  const OpenFile source(file);
  struct stat state {};
  if (source.descriptor() < 0 || ::fstat(source.descriptor(), &state) != 0) {
    return unreadable(std::strerror(errno));
  }
  if (!S_ISREG(state.st_mode)) return unreadable("it is not a regular file");
  // The stamp is from before the reading: a change in between is seen as one next time.
  TokensText result{{}, stamp_of(state), (state.st_mode & S_IROTH) != 0};
  std::array<char, 16384> part{};
  for (;;) {
    const ssize_t size = ::read(source.descriptor(), part.data(), part.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return unreadable(std::strerror(errno));
    if (size == 0) return result;
    result.text.append(part.data(), static_cast<std::size_t>(size));
    if (result.text.size() > kMostBytes) return unreadable("it is larger than 1 MiB");
  }
}

/// The token in "Bearer TOKEN" (RFC 6750; the scheme in any case, RFC 9110).
std::optional<std::string_view> token_in(std::string_view authorization) {
  constexpr std::string_view scheme = "bearer ";
  const auto same = [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  };
  if (authorization.size() <= scheme.size() ||
      !std::equal(scheme.begin(), scheme.end(), authorization.begin(),
                  [&](char wanted, char given) { return same(given, wanted); })) {
    return std::nullopt;
  }
  std::string_view token = authorization.substr(scheme.size());
  token.remove_prefix(std::min(token.find_first_not_of(' '), token.size()));
  const bool visible =
      std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < 0x7F; });
  if (token.empty() || !visible) return std::nullopt;
  return token;
}

class FileTokens final : public BearerTokens {
 public:
  FileTokens(std::string file, Tell tell) : file_(std::move(file)), tell_(std::move(tell)) {}

  std::optional<Bearer> bearer_of(std::string_view authorization) override {
    const auto entries = current();
    const auto token = token_in(authorization);
    if (!token) return std::nullopt;
    const Sha256 digest = sha256_of(*token);
    const TokenEntry* found = nullptr;
    // To the end of the list, so that the time does not tell where a token stands.
    for (const TokenEntry& entry : *entries) {
      if (CRYPTO_memcmp(entry.digest.data(), digest.data(), digest.size()) == 0) found = &entry;
    }
    if (found == nullptr) return std::nullopt;
    return Bearer{found->name, found->permission};
  }

  Result<Done> reload() {
    // Before the reading, like the stamp of one that succeeds.
    const Stamp before = stamp_of(file_);
    auto read = read_file(file_);
    stamp_ = read ? read->stamp : before;
    if (!read) return fail(read.error());
    auto tokens = read_token_entries(read->text, file_);
    if (!tokens) return fail(tokens.error());
    entries_ = std::make_shared<const std::vector<TokenEntry>>(std::move(tokens->entries));
    std::string warning;
    if (entries_->empty()) {
      warning = "tokens file " + file_ + " has no tokens, so that every request is refused";
    } else if (tokens->plain && read->world_readable) {
      warning = "tokens file " + file_ +
                " holds tokens that everybody on this machine can read; run chmod o-r on it, or "
                "write sha256 in place of token";
    }
    tell({true, entries_->size(), warning});
    return Done{};
  }

 private:
  using Entries = std::shared_ptr<const std::vector<TokenEntry>>;

  Entries current() {
    const std::lock_guard lock(mutex_);
    if (stamp_of(file_) != stamp_) static_cast<void>(reload());
    return entries_;
  }

  Result<Done> fail(Error error) {
    tell({false, entries_->size(), error.message});
    return error;
  }

  void tell(const TokensNews& news) const {
    if (tell_) tell_(news);
  }

  const std::string file_;
  const Tell tell_;
  std::mutex mutex_{};
  Stamp stamp_{};
  Entries entries_{std::make_shared<const std::vector<TokenEntry>>()};
};

}  // namespace

Result<std::unique_ptr<BearerTokens>> BearerTokens::open(const std::string& file, Tell tell) {
  auto tokens = std::make_unique<FileTokens>(file, std::move(tell));
  if (const auto read = tokens->reload(); !read) return read.error();
  return std::unique_ptr<BearerTokens>(std::move(tokens));
}

}  // namespace sconverge
