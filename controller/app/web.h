#pragma once

#include <functional>
#include <memory>
#include <string>

#include "controller/app/config.h"
#include "controller/app/log_line.h"
#include "controller/app/pages.h"
#include "controller/app/web_address.h"
#include "controller/core/result.h"
#include "controller/http/http_server.h"

namespace sconverge {

/// What the web tells the rest of the process, from any thread.
struct WebEvents {
  std::function<void(const std::string& handler, int status)> on_answer{};
  std::function<void(const LogLine&)> log{};
};

/// All that `sconverge run` serves over HTTP, until it is destroyed. TLS files and tokens that are
/// replaced on disk take effect; while the new ones cannot be used, the old ones stay.
class Web {
 public:
  /// An Error of one line if a file cannot be used, or an address cannot be listened on.
  static Result<std::unique_ptr<Web>> open(const WebConfig& config, const WebAddresses& addresses,
                                           const PageSources& sources, const WebEvents& events);

  /// Of the pages, e.g. "https://127.0.0.1:9810", with the real port where 0 was asked for.
  [[nodiscard]] const std::string& url() const { return url_; }
  /// Of the probes' own address; empty: there is none.
  [[nodiscard]] const std::string& health_url() const { return health_url_; }
  /// See HttpServer.
  [[nodiscard]] bool responds(milliseconds patience) const;

 private:
  Web() = default;

  std::unique_ptr<HttpServer> pages_{};
  std::unique_ptr<HttpServer> probes_{};
  std::string url_{};
  std::string health_url_{};
};

}  // namespace sconverge
