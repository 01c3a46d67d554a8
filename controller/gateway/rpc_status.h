#pragma once

#include <string>
#include <string_view>

#include "controller/core/result.h"
#include "controller/ports/http_exchange.h"

namespace sconverge {

/// Google's canonical codes, those that the gateway gives (google/rpc/code.proto).
enum class RpcStatus {
  Ok,
  InvalidArgument,
  Unauthenticated,
  PermissionDenied,
  NotFound,
  Internal,
  Unavailable,
  DeadlineExceeded,
};

std::string_view to_text(RpcStatus status);  ///< "INVALID_ARGUMENT", ...

/// As google/rpc/code.proto maps them.
int http_code(RpcStatus status);

/// Rejected is INVALID_ARGUMENT, Denied PERMISSION_DENIED, Unavailable UNAVAILABLE and Unknown
/// DEADLINE_EXCEEDED.
RpcStatus rpc_status(ErrorKind kind);

/// What the gateway says to one request, and how that is to be counted.
struct RpcAnswer {
  RpcStatus status{RpcStatus::Ok};
  HttpAnswer http{};
};

}  // namespace sconverge
