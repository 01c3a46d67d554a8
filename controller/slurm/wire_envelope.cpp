#include "controller/slurm/wire_envelope.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "controller/core/one_line.h"
#include "specs/utf8.h"

namespace sconverge {
namespace {

using nlohmann::json;

constexpr std::size_t kStartBytes = 200;
constexpr std::size_t kLongestKey = 64;  // far longer than those we look for

std::string quoted(const std::string& text) {
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view envelope_method(HttpMethod method) {
  switch (method) {
    case HttpMethod::Get:
      return "HTTP_METHOD_GET";
    case HttpMethod::Post:
      return "HTTP_METHOD_POST";
    case HttpMethod::Delete:
      return "HTTP_METHOD_DELETE";
  }
  return "";
}

}  // namespace

std::string envelope_of(const SlurmCall& call) {
  std::string text = R"({"method":")";
  text.append(envelope_method(call.method)).append(R"(","path":)").append(quoted(call.path));
  if (call.method == HttpMethod::Post) {
    text.append(R"(,"body":)").append(call.body.empty() ? "{}" : call.body);
  }
  return text + "}";
}

std::string_view EnvelopeSource::next() {
  passing_.clear();
  while (passing_.empty() && !finished_) {
    const std::string_view bytes = outer_.next();
    if (start_.size() < kStartBytes) start_.append(bytes.substr(0, kStartBytes));
    for (const char c : bytes) take(c);
    if (bytes.empty()) finish();
  }
  return passing_;
}

void EnvelopeSource::take(char c) {
  if (in_value_) return take_in_value(c);
  switch (at_) {
    case At::Start:
      if (!is_blank(c)) at_ = c == '{' ? At::Key : At::Broken;
      return;
    case At::Key:
      return take_in_key(c);
    case At::Colon:
      if (!is_blank(c)) at_ = c == ':' ? At::Value : At::Broken;
      return;
    case At::Value:
      if (!is_blank(c)) begin_value(c);
      return;
    case At::AfterValue:
      if (!is_blank(c)) at_ = c == ',' ? At::Key : c == '}' ? At::End : At::Broken;
      return;
    case At::End:
      if (!is_blank(c)) at_ = At::Broken;
      return;
    case At::Broken:
      return;
  }
}

void EnvelopeSource::take_in_key(char c) {
  if (!in_string_) {
    if (is_blank(c)) return;
    at_ = c == '"' ? At::Key : c == '}' ? At::End : At::Broken;
    in_string_ = c == '"';
    key_.clear();
  } else if (c == '"' && !escaped_) {
    in_string_ = false;
    at_ = At::Colon;
  } else {
    escaped_ = c == '\\' && !escaped_;
    if (key_.size() < kLongestKey) key_.push_back(c);
  }
}

void EnvelopeSource::begin_value(char c) {
  if (c == ',' || c == '}' || c == ']') {
    at_ = At::Broken;
    return;
  }
  use_ = Use::Nothing;
  const bool has_answer = c == '{' && (key_ == "structuredBody" || key_ == "body");
  const bool twice = key_ == "status" ? !status_.empty() : has_answer && passed_;
  if (twice) {
    // Which of them counts is not ours to guess: one may be an empty list of jobs.
    at_ = At::Broken;
    return;
  }
  if (key_ == "status") {
    use_ = Use::Status;
  } else if (has_answer) {
    use_ = Use::Pass;
    passed_ = true;
  } else if (c == '"' && key_ == "body") {
    use_ = Use::Body;
    body_.clear();
  }
  in_value_ = true;
  depth_ = 0;
  in_string_ = escaped_ = false;
  take_in_value(c);
}

void EnvelopeSource::take_in_value(char c) {
  if (!in_string_ && depth_ == 0 && (c == ',' || c == '}' || is_blank(c))) {
    // The end of a number or a word, which is not part of it.
    end_value();
    return take(c);
  }
  if (!in_string_ && depth_ == 0 && c == ']') {
    in_value_ = false;
    at_ = At::Broken;
    return;
  }
  add(c);
  if (ends_value(c)) end_value();
}

bool EnvelopeSource::ends_value(char c) {
  if (in_string_) {
    if (escaped_) {
      escaped_ = false;
    } else if (c == '\\') {
      escaped_ = true;
    } else if (c == '"') {
      in_string_ = false;
      return depth_ == 0;
    }
    return false;
  }
  if (c == '"') in_string_ = true;
  if (c == '{' || c == '[') ++depth_;
  if (c != '}' && c != ']') return false;
  return --depth_ == 0;
}

void EnvelopeSource::end_value() {
  in_value_ = false;
  at_ = At::AfterValue;
}

void EnvelopeSource::add(char c) {
  switch (use_) {
    case Use::Nothing:
      return;
    case Use::Pass:
      passing_.push_back(c);
      return;
    case Use::Body:
      body_.push_back(c);
      return;
    case Use::Status:
      status_.push_back(c);
      return;
  }
}

void EnvelopeSource::finish() {
  finished_ = true;
  if (at_ != At::End || in_value_) at_ = At::Broken;
  if (at_ == At::Broken || passed_) return;
  const json text = json::parse(body_, nullptr, false);
  passing_ = text.is_string() ? text.get<std::string>() : "{}";
}

std::optional<int> EnvelopeSource::status() const {
  if (at_ != At::End) return std::nullopt;
  // A service that keeps JSON as google.protobuf.Struct writes every number as a double.
  const json number = json::parse(status_, nullptr, false);
  if (!number.is_number()) return std::nullopt;
  const auto value = number.get<double>();
  if (!(value >= 100 && value < 1000)) return std::nullopt;
  return static_cast<int>(value);
}

std::string EnvelopeSource::start() const {
  // It may end within a character.
  return one_line(start_.substr(0, first_invalid_utf8(start_).value_or(start_.size())),
                  kStartBytes);
}

}  // namespace sconverge
