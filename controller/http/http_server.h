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
#include "controller/http/tls_identity.h"
#include "controller/ports/http_exchange.h"

namespace sconverge {

/// One page, for GET and HEAD (405 otherwise), compressed for clients that want it. `get` is called
/// from several threads at once; it should only render what is at hand. What it throws becomes a
/// 500 that tells nothing.
struct Route {
  std::string path;  ///< matched exactly, e.g. "/metrics"
  std::function<HttpAnswer(const HttpRequest&)> get;
};

/// What no route takes: every method, with its body. `answer` is called on a thread of its own, so
/// that it may block without delaying others; what it throws becomes a 500 that tells nothing.
struct Service {
  std::function<HttpAnswer(const HttpRequest&)> answer;
  std::size_t most_body_bytes{1'000'000};
  int threads{16};  ///< so many answers at once; further requests wait for their turn
  std::size_t most_waiting{1024};  ///< whoever comes after them is answered 503 at once
  /// Words the server's own answers to the service's requests: 400 (a body that is no HTTP), 414,
  /// 431, 500 and 503. Without it they are plain text. From several threads at once.
  std::function<HttpAnswer(int status, const std::string& why)> refuse{};
};

struct HttpOptions {
  ListenAddress listen{"127.0.0.1", 9810};
  std::optional<TlsFiles> tls{};
  bool plain_anywhere{false};        ///< without TLS, serve beyond the loopback all the same
  std::optional<Service> service{};  ///< without one, unknown paths are 404
  /// Called before each answer of ours is sent, with the route's path ("other" where there is
  /// none) and the status. From several threads at once.
  std::function<void(const std::string& handler, int status)> on_answer{};
  /// Called once with one line when renewed TLS files cannot be used; see TlsIdentity.
  std::function<void(const std::string& why)> on_tls_failure{};
  /// For each of: the TLS handshake, the headers of the (next) request, its body. Who takes longer
  /// is hung up on.
  milliseconds patience{60'000};
};

/// A running HTTP/1.1 server, until it is destroyed: then its port is closed, answers under way are
/// cut off, and no handler runs any more (a service that is answering is waited for). Idle, slow
/// and half-sent requests delay nobody, and are given up when they try its patience.
///
/// Request lines over 4 KiB are 414 and headers over 16 KiB 431. A request for a page has no body;
/// after answering one that has, the server hangs up. A body over the service's limit is not kept:
/// the service is asked with `body_too_large` before it has arrived, and the connection closed
/// after the answer. Bodies may be chunked, and "Expect: 100-continue" is honoured.
class HttpServer {
 public:
  virtual ~HttpServer() = default;
  [[nodiscard]] virtual std::uint16_t port() const = 0;

  /// Whether one of its threads finds the time for a new request within `patience`.
  [[nodiscard]] virtual bool responds(milliseconds patience) = 0;

  /// Answers 503 with "Connection: close" from now on, and waits, at most for `patience`, until
  /// what was asked before is answered (a request whose body has not arrived is not asked yet).
  /// True if it is.
  virtual bool drain(milliseconds patience) = 0;
};

/// Starts serving. Unavailable with one line that names the address if it cannot be listened on;
/// Rejected with one line that names the file if a certificate or key cannot be used, and if an
/// address that is not loopback is to be served without TLS and not `plain_anywhere`.
Result<std::unique_ptr<HttpServer>> serve(const HttpOptions& options, std::vector<Route> routes);

}  // namespace sconverge
