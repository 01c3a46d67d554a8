#include <nlohmann/json.hpp>

#include "controller/google/endpoint_url.h"
#include "controller/google/flow.h"
#include "controller/google/plain_line.h"
#include "controller/google/question.h"
#include "controller/ports/changing_file.h"

namespace sconverge {
namespace {

using nlohmann::json;

Error denied(const std::string& message) { return {ErrorKind::Denied, message}; }

/// `name` is where the text comes from.
Result<std::string> token_in_text(const std::string& text, const std::string& field,
                                  const std::string& name) {
  std::string token(trimmed_at_end(text));
  if (!field.empty()) {
    const json document = json::parse(text, nullptr, false);
    const auto found = document.is_object() ? document.find(field) : document.end();
    if (!document.is_object() || found == document.end() || !found->is_string()) {
      return denied(name + " has no text in the JSON field \"" + plain_line(field, 60) + "\"");
    }
    token = found->get<std::string>();
  }
  if (token.empty()) return denied(name + " holds no token");
  return token;
}

Result<std::string> from_url(const SubjectTokenSource& source, const FlowContext& context) {
  Question question;
  question.call.url = source.url;
  question.call.headers = source.headers;
  question.call.timeout = seconds(30);
  for (const auto& [name, value] : source.headers) {
    question.secrets.push_back(value);
    question.secrets.push_back(value.substr(value.find(' ') + 1));  // without "Bearer"
  }
  question.advice = {{"", "a CI job's URL and its request token end with the job"}};
  const auto reply = ask(question, context);
  if (!reply) return reply.error();
  return token_in_text(reply->body, source.json_field, "the answer of " + shown_url(source.url));
}

}  // namespace

Result<std::string> read_subject_token(const SubjectTokenSource& source,
                                       const FlowContext& context) {
  if (source.file.empty()) return from_url(source, context);
  const std::string name = "the subject token file \"" + source.file + "\"";
  const auto file = read_changing_file(source.file);
  if (!file) return denied(name + " " + file.error().message);
  return token_in_text(file->text, source.json_field, name);
}

}  // namespace sconverge
