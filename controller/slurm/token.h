#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "controller/core/result.h"
#include "controller/core/time.h"

namespace sconverge {

/// A JWT for Slurm, as it was read. Never to be logged or shown.
struct Token {
  std::string text{};
  unsigned number{0};  ///< counts the different tokens read
  std::optional<TimePoint> expiry{};
  std::string user{};  ///< whose it says it is; empty if it does not say
};

/// Where tokens come from: a file, which may be replaced under us at any time, or the variable
/// SLURM_JWT. Thread-safe.
class TokenSource {
 public:
  /// Empty `file`: SLURM_JWT.
  explicit TokenSource(std::string file) : file_(std::move(file)) {}

  /// The present token; the file is read again when it has changed.
  /// Denied: it cannot be read or holds no token. The message names the file and never its content.
  Result<Token> current();

  /// Reads again, whatever the file looks like. True if there is a token newer than number `used`.
  bool renew(unsigned used);

  /// The token last read.
  [[nodiscard]] std::optional<Token> last() const;

 private:
  Result<Token> read_locked();
  Result<Token> adopt_locked(const std::string& text, const std::string& source);

  const std::string file_;
  mutable std::mutex mutex_{};
  std::string stamp_{};
  std::optional<Token> token_{};
  unsigned count_{0};
};

}  // namespace sconverge
