#include <unistd.h>

#include <atomic>

#include "controller/app/bell.h"
#include "controller/app/connection.h"
#include "controller/app/console_log.h"
#include "controller/app/descriptor_limit.h"
#include "controller/app/gateway_log.h"
#include "controller/app/gateway_pages.h"
#include "controller/app/service_notifier.h"
#include "controller/app/signals.h"
#include "controller/app/verbs.h"

namespace sconverge {
namespace {

constexpr const char* kDefaultListen = "127.0.0.1:9820";

/// Bearer tokens travel in every request, so they are sent in the clear on the loopback only.
Result<ListenAddress> address_of(const Config& config) {
  const auto read =
      read_listen_address(config.web.listen.empty() ? kDefaultListen : config.web.listen);
  auto address = read ? resolved(*read) : read;
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
        log_(open_log(config, console,
                      [this](LogLevel level) { metrics_.count_log_message(level); })) {}

  Result<Done> build() {
    const ClusterConfig& cluster = config_.clusters.front();
    auto transport = make_transport(cluster, clock_);
    if (!transport) return transport.error();
    transport_ = std::move(*transport);
    auto tokens = BearerTokens::open(config_.gateway.tokens, [this](const TokensNews& news) {
      metrics_.record_tokens(news.in_force, news.tokens, clock_.now());
      log_->write(tokens_line("gateway", news));
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
      log_->write(request_line(exchange));
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
      log_->write({LogLevel::Warning, "gateway", "TLS files stay as they were", {{"error", why}}});
    };
    return options;
  }

  std::vector<Route> pages(bool guarded) {
    return gateway_pages(health_, metrics_, *tokens_, clock_, guarded);
  }

  Log& log() { return *log_; }
  GatewayHealth& health() { return health_; }
  [[nodiscard]] const std::string& url_path() const { return gateway_->url_path(); }

 private:
  const Config& config_;
  const Clock& clock_;
  GatewayMetrics metrics_{build_info()};
  std::unique_ptr<Log> log_;
  GatewayHealth health_{};
  std::unique_ptr<Transport> transport_{};
  std::unique_ptr<BearerTokens> tokens_{};
  std::unique_ptr<Gateway> gateway_{};
};

void log_start(Log& log, const Config& config, const std::string& origin,
               const std::string& url_path) {
  const ClusterConfig& cluster = config.clusters.front();
  log.write({LogLevel::Info,
             "main",
             "started",
             {{"version", build_info().version},
              {"url", origin + url_path},
              {"metrics", origin + "/metrics"}}});
  log.write({LogLevel::Info,
             "main",
             "requests go to slurmrestd",
             {{"url", cluster.slurmrestd.url}, {"user", cluster.slurmrestd.user}}});
}

/// Serves until somebody asks to stop; tells the service manager. SIGHUP reloads nothing, as
/// nothing waits for it.
class GatewayService {
 public:
  GatewayService(GatewayParts& parts, const Console& console)
      : parts_(parts), notifier_(console.variables, ::getpid(), [&parts](const std::string& why) {
          parts.log().write(
              {LogLevel::Warning, "main", "service manager cannot be told", {{"error", why}}});
        }) {}

  void hang_up() {
    hung_up_ = true;
    bell_.ring();
  }

  void serve(HttpServer& server, const std::string& url, const std::stop_token& stop) {
    notifier_.ready("serving " + url);
    const milliseconds pulse = notifier_.watchdog_period().value_or(milliseconds{0}) / 2;
    while (!stop.stop_requested()) {
      if (hung_up_.exchange(false)) reload(url);
      if (pulse > milliseconds{0} && server.responds(pulse)) notifier_.alive();
      bell_.wait(pulse, stop);
    }
  }

  /// True if every request was answered.
  bool wind_up(HttpServer& server, milliseconds patience) {
    parts_.health().start_draining();
    parts_.log().write({LogLevel::Info, "main", "stopping, finishing what is in flight", {}});
    notifier_.stopping("finishing what is in flight");
    notifier_.needs_time(patience + seconds{5});
    return server.drain(patience);
  }

 private:
  void reload(const std::string& url) {
    notifier_.reloading();
    parts_.log().write({LogLevel::Info,
                        "main",
                        "nothing to reload, tokens and certificates are read when they change",
                        {}});
    notifier_.ready("serving " + url);
  }

  GatewayParts& parts_;
  ServiceNotifier notifier_;
  Bell bell_{};
  std::atomic<bool> hung_up_{false};
};

}  // namespace

ExitCode verb_gateway(const Config& config, const Console& console) {
  const auto listen = address_of(config);
  if (!listen) {
    const bool wrong = listen.error().kind == ErrorKind::Rejected;
    return fail(console, listen.error().message, wrong ? ExitCode::Usage : ExitCode::Error);
  }
  raise_descriptor_limit();
  GatewayParts parts(config, console);
  GatewayService service(parts, console);
  Signals signals([&] { service.hang_up(); });
  if (const auto built = parts.build(); !built) return fail(console, built.error().message);
  const HttpOptions options = parts.http_options(*listen);
  auto server = serve(options, parts.pages(!is_loopback(*listen)));
  if (!server) return fail(console, server.error().message);

  const std::string origin = (options.tls ? "https://" : "http://") +
                             to_text(ListenAddress{listen->host, (*server)->port()});
  log_start(parts.log(), config, origin, parts.url_path());
  service.serve(**server, origin + parts.url_path(), signals.stop_token());
  // A change of a job is two requests to slurmrestd: whose it is, and the change.
  const bool drained = service.wind_up(**server, 2 * config.clusters.front().timeout);
  parts.log().write({drained ? LogLevel::Info : LogLevel::Warning,
                     "main",
                     "stopped",
                     {{"all_answered", drained}}});
  return ExitCode::Ok;
}

}  // namespace sconverge
