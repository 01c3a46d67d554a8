#pragma once

#include <cstddef>
#include <string>

#include "controller/core/result.h"
#include "controller/gateway/wire_answer.h"
#include "controller/ports/transport.h"

namespace sconverge {

/// Slurm's answer, whatever its status.
struct SlurmAnswer {
  int status{0};
  AnswerEnvelope envelope{};
};

/// Why slurmrestd gave no answer that can be passed on, for whoever runs the gateway.
struct UpstreamFailure {
  /// "unavailable", "unknown", "rejected" or "denied" as the Transport says; "token_refused";
  /// "too_large". Empty: it gave one.
  std::string kind{};
  std::string reason{};  ///< one line; nothing of a request
};

/// Asks slurmrestd, if need be once more with a renewed token. Error::message is for the client;
/// `failure` has the details.
///   Unavailable  nothing happened, or it was a GET: slurmrestd does not answer, or does not take
///   the
///                gateway's own token
///   Unknown      a POST or DELETE whose answer is lost: it may have been carried out
///   Rejected     the request is too large for slurmrestd, or asks for more than `most_bytes`
Result<SlurmAnswer> ask_slurm(Transport& transport, const SlurmCall& call, std::size_t most_bytes,
                              UpstreamFailure& failure);

}  // namespace sconverge
