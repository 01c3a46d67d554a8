#include "controller/ports/http_exchange.h"

#include <algorithm>

namespace sconverge {

bool HttpRequest::has(std::string_view parameter) const {
  std::string_view rest = query;
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find('&'));
    if (one.substr(0, one.find('=')) == parameter) return true;
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
  }
  return false;
}

}  // namespace sconverge
