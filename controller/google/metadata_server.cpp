#include <algorithm>
#include <charconv>

#include "controller/google/flow.h"
#include "controller/google/plain_line.h"
#include "controller/google/question.h"

namespace sconverge {
namespace {

constexpr const char* kFlavorHeader = "Metadata-Flavor";

int number_in(const Variables& variables, const char* name, int otherwise) {
  const std::string text = value_of(variables, name);
  int value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && value > 0 && value <= 60 ? value : otherwise;
}

std::string value_or(const std::string& value, const std::string& otherwise) {
  return value.empty() ? otherwise : value;
}

Question metadata_question(const std::string& url, int attempts, const Variables& variables) {
  Question question;
  question.call.url = url;
  question.call.headers = {{kFlavorHeader, "Google"}};
  question.call.timeout = seconds(number_in(variables, "GCE_METADATA_TIMEOUT", 3));
  question.attempts = attempts;
  return question;
}

bool is_metadata_server(const Reply& reply) {
  const auto flavor = reply.headers.find("metadata-flavor");
  return flavor != reply.headers.end() && flavor->second == "Google";
}

/// Whether there is a metadata server where we run. That it does not answer proves nothing: a pod's
/// may be late by seconds.
Result<Done> look_for_server(const FlowContext& context) {
  const Variables& variables = context.options.variables;
  const std::string address = value_or(value_of(variables, "GCE_METADATA_IP"), "169.254.169.254");
  const Question question = metadata_question(
      "http://" + address + "/", number_in(variables, "GCE_METADATA_DETECT_RETRIES", 3), variables);
  const auto reply = ask(question, context);
  if (reply && is_metadata_server(*reply)) return Done{};
  if (!reply && reply.error().kind == ErrorKind::Unavailable) {
    return Error{ErrorKind::Unavailable,
                 nothing_found(variables, "the metadata server does not answer (" +
                                              reply.error().message + "), which is asked again")};
  }
  return Error{ErrorKind::Denied,
               nothing_found(variables, "at " + plain_line(address) + " is no metadata server")};
}

}  // namespace

Result<FetchedToken> fetch_metadata_token(const FlowContext& context) {
  const Variables& variables = context.options.variables;
  if (value_of(variables, "NO_GCE_CHECK") == "true") {
    return Error{ErrorKind::Denied,
                 nothing_found(variables, "NO_GCE_CHECK says not to ask the metadata server")};
  }
  const std::string named =
      value_or(value_of(variables, "GCE_METADATA_HOST"), value_of(variables, "GCE_METADATA_ROOT"));
  if (named.empty()) {
    const auto found = look_for_server(context);
    if (!found) return found.error();
  }
  Question question =
      metadata_question("http://" + value_or(named, "metadata.google.internal") +
                            "/computeMetadata/v1/instance/service-accounts/default/token",
                        5, variables);
  question.advice = {{"404", "attach a service account to this machine or pod"}};
  const auto reply = ask(question, context);
  if (!reply) return reply.error();
  if (!is_metadata_server(*reply)) {
    return Error{ErrorKind::Denied,
                 nothing_found(variables, "at " + plain_line(named) + " is no metadata server")};
  }
  return token_in(*reply, question);
}

}  // namespace sconverge
