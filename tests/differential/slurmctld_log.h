#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sconverge::test {

/// One request for a job as slurmctld got it, with what came of it.
struct LoggedRequest {
  std::uint32_t job{0};                         ///< 0: refused
  std::map<std::string, std::string> fields{};  ///< by the log's own names: "nice", "signal"
};

/// The requests in a piece of slurmctld's log at debug3, oldest first. Slurm prints a request over
/// some thirty lines, each with one field or more; what a field's value holds is taken as it is,
/// blanks and line ends too. REQUIRES: the requests came one after another, for the lines of two
/// at the same time cannot be told apart.
std::vector<LoggedRequest> requests_in(std::string_view log);

}  // namespace sconverge::test
