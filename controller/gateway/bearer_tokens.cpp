#include "controller/gateway/bearer_tokens.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "controller/ports/changing_file.h"

namespace sconverge {
namespace {

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
  FileTokens(std::string file, Tell tell, TokenReader reader)
      : file_(std::move(file)), tell_(std::move(tell)), reader_(reader) {}

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

  /// What there is to tell of it.
  Result<TokensNews> reload() {
    // Before the reading, like the stamp of one that succeeds.
    const std::string before = stamp_of(file_);
    auto read = read_changing_file(file_);
    stamp_ = read ? read->stamp : before;
    if (!read) {
      return Error{ErrorKind::Rejected, "tokens file " + file_ + " " + read.error().message};
    }
    auto tokens = reader_(read->text, file_);
    if (!tokens) return tokens.error();
    entries_ = std::make_shared<const std::vector<TokenEntry>>(std::move(tokens->entries));
    std::string warning;
    if (entries_->empty()) {
      warning = "tokens file " + file_ + " has no tokens, so that every request is refused";
    } else if (tokens->plain && read->world_readable) {
      warning = "tokens file " + file_ +
                " holds tokens that everybody on this machine can read; run chmod o-r on it";
    }
    return TokensNews{true, entries_->size(), warning};
  }

  void tell(const TokensNews& news) const {
    if (tell_) tell_(news);
  }

 private:
  using Entries = std::shared_ptr<const std::vector<TokenEntry>>;

  Entries current() {
    const std::lock_guard lock(mutex_);
    if (stamp_of(file_) != stamp_) {
      const auto news = reload();
      tell(news ? *news : TokensNews{false, entries_->size(), news.error().message});
    }
    return entries_;
  }

  const std::string file_;
  const Tell tell_;
  const TokenReader reader_;
  std::mutex mutex_{};
  std::string stamp_{};
  Entries entries_{std::make_shared<const std::vector<TokenEntry>>()};
};

}  // namespace

Result<std::unique_ptr<BearerTokens>> BearerTokens::open(const std::string& file, Tell tell,
                                                         TokenReader reader) {
  auto tokens = std::make_unique<FileTokens>(file, std::move(tell), reader);
  const auto news = tokens->reload();
  if (!news) return news.error();
  tokens->tell(*news);
  return std::unique_ptr<BearerTokens>(std::move(tokens));
}

}  // namespace sconverge
