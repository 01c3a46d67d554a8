#include "controller/slurm/token.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "controller/ports/changing_file.h"
#include "controller/slurm/wire_claims.h"

namespace sconverge {
namespace {

Error denied(const std::string& message) { return {ErrorKind::Denied, message}; }

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
  if (token_ && !file_.empty() && stamp_of(file_) == stamp_) return *token_;
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
  const auto file = read_changing_file(file_);
  if (!file) return denied(source + " " + file.error().message);
  stamp_ = file->stamp;
  return adopt_locked(file->text, source);
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
