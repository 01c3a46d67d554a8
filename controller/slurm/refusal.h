#pragma once

#include <optional>
#include <string>

#include "controller/core/result.h"
#include "controller/ports/transport.h"
#include "controller/slurm/answer.h"

namespace sconverge {

/// What a request was meant to do; the same errno means different things for each.
enum class Purpose {
  Read,
  Submit,
  Change,  ///< update, hold, release
  Cancel,
};

/// Whether the answer says that our credentials are not good (as opposed to: not good for this).
bool refuses_credentials(const AnswerHead& head, const AnswerBody& body);

/// Whether the URL itself is unknown: this API version (or slurmdb as a whole) is not served.
bool is_unserved(const AnswerHead& head, const AnswerBody& body);

/// What Slurm complains of in an answer, if it does. A URL that is not served is no complaint.
std::optional<ApiFailure> api_failure_in(const AnswerHead& head, const AnswerBody& body);

/// What an answer that is not a success means for the caller. Slurm's errno decides where it gave
/// one, because HTTP 500 covers everything before Slurm 26.05; the HTTP status only otherwise.
/// `what` names the request in the message.
///
/// PROMISES: for a submit the kind is Unknown unless the answer proves that there is no job; for a
/// read it is Unavailable or Denied.
Error error_of(Purpose purpose, const std::string& what, const AnswerHead& head,
               const AnswerBody& body);

/// The same for a failure that Slurm reports for a single job of a request.
Error error_of(Purpose purpose, const std::string& what, const SlurmComplaint& complaint);

}  // namespace sconverge
