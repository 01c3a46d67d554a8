#pragma once

#include <cstdint>
#include <string>

#include "controller/core/time.h"
#include "specs/job_spec.h"

namespace sconverge {

/// Something a person asked for on the command line; answered by the controller at its next tick.
enum class RequestKind { Rerun, ApproveRemoval, ApproveVanished };

struct Request {
  std::int64_t id{0};  ///< given by the store
  RequestKind kind{RequestKind::Rerun};
  SpecName spec{};
  TimePoint at{};

  friend bool operator==(const Request&, const Request&) = default;
};

}  // namespace sconverge
