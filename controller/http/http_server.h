#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "controller/core/result.h"
#include "controller/http/http_answer.h"
#include "controller/http/listen_address.h"

namespace sconverge {

struct HttpRequest {
  std::string query{};  ///< what follows the "?", as it was sent

  /// Whether the query has this parameter, with or without a value.
  [[nodiscard]] bool has(std::string_view parameter) const;
};

/// One page. `get` is called from several threads at once; it should only render what is at hand.
/// What it throws becomes a 500 that tells nothing.
struct Route {
  std::string path;  ///< matched exactly, e.g. "/metrics"
  std::function<HttpAnswer(const HttpRequest&)> get;
};

struct HttpOptions {
  ListenAddress listen{"127.0.0.1", 9810};
  /// Called before each answer of ours is sent, with the route's path ("other" where there is
  /// none) and the status. From several threads at once.
  std::function<void(const std::string& handler, int status)> on_answer{};
};

/// A running server, until it is destroyed: then its port is closed, answers under way are cut off,
/// and no handler runs any more. Only GET and HEAD are served (405 otherwise), unknown paths are
/// 404, request lines over 4 KiB are 414 and headers over 16 KiB 431. Idle and half-sent requests
/// delay nobody.
///
/// One at a time in a process: cpprestsdk 2.10 listens on a stopped server's port again when
/// another one is started, and answers 404 there.
class HttpServer {
 public:
  virtual ~HttpServer() = default;
  [[nodiscard]] virtual std::uint16_t port() const = 0;
};

/// Starts serving. Unavailable with one line that names the address if it cannot be listened on.
Result<std::unique_ptr<HttpServer>> serve(const HttpOptions& options, std::vector<Route> routes);

}  // namespace sconverge
