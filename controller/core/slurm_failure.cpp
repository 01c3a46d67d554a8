#include "controller/core/slurm_failure.h"

#include <cstdlib>

namespace sconverge {

std::string_view to_text(TransportFailure failure) {
  switch (failure) {
    case TransportFailure::Dns:
      return "dns";
    case TransportFailure::Connect:
      return "connect";
    case TransportFailure::Tls:
      return "tls";
    case TransportFailure::Timeout:
      return "timeout";
    case TransportFailure::Closed:
      return "closed";
    case TransportFailure::Refused:
      return "refused";
    case TransportFailure::Credentials:
      return "credentials";
    case TransportFailure::Other:
      return "other";
  }
  std::abort();
}

std::string_view to_text(ApiFailure failure) {
  switch (failure) {
    case ApiFailure::Unavailable:
      return "unavailable";
    case ApiFailure::Limit:
      return "limit";
    case ApiFailure::Unspecified:
      return "unspecified";
    case ApiFailure::Rejected:
      return "rejected";
    case ApiFailure::Credentials:
      return "credentials";
    case ApiFailure::Forbidden:
      return "forbidden";
    case ApiFailure::NotFound:
      return "not_found";
  }
  std::abort();
}

}  // namespace sconverge
