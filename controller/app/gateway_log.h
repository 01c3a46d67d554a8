#pragma once

#include "controller/app/log_line.h"
#include "controller/gateway/bearer_tokens.h"
#include "controller/gateway/gateway.h"

namespace sconverge {

/// One request to the gateway. A warning if slurmrestd gave no answer that could be passed on.
LogLine request_line(const GatewayExchange& exchange);

/// The tokens file of `component` was read, with a warning or not, or could not be.
LogLine tokens_line(Logger logger, const TokensNews& news);

}  // namespace sconverge
