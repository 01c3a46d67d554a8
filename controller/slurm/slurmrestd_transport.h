#pragma once

#include <memory>
#include <string>

#include "controller/core/result.h"
#include "controller/core/time.h"
#include "controller/ports/transport.h"

namespace sconverge {

struct SlurmrestdOptions {
  std::string url{};   ///< http://host:port or https://host:port; a path before /slurm is kept
  std::string user{};  ///< X-SLURM-USER-NAME; empty: the header is left out
  std::string token_file{};  ///< empty: the variable SLURM_JWT
  seconds timeout{60};       ///< for one request, from its start to the last byte of its answer
};

/// Straight to a slurmrestd with JWT authentication.
/// Rejected: the URL is not one. Reaches for nothing yet: neither slurmrestd nor the token need be
/// there.
Result<std::unique_ptr<Transport>> make_slurmrestd_transport(const SlurmrestdOptions& options,
                                                             std::shared_ptr<HttpClient> http);

}  // namespace sconverge
