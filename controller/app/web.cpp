#include "controller/app/web.h"

#include "controller/app/gateway_log.h"

namespace sconverge {
namespace {

constexpr Logger kLogger = "web";

Result<std::shared_ptr<BearerTokens>> tokens_of(const WebConfig& config, const WebEvents& events) {
  if (config.token_file.empty()) return std::shared_ptr<BearerTokens>();
  const auto tell = [log = events.log, first = true](const TokensNews& news) mutable {
    if (!first || !news.message.empty()) log(tokens_line(kLogger, news));
    first = false;
  };
  auto tokens = BearerTokens::open(config.token_file, tell, &read_token_lines);
  if (!tokens) return tokens.error();
  return std::shared_ptr<BearerTokens>(std::move(*tokens));
}

HttpOptions options_of(const WebConfig& config, const ListenAddress& listen,
                       const WebEvents& events) {
  HttpOptions options;
  options.listen = listen;
  options.plain_anywhere = true;  // web_addresses has seen to it
  if (!config.tls.certificate.empty()) options.tls = config.tls;
  options.on_answer = events.on_answer;
  options.on_tls_failure = [log = events.log](const std::string& why) {
    log({LogLevel::Warning, kLogger, "TLS files stay as they were", {{"error", why}}});
  };
  return options;
}

std::string url_of(bool tls, const ListenAddress& listen, const HttpServer& server) {
  return (tls ? "https://" : "http://") + to_text(ListenAddress{listen.host, server.port()});
}

}  // namespace

Result<std::unique_ptr<Web>> Web::open(const WebConfig& config, const WebAddresses& addresses,
                                       const PageSources& sources, const WebEvents& events) {
  std::unique_ptr<Web> web(new Web);
  auto tokens = tokens_of(config, events);
  if (!tokens) return tokens.error();
  auto pages = serve(options_of(config, addresses.listen, events), pages_of(sources, *tokens));
  if (!pages) return pages.error();
  web->pages_ = std::move(*pages);
  web->url_ = url_of(!config.tls.certificate.empty(), addresses.listen, *web->pages_);
  if (!addresses.health) return web;

  auto probes = serve(options_of({}, *addresses.health, events), probes_of(sources));
  if (!probes) return probes.error();
  web->probes_ = std::move(*probes);
  web->health_url_ = url_of(false, *addresses.health, *web->probes_);
  return web;
}

bool Web::responds(milliseconds patience) const {
  return pages_->responds(patience) && (probes_ == nullptr || probes_->responds(patience));
}

}  // namespace sconverge
