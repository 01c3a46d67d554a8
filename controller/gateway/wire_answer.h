#pragma once

#include <string>
#include <string_view>

#include "controller/gateway/rpc_status.h"

namespace sconverge {

/// An error as Google's APIs give it (AIP-193): {"error":{"code":<HTTP code>,"message":...,
/// "status":"INVALID_ARGUMENT"}}. In `details` an ErrorInfo says of DEADLINE_EXCEEDED that the call
/// may have been carried out, and of UNAVAILABLE that nothing was changed. UNAUTHENTICATED carries
/// WWW-Authenticate.
///
/// REQUIRES: `status` is not Ok.
RpcAnswer refusal(RpcStatus status, const std::string& message);
RpcAnswer refusal(const Error& error);  ///< see rpc_status(ErrorKind)

/// What the HTTP server itself says to a request that it does not hand on (or whose answer failed),
/// in the same form: with this HTTP status, and the canonical code that comes closest.
HttpAnswer refusal_of_server(int http_status, const std::string& why);

/// Each byte that is not part of UTF-8 becomes U+FFFD.
std::string as_utf8(std::string_view text);

/// The Slurm Job API's envelope around an answer of Slurm's, {"status":200,"structuredBody":{...}}.
/// Slurm's bytes are collected behind the beginning of the envelope, so that a list of hundreds of
/// megabytes is never copied.
class AnswerEnvelope {
 public:
  AnswerEnvelope();

  void append(std::string_view bytes) { text_.append(bytes); }

  /// What Slurm said so far.
  [[nodiscard]] std::string_view body() const;

  /// An answer that is a JSON object is passed on byte for byte; only bytes that are not UTF-8
  /// (slurmrestd sends job names as the bytes their user gave) become U+FFFD. Anything else leaves
  /// `structuredBody` empty, and its first 4 KiB stand in `body` as text.
  ///
  /// REQUIRES: `slurm_status` has three digits. To be called once, at the end.
  std::string finish(int slurm_status);

 private:
  std::string text_;
};

}  // namespace sconverge
