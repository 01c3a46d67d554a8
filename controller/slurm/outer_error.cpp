#include "controller/slurm/outer_error.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace sconverge {
namespace {

struct Row {
  std::string_view status;
  int http;  ///< as google/rpc/code.proto maps it
  OuterMeaning meaning;
};

// UNAVAILABLE is no proof that nothing happened: Google documents "retry after a short wait", and a
// proxy gives 503 for answers that it lost.
constexpr std::array kRows{
    Row{"INVALID_ARGUMENT", 400, OuterMeaning::Malformed},
    Row{"OUT_OF_RANGE", 400, OuterMeaning::Malformed},
    Row{"FAILED_PRECONDITION", 400, OuterMeaning::Limit},  // the cluster is not running, say
    Row{"UNAUTHENTICATED", 401, OuterMeaning::Unauthenticated},
    Row{"PERMISSION_DENIED", 403, OuterMeaning::Forbidden},
    Row{"NOT_FOUND", 404, OuterMeaning::NoCluster},
    Row{"RESOURCE_EXHAUSTED", 429, OuterMeaning::Limit},
    Row{"UNIMPLEMENTED", 501, OuterMeaning::Limit},
};

constexpr std::array kOtherCodes{"ABORTED",  "ALREADY_EXISTS", "CANCELLED",         "UNKNOWN",
                                 "INTERNAL", "DATA_LOSS",      "DEADLINE_EXCEEDED", "UNAVAILABLE"};

}  // namespace

OuterMeaning meaning_of(int http_status, const GoogleError& error) {
  const auto by_code = std::find_if(kRows.begin(), kRows.end(),
                                    [&](const Row& row) { return row.status == error.status; });
  if (by_code != kRows.end()) return by_code->meaning;
  // Our gateway tells where it is sure.
  const bool sure = error.domain == "sconverge" && error.reason == "NOTHING_CHANGED";
  if (sure) return OuterMeaning::NotReached;
  const bool other_code =
      std::find(kOtherCodes.begin(), kOtherCodes.end(), error.status) != kOtherCodes.end();
  if (other_code) return OuterMeaning::Doubt;
  const auto by_http = std::find_if(kRows.begin(), kRows.end(),
                                    [&](const Row& row) { return row.http == http_status; });
  if (by_http != kRows.end()) return by_http->meaning;
  return http_status == 413 ? OuterMeaning::Malformed : OuterMeaning::Doubt;
}

}  // namespace sconverge
