#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "controller/core/result.h"
#include "controller/ports/http_client.h"

namespace sconverge {

/// A path of the Slurm REST API, taken apart.
struct SlurmPath {
  struct Segment {
    std::string sent{};     ///< as it stands in the path
    std::string decoded{};  ///< without percent escapes
  };

  std::string text{};               ///< whole, with the query, as it was sent
  bool accounting{false};           ///< of slurmdbd ("/slurmdb/"), not of slurmctld ("/slurm/")
  std::string version{};            ///< "v0.0.42"
  std::vector<Segment> segments{};  ///< what follows the version; a slash at the end makes none
};

/// Takes only what every HTTP server reads the same way: /slurm/vX.Y.Z/... or /slurmdb/vX.Y.Z/...
/// without empty, "." and ".." segments, fragments, backslashes, control characters, and escapes of
/// what needs none or would mean something else unescaped. A query is passed on, although Google's
/// documentation never shows one; `queries` false refuses it. Rejected otherwise.
Result<SlurmPath> read_slurm_path(std::string_view text, bool queries);

/// The path with versions, ids and names folded: "/slurm/{version}/job/{job_id}". One of a small
/// closed set; "other" for paths that the Slurm REST API does not have.
std::string route_of(const SlurmPath& path);

/// What a call does, as far as the gateway must know.
enum class CallPurpose { Read, Submit, ChangeJob, CancelJob };

/// Everything that writes is forbidden (Denied), but for POST job/submit and POST and DELETE
/// job/{job_id}; so is GET reconfigure, which makes slurmctld read its configuration again.
/// Rejected if the job id is none: digits, with "_task" of an array or "+component" of a
/// heterogeneous job.
Result<CallPurpose> purpose_of(HttpMethod method, const SlurmPath& path);

}  // namespace sconverge
