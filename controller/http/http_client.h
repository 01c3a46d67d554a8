#pragma once

#include <memory>
#include <string>
#include <vector>

#include "controller/core/result.h"
#include "controller/ports/http_client.h"

namespace sconverge {

struct HttpClientOptions {
  std::string ca_file{};  ///< PEM; trusted besides the system's authorities
  /// For https URLs, "http://HOST:PORT"; empty: none. Never for the loopback and for plain http.
  std::string https_proxy{};
  /// Host names, or their ends (".example.org"), that are reached without it.
  std::vector<std::string> no_proxy{};
};

/// Connections are kept and used again, but for calls that are to be sent at most once.
/// Rejected: the CA file cannot be read, or the proxy is no http URL.
Result<std::shared_ptr<HttpClient>> make_http_client(const HttpClientOptions& options);

/// How many threads carry HTTP, in the whole process. To be called first in main, once; without it
/// the library underneath starts 40.
void set_http_threads(int count);

}  // namespace sconverge
