#include "controller/slurm/transport.h"

namespace sconverge {

std::string_view to_text(HttpMethod method) {
  switch (method) {
    case HttpMethod::Get:
      return "GET";
    case HttpMethod::Post:
      return "POST";
    case HttpMethod::Delete:
      return "DELETE";
  }
  return "";
}

}  // namespace sconverge
