#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "controller/core/result.h"
#include "controller/core/time.h"
#include "controller/ports/access_tokens.h"
#include "controller/ports/transport.h"

namespace sconverge {

struct SlurmJobApiOptions {
  std::string project{};
  std::string region{};
  std::string cluster{};
  std::string endpoint{};  ///< https://HOST; empty: Google's own of the region
  std::string google_api_version{"v1beta1"};
  std::string user{};   ///< our Linux account there, if known; Google tells it nowhere
  seconds timeout{60};  ///< for one request, from its start to the last byte of its answer

  std::function<std::chrono::steady_clock::time_point()> steady_now{};  ///< empty: the real one
  std::function<TimePoint()> now{};                                     ///< empty: the real one
  std::function<void(milliseconds)> sleep{};                            ///< empty: the real one
  std::function<double()> chance{};  ///< from 0 to 1, to spread repeated requests; empty: real
};

/// Takes Slurm's requests through Google's Slurm Job API: each is the body of a POST to the
/// cluster's callSlurmRestApi, whatever its own method.
///
/// PROMISES beside those of Transport:
///   - what the service itself says (HTTP status and google.rpc.Status) and what Slurm says through
///     it are kept apart: only the latter becomes an AnswerHead. That the service has no such
///     cluster never looks like a job that is gone; a path that it does not take looks like one
///     that slurmrestd does not serve (404, {}), and AnswerHead::refusal has what it said.
///   - a request is sent again only where that is safe: it never left, or it asked or ended
///     something and was lost in between (twice, a second or two later, and not while the one
///     before failed likewise), or its token was refused (twice, each time with a newer one).
///   - after 429, and where the service says how long to wait (Retry-After, google.rpc.RetryInfo),
///     nothing is sent before that time.
///   - a request whose envelope has 1,000,000 bytes or more is Rejected unsent.
///   - a path with a query that is refused as no Slurm path tells, once for all, that this service
///     takes none; see takes_queries.
Result<std::unique_ptr<Transport>> make_slurm_job_api_transport(
    SlurmJobApiOptions options, std::shared_ptr<HttpClient> http,
    std::unique_ptr<AccessTokens> tokens);

}  // namespace sconverge
