#include "controller/google/refusal.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

namespace sconverge {
namespace {

using nlohmann::json;

std::string text_in(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

Refusal refusal_in(const std::string& body) {
  const json document = json::parse(body, nullptr, false);
  if (!document.is_object()) return {"", "", body};
  const auto error = document.find("error");
  if (error != document.end() && error->is_object()) {
    return {text_in(*error, "status"), "", text_in(*error, "message")};
  }
  const std::string code = text_in(document, "error");
  if (code.empty()) return {"", "", body};
  return {code, text_in(document, "error_subtype"), text_in(document, "error_description")};
}

bool is_passing(int status, const Refusal& refusal) {
  constexpr std::array kStatuses{408, 429, 500, 503, 504};
  constexpr std::array<std::string_view, 3> kCodes{"internal_failure", "server_error",
                                                   "temporarily_unavailable"};
  return std::find(kStatuses.begin(), kStatuses.end(), status) != kStatuses.end() ||
         std::find(kCodes.begin(), kCodes.end(), refusal.code) != kCodes.end();
}

}  // namespace sconverge
