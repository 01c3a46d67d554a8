#pragma once

#include <optional>
#include <string>

#include "controller/core/result.h"
#include "controller/core/time.h"
#include "controller/ports/http_client.h"

namespace sconverge {

/// One request in the Slurm REST API's terms.
struct SlurmCall {
  HttpMethod method{HttpMethod::Get};
  std::string path;    ///< with query, e.g. "/slurm/v0.0.42/job/7"
  std::string body{};  ///< JSON; for POST only
  /// Not idempotent: it travels on a connection of its own and is sent at most once.
  bool at_most_once{false};
};

/// An answer whose body has been handed to the reader to its last byte.
struct AnswerHead {
  int status{0};
  std::optional<seconds> retry_after{};
  unsigned credentials{0};  ///< which credentials the request carried; see renew_credentials
  /// Not empty: Slurm was not asked, because who stands before it takes no such path; the status is
  /// 404 then, and this is what they said, in one line that names them.
  std::string refusal{};
};

/// Takes one request to Slurm and brings the answer. Thread-safe; no exception leaves it.
class Transport {
 public:
  virtual ~Transport() = default;

  /// Blocks until the whole body has arrived, at most for the configured timeout each time that the
  /// request is sent. `read_body` is called as often, on the calling thread, while bytes still
  /// arrive (and sees none if no answer comes); it may stop reading early. What it has read at last
  /// counts, and only if no Error is returned.
  ///
  /// An Error says what is known about the request, not about Slurm:
  ///   Unavailable  it never left whole (no address, refused, no body byte written): nothing
  ///                happened
  ///   Unknown      it may have arrived; the answer is lost, broken off or late
  ///   Rejected     this request cannot be sent this way as it is (too large); nothing happened
  ///   Denied       there are no credentials to send, or whoever stands before Slurm refuses them
  virtual Result<AnswerHead> exchange(const SlurmCall& call, const BodyReader& read_body) = 0;

  /// After an answer that refused the credentials numbered `used`: looks for newer ones. True if
  /// there are any, so that sending once more makes sense.
  virtual bool renew_credentials(unsigned used) = 0;

  /// Whether paths may carry a query. False once the way to Slurm has turned out to refuse them.
  [[nodiscard]] virtual bool takes_queries() const { return true; }

  /// When the credentials last used expire, where they tell.
  [[nodiscard]] virtual std::optional<TimePoint> credentials_expiry() const = 0;

  /// What is sent as credentials, for messages: "the token in FILE". Never their content.
  [[nodiscard]] virtual std::string credentials_text() const = 0;

  [[nodiscard]] virtual std::string endpoint() const = 0;  ///< the URL asked
  [[nodiscard]] virtual std::string user() const = 0;      ///< Slurm's user; empty if not known yet
};

/// The error of a request for which there are no credentials to send.
inline Error without_credentials(Error error) {
  error.transport = TransportFailure::Credentials;
  return error;
}

}  // namespace sconverge
