#pragma once

#include <memory>

#include "controller/core/time.h"
#include "controller/http/http_site.h"

struct ssl_ctx_st;
namespace boost::asio {
class io_context;
}

namespace sconverge {

/// A client's connection. It lives as long as something is expected from its client or its site.
class HttpConnection {
 public:
  virtual ~HttpConnection() = default;

  /// Hangs up. REQUIRES: no thread runs the connection's io_context.
  virtual void cut_off() = 0;
};

/// Talks HTTP/1.1 on a connected TCP socket, on the threads that run `io`, and closes it. `tls`:
/// one reference, which is taken over; null for plain HTTP. `patience` as in HttpOptions.
///
/// Memory: at most the site's limit for a body, plus less than 100 KiB.
std::shared_ptr<HttpConnection> converse(boost::asio::io_context& io, int socket, ssl_ctx_st* tls,
                                         std::shared_ptr<Site> site, milliseconds patience);

}  // namespace sconverge
