#include <semaphore>

#include "controller/app/connection.h"
#include "controller/app/descriptor_limit.h"
#include "controller/app/gateway_log.h"
#include "controller/app/gateway_pages.h"
#include "controller/app/log.h"
#include "controller/app/signals.h"
#include "controller/app/verbs.h"

namespace sconverge {
namespace {

constexpr const char* kDefaultListen = "127.0.0.1:9820";

LogFormat format_of(const Config& config, const Console& console) {
  if (config.log_format != LogFormat::Auto) return config.log_format;
  return console.err_is_terminal ? LogFormat::Logfmt : LogFormat::Json;
}

/// Bearer tokens travel in every request, so they are sent in the clear on the loopback only.
Result<ListenAddress> address_of(const Config& config) {
  const auto read =
      read_listen_address(config.web.listen.empty() ? kDefaultListen : config.web.listen);
  const auto address = read ? resolved(*read) : read;
  if (!address || is_loopback(*address) || !config.web.tls.certificate.empty()) return address;
  return Error{ErrorKind::Rejected,
               "listening on " + to_text(*address) +
                   " needs TLS, as every request carries a token; give --tls-cert FILE and "
                   "--tls-key FILE, or listen on 127.0.0.1"};
}

GatewayRequest sample_of(const GatewayExchange& exchange) {
  return {exchange.method,       exchange.route,   exchange.code,
          exchange.slurm_status, exchange.seconds, exchange.upstream.kind};
}

/// Everything that serves, but for the server.
class GatewayParts {
 public:
  GatewayParts(const Config& config, const Console& console)
      : config_(config),
        clock_(console.clock),
        log_(console.err, config.log_level, format_of(config, console), console.clock,
             [this](LogLevel level) { metrics_.count_log_message(level); }) {}

  Result<Done> build() {
    const ClusterConfig& cluster = config_.clusters.front();
    auto transport = make_transport(cluster, clock_);
    if (!transport) return transport.error();
    transport_ = std::move(*transport);
    auto tokens = BearerTokens::open(config_.gateway.tokens, [this](const TokensNews& news) {
      metrics_.record_tokens(news.in_force, news.tokens, clock_.now());
      log_.write(tokens_line("gateway", news));
    });
    if (!tokens) return tokens.error();
    tokens_ = std::move(*tokens);
    GatewayOptions options;
    options.project = cluster.job_api.project;
    options.region = cluster.job_api.region;
    options.cluster = cluster.job_api.cluster;
    options.observe = [this](const GatewayExchange& exchange) {
      health_.record(exchange, clock_.now());
      metrics_.record_request(sample_of(exchange));
      log_.write(request_line(exchange));
    };
    gateway_ = std::make_unique<Gateway>(std::move(options), *transport_, *tokens_);
    return Done{};
  }

  HttpOptions http_options(const ListenAddress& listen) {
    HttpOptions options;
    options.listen = listen;
    if (!config_.web.tls.certificate.empty()) options.tls = config_.web.tls;
    options.service.emplace();
    options.service->answer = [this](const HttpRequest& request) {
      metrics_.begin_request();
      return gateway_->answer(request);
    };
    options.service->refuse = [](int status, const std::string& why) {
      return refusal_of_server(status, why);
    };
    options.on_answer = [this](const std::string& handler, int status) {
      metrics_.count_http_answer(handler, status);
    };
    options.on_tls_failure = [this](const std::string& why) {
      log_.write({LogLevel::Warning, "gateway", "TLS files stay as they were", {{"message", why}}});
    };
    return options;
  }

  std::vector<Route> pages(bool guarded) {
    return gateway_pages(health_, metrics_, *tokens_, clock_, guarded);
  }

  Log& log() { return log_; }
  GatewayHealth& health() { return health_; }
  [[nodiscard]] const std::string& url_path() const { return gateway_->url_path(); }

 private:
  const Config& config_;
  const Clock& clock_;
  GatewayMetrics metrics_{build_info()};
  Log log_;
  GatewayHealth health_{};
  std::unique_ptr<Transport> transport_{};
  std::unique_ptr<BearerTokens> tokens_{};
  std::unique_ptr<Gateway> gateway_{};
};

LogLine start_line(const Config& config, const std::string& origin, const std::string& url_path) {
  const ClusterConfig& cluster = config.clusters.front();
  return {LogLevel::Info,
          "main",
          "started",
          {{"version", build_info().version},
           {"url", origin + url_path},
           {"metrics", origin + "/metrics"},
           {"slurmrestd", cluster.slurmrestd.url},
           {"user", cluster.slurmrestd.user}}};
}

}  // namespace

ExitCode verb_gateway(const Config& config, const Console& console) {
  const auto listen = address_of(config);
  if (!listen) {
    const bool wrong = listen.error().kind == ErrorKind::Rejected;
    return fail(console, listen.error().message, wrong ? ExitCode::Usage : ExitCode::Error);
  }
  raise_descriptor_limit();
  GatewayParts parts(config, console);
  Signals signals([&] {
    parts.log().write({LogLevel::Info,
                       "main",
                       "nothing to reload, tokens and certificates are read when they change",
                       {}});
  });
  if (const auto built = parts.build(); !built) return fail(console, built.error().message);
  const HttpOptions options = parts.http_options(*listen);
  auto server = serve(options, parts.pages(!is_loopback(*listen)));
  if (!server) return fail(console, server.error().message);

  const std::string origin = (options.tls ? "https://" : "http://") +
                             to_text(ListenAddress{listen->host, (*server)->port()});
  parts.log().write(start_line(config, origin, parts.url_path()));
  std::binary_semaphore asked_to_stop{0};
  const std::stop_callback on_stop(signals.stop_token(), [&] { asked_to_stop.release(); });
  asked_to_stop.acquire();

  parts.health().start_draining();
  parts.log().write({LogLevel::Info, "main", "stopping, finishing what is in flight", {}});
  // A change of a job is two requests to slurmrestd: whose it is, and the change.
  const bool drained = (*server)->drain(2 * config.clusters.front().timeout);
  parts.log().write({drained ? LogLevel::Info : LogLevel::Warning,
                     "main",
                     "stopped",
                     {{"all_answered", drained}}});
  return ExitCode::Ok;
}

}  // namespace sconverge
