#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "controller/core/result.h"

struct ssl_ctx_st;  // OpenSSL's SSL_CTX

namespace sconverge {

/// PEM files; the certificate's holds the chain, too.
struct TlsFiles {
  std::string certificate;
  std::string key;  ///< without a passphrase

  friend bool operator==(const TlsFiles&, const TlsFiles&) = default;
};

/// Whom a server is to its TLS clients (1.2 and newer). Files that are renewed on disk take effect
/// for the next connection. While the renewed ones cannot be used (half written, the key of another
/// certificate) the last good ones stay. Thread-safe.
class TlsIdentity {
 public:
  using OnFailure = std::function<void(const std::string& why)>;

  /// Rejected with one line that names the file: it cannot be read, holds no certificate or key, or
  /// they do not belong together. `on_failure` is told the same of renewed files, once for each
  /// different reason; may be empty.
  static Result<std::unique_ptr<TlsIdentity>> load(const TlsFiles& files, OnFailure on_failure);

  /// One reference to OpenSSL's context for the next connection, the caller's to release.
  ssl_ctx_st* context();

 private:
  using Context = std::unique_ptr<ssl_ctx_st, void (*)(ssl_ctx_st*)>;

  TlsIdentity(TlsFiles files, OnFailure on_failure);

  /// What tells versions of the two files from each other.
  [[nodiscard]] std::string version() const;
  static Result<Context> read(const TlsFiles& files);

  const TlsFiles files_;
  const OnFailure on_failure_;
  std::mutex mutex_{};
  std::string version_{};  ///< of what `context_` holds
  std::string failure_{};  ///< the last one told
  Context context_;
};

}  // namespace sconverge
