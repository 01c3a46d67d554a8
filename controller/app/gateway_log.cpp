#include "controller/app/gateway_log.h"

#include <cstdint>

namespace sconverge {

LogLine request_line(const GatewayExchange& exchange) {
  LogLine line{exchange.upstream.kind.empty() ? LogLevel::Info : LogLevel::Warning,
               "gateway",
               "request",
               {{"method", exchange.method},
                {"route", exchange.route},
                {"code", std::int64_t{exchange.code}},
                {"status", exchange.status}}};
  if (exchange.slurm_status) {
    line.fields.push_back({"slurm_status", std::int64_t{*exchange.slurm_status}});
  }
  line.fields.push_back({"seconds", exchange.seconds});
  line.fields.push_back({"token", exchange.token_name});
  line.fields.push_back({"bytes_in", static_cast<std::int64_t>(exchange.bytes_in)});
  line.fields.push_back({"bytes_out", static_cast<std::int64_t>(exchange.bytes_out)});
  if (!exchange.upstream.kind.empty()) {
    line.fields.push_back({"upstream_error", exchange.upstream.kind});
    line.fields.push_back({"reason", exchange.upstream.reason});
  }
  return line;
}

LogLine tokens_line(const std::string& component, const TokensNews& news) {
  LogLine line{news.message.empty() ? LogLevel::Info : LogLevel::Warning,
               component,
               news.in_force ? "tokens are in force" : "tokens stay as they were",
               {{"tokens", static_cast<std::int64_t>(news.tokens)}}};
  if (!news.message.empty()) line.fields.push_back({"message", news.message});
  return line;
}

}  // namespace sconverge
