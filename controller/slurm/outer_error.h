#pragma once

#include <string>

#include "controller/core/result.h"
#include "controller/slurm/wire_google_error.h"

namespace sconverge {

/// What a service before Slurm says about a request by not passing it on (or not its answer).
enum class OuterMeaning {
  NotReached,       ///< turned away: nothing happened, try again
  Limit,            ///< the same, but trying again soon is of no use
  Doubt,            ///< it may have been carried out
  Malformed,        ///< this request, as it is, is not one
  Unauthenticated,  ///< the token is not accepted
  Forbidden,        ///< it is, and its owner may not do this
  NoCluster,        ///< there is no such cluster
};

/// By the error's canonical code where it has one, by the HTTP status otherwise (AIP-193).
OuterMeaning meaning_of(int http_status, const GoogleError& error);

}  // namespace sconverge
