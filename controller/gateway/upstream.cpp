#include "controller/gateway/upstream.h"

#include "controller/gateway/wire_read.h"

namespace sconverge {
namespace {

constexpr int kProtocolAuthenticationError = 1007;  // slurm_errno.h

/// Whether Slurm does not take the token: HTTP 401 from slurmrestd itself; 511 where slurmctld says
/// so, before Slurm 24.11 a 500 with the errno.
bool refuses_token(int status, std::string_view body) {
  if (status == 401 || status == 511) return true;
  return status == 500 &&
         read_job_owners(body).error_numbers.contains(kProtocolAuthenticationError);
}

Error lost(HttpMethod method) {
  if (method == HttpMethod::Get) {
    return {
        ErrorKind::Unavailable,
        "slurmrestd did not answer in time or its answer was lost; ask again after a short wait"};
  }
  return {
      ErrorKind::Unknown,
      "slurmrestd did not answer in time or its answer was lost; the call may have been carried "
      "out, so look with HTTP_METHOD_GET before sending it again"};
}

Error token_not_accepted() {
  return {
      ErrorKind::Unavailable,
      "the gateway's own Slurm token is missing or not accepted, and nothing was done; nothing is "
      "wrong with the bearer token of this request: whoever runs the gateway has to renew the "
      "Slurm token"};
}

Error too_large(HttpMethod method, std::size_t most_bytes) {
  if (method != HttpMethod::Get) return lost(method);
  return {ErrorKind::Rejected, "Slurm's answer is larger than " + std::to_string(most_bytes) +
                                   " bytes; ask for less, for example one job or jobs/state/"};
}

Error not_sent(const Error& error, HttpMethod method, UpstreamFailure& failure) {
  failure.reason = error.message;
  switch (error.kind) {
    case ErrorKind::Unavailable:
      failure.kind = "unavailable";
      return {ErrorKind::Unavailable,
              "slurmrestd cannot be reached, and nothing was done; try again after a short wait"};
    case ErrorKind::Unknown:
      failure.kind = "unknown";
      return lost(method);
    case ErrorKind::Rejected:
      failure.kind = "rejected";
      return {
          ErrorKind::Rejected,
          "the request cannot be sent to slurmrestd as it is, and nothing was done; put a large "
          "script on shared storage and call it from a short one"};
    case ErrorKind::Denied:
      failure.kind = "denied";
      return token_not_accepted();
  }
  return error;
}

}  // namespace

Result<SlurmAnswer> ask_slurm(Transport& transport, const SlurmCall& call, std::size_t most_bytes,
                              UpstreamFailure& failure) {
  for (const bool again : {false, true}) {
    SlurmAnswer answer;
    bool full = false;
    const auto head = transport.exchange(call, [&](ByteSource& bytes) {
      for (auto part = bytes.next(); !part.empty(); part = bytes.next()) {
        full = answer.envelope.body().size() + part.size() > most_bytes;
        if (full) return;
        answer.envelope.append(part);
      }
    });
    if (!head) return not_sent(head.error(), call.method, failure);
    if (full) {
      failure = {"too_large", "its answer is larger than " + std::to_string(most_bytes) + " bytes"};
      return too_large(call.method, most_bytes);
    }
    answer.status = head->status;
    if (!refuses_token(answer.status, answer.envelope.body())) return answer;
    if (again || !transport.renew_credentials(head->credentials)) break;
  }
  failure = {"token_refused", "Slurm does not accept " + transport.credentials_text()};
  return token_not_accepted();
}

}  // namespace sconverge
