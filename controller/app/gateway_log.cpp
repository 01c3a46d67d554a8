#include "controller/app/gateway_log.h"

#include <cstdint>

namespace sconverge {

LogLine request_line(const GatewayExchange& exchange) {
  LogLine line{exchange.upstream.kind.empty() ? LogLevel::Info : LogLevel::Warning,
               "gateway",
               "request",
               {{"endpoint", exchange.method + " " + exchange.route},
                {"http_status", std::int64_t{exchange.code}},
                {"rpc_status", exchange.status}}};
  if (exchange.slurm_status) {
    line.fields.push_back({"slurm_status", std::int64_t{*exchange.slurm_status}});
  }
  line.fields.push_back({"duration_ms", exchange.seconds * 1000});
  line.fields.push_back({"token_name", exchange.token_name});
  line.fields.push_back({"bytes_in", static_cast<std::int64_t>(exchange.bytes_in)});
  line.fields.push_back({"bytes_out", static_cast<std::int64_t>(exchange.bytes_out)});
  if (!exchange.upstream.kind.empty()) {
    line.fields.push_back({"error_class", exchange.upstream.kind});
    line.fields.push_back({"error", exchange.upstream.reason});
  }
  return line;
}

LogLine tokens_line(Logger logger, const TokensNews& news) {
  const LogMessage msg =
      news.in_force ? LogMessage("tokens are in force") : LogMessage("tokens stay as they were");
  LogLine line{news.message.empty() ? LogLevel::Info : LogLevel::Warning,
               logger,
               msg,
               {{"tokens", static_cast<std::int64_t>(news.tokens)}}};
  if (!news.message.empty()) line.fields.push_back({"error", news.message});
  return line;
}

}  // namespace sconverge
