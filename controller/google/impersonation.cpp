#include <nlohmann/json.hpp>
#include <sstream>

#include "controller/google/flow.h"
#include "controller/google/plain_line.h"
#include "controller/google/question.h"
#include "controller/google/utc_time.h"

namespace sconverge {
namespace {

using nlohmann::json;

constexpr seconds kMostLifetime{24 * 3600};

json words_of(const std::string& scope) {
  json words = json::array();
  std::istringstream text(scope);
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

Question generate_question(const Impersonation& impersonation, const FetchedToken& token,
                           const std::string& scope) {
  json body{{"scope", words_of(scope)},
            {"lifetime", std::to_string(impersonation.lifetime.count()) + "s"}};
  if (!impersonation.delegates.empty()) body["delegates"] = impersonation.delegates;
  Question question;
  question.call.method = HttpMethod::Post;
  question.call.url = impersonation.url;
  question.call.headers = {{"Content-Type", "application/json"},
                           {"Authorization", "Bearer " + token.text}};
  question.call.body = body.dump(-1, ' ', false, json::error_handler_t::replace);
  question.call.timeout = seconds(30);
  question.secrets = {token.text};
  const std::string grant =
      "grant roles/iam.serviceAccountTokenCreator (for a workload identity: "
      "roles/iam.workloadIdentityUser) on " +
      plain_line(impersonated_account(impersonation.url)) +
      "; a grant takes up to 5 minutes to work";
  question.advice = {
      {"PERMISSION_DENIED", grant},
      {"403", grant},
      {"404", "check \"service_account_impersonation_url\": there is no such account"}};
  return question;
}

}  // namespace

Result<FetchedToken> impersonate(const Impersonation& impersonation, const FetchedToken& token,
                                 const std::string& scope, const FlowContext& context) {
  const Question question = generate_question(impersonation, token, scope);
  const auto reply = ask(question, context);
  if (!reply) return reply.error();
  const json answer = json::parse(reply->body, nullptr, false);
  if (!answer.is_object()) return senseless(question, "something that is not JSON");
  const auto text_in = [&](const char* name) {
    const auto found = answer.find(name);
    return found != answer.end() && found->is_string() ? found->get<std::string>() : "";
  };
  const std::string text = text_in("accessToken");
  if (!fits_a_header(text)) return senseless(question, "no accessToken");
  const auto expiry = time_in(text_in("expireTime"));
  if (!expiry) return senseless(question, "a token without a usable expireTime");
  // The server's own clock is the one that its expireTime was read from; ours may be wrong.
  const TimePoint now = reply->date.value_or(reply->sent_at);
  if (*expiry <= now) return senseless(question, "a token that has expired");
  const seconds lifetime =
      std::min(std::chrono::duration_cast<seconds>(*expiry - now), kMostLifetime);
  return FetchedToken{text, reply->sent, lifetime};
}

Result<FetchedToken> fetch_token(const std::shared_ptr<const ImpersonatedAccount>& account,
                                 const std::string& scope, const FlowContext& context) {
  auto token = fetch_token(account->source, kIamScope, context);
  if (!token) return token;
  std::string scopes;
  for (const std::string& one : account->scopes) scopes += (scopes.empty() ? "" : " ") + one;
  return impersonate(account->impersonation, *token, scopes.empty() ? scope : scopes, context);
}

Result<FetchedToken> fetch_token(const Credential& credential, const std::string& scope,
                                 const FlowContext& context) {
  return std::visit([&](const auto& held) { return fetch_token(held, scope, context); },
                    credential);
}

}  // namespace sconverge
