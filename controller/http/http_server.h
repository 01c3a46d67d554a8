#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "controller/core/result.h"
#include "controller/core/time.h"
#include "controller/http/listen_address.h"
#include "controller/ports/http_exchange.h"

namespace sconverge {

/// One page, for GET and HEAD (405 otherwise). `get` is called from several threads at once; it
/// should only render what is at hand. What it throws becomes a 500 that tells nothing.
struct Route {
  std::string path;  ///< matched exactly, e.g. "/metrics"
  std::function<HttpAnswer(const HttpRequest&)> get;
};

/// PEM files; the certificate's holds the chain, too.
struct TlsFiles {
  std::string certificate;
  std::string key;
};

/// What no route takes: every method, with its body. `answer` is called on a thread of its own, so
/// that it may block without delaying others; what it throws becomes a 500 that tells nothing.
struct Service {
  std::function<HttpAnswer(const HttpRequest&)> answer;
  std::size_t most_body_bytes{1'000'000};
  int threads{16};  ///< so many answers at once; further requests wait for their turn
};

struct HttpOptions {
  ListenAddress listen{"127.0.0.1", 9810};
  std::optional<TlsFiles> tls{};
  std::optional<Service> service{};  ///< without one, unknown paths are 404
  /// Called before each answer of ours is sent, with the route's path ("other" where there is
  /// none) and the status. From several threads at once.
  std::function<void(const std::string& handler, int status)> on_answer{};
};

/// A running server, until it is destroyed: then its port is closed, answers under way are cut off,
/// and no handler runs any more. Request lines over 4 KiB are 414 and headers over 16 KiB 431. Idle
/// and half-sent requests delay nobody.
///
/// One at a time in a process: cpprestsdk 2.10 listens on a stopped server's port again when
/// another one is started, and answers 404 there.
class HttpServer {
 public:
  virtual ~HttpServer() = default;
  [[nodiscard]] virtual std::uint16_t port() const = 0;

  /// Answers 503 with "Connection: close" from now on, and waits, at most for `patience`, until what
  /// was asked before is answered. True if it is.
  virtual bool drain(milliseconds patience) = 0;
};

/// Starts serving. Unavailable with one line that names the address if it cannot be listened on;
/// Rejected with one line that names the file if a certificate or key cannot be used.
Result<std::unique_ptr<HttpServer>> serve(const HttpOptions& options, std::vector<Route> routes);

}  // namespace sconverge
