#pragma once

#include <memory>
#include <string>

#include "controller/core/result.h"
#include "controller/core/time.h"
#include "controller/slurm/transport.h"

namespace sconverge {

struct SlurmrestdOptions {
  std::string url{};   ///< http://host:port or https://host:port; a path before /slurm is kept
  std::string user{};  ///< X-SLURM-USER-NAME; empty: the header is left out
  std::string token_file{};  ///< empty: the variable SLURM_JWT
  std::string ca_file{};     ///< PEM; trusted besides the system's authorities
  seconds timeout{60};       ///< for one request, from its start to the last byte of its answer
};

/// Straight to a slurmrestd with JWT authentication. https is verified (name and chain); redirects
/// are not followed.
/// Rejected: the URL is not one, or the CA file cannot be read. Reaches for nothing yet: neither
/// slurmrestd nor the token need be there.
Result<std::unique_ptr<Transport>> make_slurmrestd_transport(const SlurmrestdOptions& options);

/// How many threads carry HTTP requests, in the whole process. To be called first in main, once;
/// without it the library underneath starts 40.
void set_http_threads(int count);

}  // namespace sconverge
