#include <mutex>
#include <utility>

#include "controller/google/credentials.h"
#include "controller/google/plain_line.h"
#include "controller/ports/changing_file.h"

namespace sconverge {
namespace {

class TokenFile : public AccessTokens {
 public:
  explicit TokenFile(std::string file) : file_(std::move(file)) {}

  Result<AccessToken> current() override {
    const std::lock_guard lock(mutex_);
    if (token_ && stamp_of(file_) == stamp_) return *token_;
    return read_locked();
  }

  bool renew(unsigned used) override {
    const std::lock_guard lock(mutex_);
    const auto token = read_locked();
    return token && token->number > used;
  }

  std::optional<TimePoint> expiry() const override { return std::nullopt; }
  std::string text() const override { return "the token in " + file_; }
  std::string quota_project() const override { return ""; }

 private:
  Result<AccessToken> read_locked() {
    const auto denied = [&](const std::string& why) {
      token_.reset();
      return Error{ErrorKind::Denied, "token file \"" + file_ + "\" " + why};
    };
    const auto file = read_changing_file(file_);
    if (!file) return denied(file.error().message);
    const std::string_view word = trimmed(file->text);
    if (word.empty()) return denied("holds no token; write one into it");
    if (!fits_a_header(word)) return denied("holds something that is not a single token");
    stamp_ = file->stamp;
    if (word != last_text_) ++count_;
    last_text_ = word;
    token_ = AccessToken{last_text_, count_, std::nullopt};
    return *token_;
  }

  const std::string file_;
  mutable std::mutex mutex_{};
  std::string stamp_{};
  std::optional<AccessToken> token_{};
  std::string last_text_{};
  unsigned count_{0};
};

}  // namespace

std::unique_ptr<AccessTokens> make_token_file(std::string file) {
  return std::make_unique<TokenFile>(std::move(file));
}

}  // namespace sconverge
