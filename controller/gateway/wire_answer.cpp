#include "controller/gateway/wire_answer.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "specs/utf8.h"

namespace sconverge {
namespace {

using nlohmann::json;

constexpr std::string_view kBegin = R"({"status":000,"structuredBody":)";
constexpr std::size_t kStatusAt = 10;
constexpr std::size_t kMostTextBytes = 4096;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_json_object(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  // nlohmann takes a NUL for the end of the text.
  return first != std::string_view::npos && text[first] == '{' &&
         text.find('\0') == std::string_view::npos && json::accept(text);
}

/// As much of it as fits, never a part of a character.
std::string beginning_of(std::string_view text) {
  std::string clean = as_utf8(text.substr(0, kMostTextBytes + 4));
  if (clean.size() <= kMostTextBytes) return clean;
  std::size_t end = kMostTextBytes;
  while ((static_cast<unsigned char>(clean[end]) & 0xC0U) == 0x80U) --end;
  return clean.substr(0, end);
}

/// What the code alone does not tell, and a client that submits must know.
std::string_view reason_of(RpcStatus status) {
  if (status == RpcStatus::DeadlineExceeded) return "MAY_HAVE_BEEN_CARRIED_OUT";
  if (status == RpcStatus::Unavailable) return "NOTHING_CHANGED";
  if (status == RpcStatus::PermissionDenied) return "CALL_NOT_ALLOWED";
  return "";
}

std::string error_text(int code, RpcStatus status, const std::string& message) {
  json error{{"code", code}, {"message", message}, {"status", to_text(status)}};
  if (const auto reason = reason_of(status); !reason.empty()) {
    error["details"] = json::array({{{"@type", "type.googleapis.com/google.rpc.ErrorInfo"},
                                     {"reason", reason},
                                     {"domain", "sconverge"}}});
  }
  return json{{"error", std::move(error)}}.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

RpcAnswer refusal(RpcStatus status, const std::string& message) {
  const int code = http_code(status);
  RpcAnswer answer{status, {code, kJson, error_text(code, status, message), {}}};
  if (status == RpcStatus::Unauthenticated) {
    answer.http.headers.emplace_back("WWW-Authenticate", "Bearer");
  }
  return answer;
}

HttpAnswer refusal_of_server(int http_status, const std::string& why) {
  const RpcStatus status = http_status == 503   ? RpcStatus::Unavailable
                           : http_status >= 500 ? RpcStatus::Internal
                                                : RpcStatus::InvalidArgument;
  return {http_status, kJson, error_text(http_status, status, why), {}};
}

RpcAnswer refusal(const Error& error) { return refusal(rpc_status(error.kind), error.message); }

std::string as_utf8(std::string_view text) {
  std::string clean;
  clean.reserve(text.size() + 64);
  while (const auto invalid = first_invalid_utf8(text)) {
    clean.append(text.substr(0, *invalid)).append(kReplacement);
    text.remove_prefix(*invalid + 1);
  }
  return clean.append(text);
}

AnswerEnvelope::AnswerEnvelope() : text_(kBegin) {}

std::string_view AnswerEnvelope::body() const {
  return std::string_view(text_).substr(kBegin.size());
}

std::string AnswerEnvelope::finish(int slurm_status) {
  const std::string digits = std::to_string(std::clamp(slurm_status, 100, 999));
  text_.replace(kStatusAt, digits.size(), digits);
  if (first_invalid_utf8(text_)) text_ = as_utf8(text_);
  if (is_json_object(body())) return std::move(text_) + "}";
  const std::string text = beginning_of(body());
  text_.resize(kBegin.size());
  text_ += "{}";
  if (!text.empty()) text_ += R"(,"body":)" + json(text).dump();
  return std::move(text_) + "}";
}

}  // namespace sconverge
