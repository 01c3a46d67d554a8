#include "controller/google/form.h"

#include "controller/core/url_text.h"

namespace sconverge {

std::string form(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string body;
  for (const auto& [name, value] : fields) {
    if (value.empty()) continue;
    if (!body.empty()) body.push_back('&');
    body += percent_encoded(name) + "=" + percent_encoded(value);
  }
  return body;
}

}  // namespace sconverge
