#include "controller/slurm/wire_google_error.h"

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "controller/core/one_line.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

using nlohmann::json;

std::string text_in(const json& object, const char* member) {
  const auto found = object.find(member);
  return found != object.end() && found->is_string() ? one_line(found->get<std::string>()) : "";
}

/// "58.934310785s"
std::optional<seconds> duration_in(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool good = end != text.c_str() && std::string_view(end) == "s" && std::isfinite(value);
  if (!good || value < 0 || value > 1e6) return std::nullopt;
  return seconds(static_cast<std::int64_t>(std::ceil(value)));
}

void read_detail(const json& detail, GoogleError& error) {
  if (!detail.is_object()) return;
  const std::string type = text_in(detail, "@type");
  if (type.ends_with("google.rpc.RetryInfo")) {
    error.retry_delay = duration_in(text_in(detail, "retryDelay"));
  } else if (type.ends_with("google.rpc.ErrorInfo")) {
    error.reason = text_in(detail, "reason");
    error.domain = text_in(detail, "domain");
  }
}

}  // namespace

GoogleError google_error_in(std::string_view body) {
  GoogleError error;
  const json document = json::parse(body, nullptr, false);
  const auto found = document.is_object() ? document.find("error") : document.end();
  if (!document.is_object() || found == document.end() || !found->is_object()) {
    error.message = one_line(body.substr(0, first_invalid_utf8(body).value_or(body.size())), 200);
    return error;
  }
  error.status = text_in(*found, "status");
  error.message = text_in(*found, "message");
  const auto details = found->find("details");
  if (details == found->end() || !details->is_array()) return error;
  for (const json& detail : *details) read_detail(detail, error);
  return error;
}

}  // namespace sconverge
