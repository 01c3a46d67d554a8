#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "controller/core/result.h"
#include "controller/ports/http_client.h"

namespace sconverge {

/// A request to callSlurmRestApi.
struct CallEnvelope {
  HttpMethod method{HttpMethod::Get};
  std::string path{};  ///< as it was sent, unchecked
  std::string body{};  ///< of a POST: its JSON object byte for byte, so that no number changes
};

/// Reads {"method":"HTTP_METHOD_POST","path":"/slurm/...","body":{...}}. `body` must be there for
/// POST and must not for others, where null and {} count as absent. Rejected, with a message that
/// says what and how, for everything else, unknown and repeated fields included.
Result<CallEnvelope> read_call_envelope(std::string_view text);

/// The first field of a submit's or update's body that would make a job run as somebody ("user_id",
/// "group_id" and what older or other versions call them, in any case), wherever it stands but
/// below "environment". Also one that Slurm might read as one: a NUL ends a name there.
///
/// REQUIRES: `body` is a JSON object. One that is nested more than 64 deep is Rejected.
Result<std::optional<std::string>> field_of_a_user(std::string_view body);

/// What an answer to GET job/{job_id} says about whose the job is.
struct JobOwners {
  bool readable{false};              ///< false: it is no JSON object, and nothing below counts
  std::size_t rows{0};               ///< in "jobs"
  std::size_t rows_without_user{0};  ///< of them
  std::set<std::string> users{};
  std::set<int> error_numbers{};  ///< of "errors"
};

/// `body` need not be UTF-8.
JobOwners read_job_owners(std::string_view body);

}  // namespace sconverge
