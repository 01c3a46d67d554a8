#pragma once

#include <array>
#include <string_view>

namespace sconverge {

/// Why a request brought no answer of Slurm's. Closed set; metric label values come from here.
enum class TransportFailure {
  Dns,          ///< the host name has no address
  Connect,      ///< nobody listens there
  Tls,          ///< the server is not trusted, or speaks no TLS
  Timeout,      ///< no whole answer in time
  Closed,       ///< the connection ended before the answer did
  Refused,      ///< whoever stands before Slurm did not pass it on
  Credentials,  ///< there are none to send
  Other,
};
inline constexpr std::array kAllTransportFailures{
    TransportFailure::Dns,         TransportFailure::Connect, TransportFailure::Tls,
    TransportFailure::Timeout,     TransportFailure::Closed,  TransportFailure::Refused,
    TransportFailure::Credentials, TransportFailure::Other};
std::string_view to_text(TransportFailure failure);  ///< "dns", ...

/// What an answer of Slurm's complains of, by its error number. Closed set, as above.
enum class ApiFailure {
  Unavailable,  ///< slurmctld or slurmdbd was not reached, or cannot do it now
  Limit,        ///< one was met; trying again soon is of no use
  Unspecified,  ///< no error number, or one that says nothing; it may have been carried out
  Rejected,     ///< it was looked at and is not wanted
  Credentials,  ///< Slurm does not believe us
  Forbidden,    ///< it does, and says no
  NotFound,     ///< there is no such job (any more)
};
inline constexpr std::array kAllApiFailures{
    ApiFailure::Unavailable, ApiFailure::Limit,     ApiFailure::Unspecified, ApiFailure::Rejected,
    ApiFailure::Credentials, ApiFailure::Forbidden, ApiFailure::NotFound};
std::string_view to_text(ApiFailure failure);  ///< "unavailable", ...

}  // namespace sconverge
