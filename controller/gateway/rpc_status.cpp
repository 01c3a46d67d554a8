#include "controller/gateway/rpc_status.h"

#include <array>
#include <cstdlib>

namespace sconverge {
namespace {

struct Row {
  RpcStatus status;
  std::string_view word;
  int code;
};

constexpr std::array kRows{
    Row{RpcStatus::Ok, "OK", 200},
    Row{RpcStatus::InvalidArgument, "INVALID_ARGUMENT", 400},
    Row{RpcStatus::Unauthenticated, "UNAUTHENTICATED", 401},
    Row{RpcStatus::PermissionDenied, "PERMISSION_DENIED", 403},
    Row{RpcStatus::NotFound, "NOT_FOUND", 404},
    Row{RpcStatus::Internal, "INTERNAL", 500},
    Row{RpcStatus::Unavailable, "UNAVAILABLE", 503},
    Row{RpcStatus::DeadlineExceeded, "DEADLINE_EXCEEDED", 504},
};

const Row& row_of(RpcStatus status) {
  for (const Row& row : kRows) {
    if (row.status == status) return row;
  }
  std::abort();
}

}  // namespace

std::string_view to_text(RpcStatus status) { return row_of(status).word; }

int http_code(RpcStatus status) { return row_of(status).code; }

RpcStatus rpc_status(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Unavailable:
      return RpcStatus::Unavailable;
    case ErrorKind::Unknown:
      return RpcStatus::DeadlineExceeded;
    case ErrorKind::Rejected:
      return RpcStatus::InvalidArgument;
    case ErrorKind::Denied:
      return RpcStatus::PermissionDenied;
  }
  std::abort();
}

}  // namespace sconverge
