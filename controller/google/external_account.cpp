#include <nlohmann/json.hpp>

#include "controller/core/url_text.h"
#include "controller/google/base64.h"
#include "controller/google/flow.h"
#include "controller/google/form.h"
#include "controller/google/question.h"

namespace sconverge {
namespace {

/// Who pays, if that is not said by a client of their own; encoded twice, as google-auth does.
std::string options_of(const ExternalAccount& account) {
  if (account.workforce_pool_user_project.empty() || !account.client_id.empty()) return "";
  const nlohmann::json options{{"userProject", account.workforce_pool_user_project}};
  return percent_encoded(options.dump());
}

/// Security Token Service (RFC 8693).
Question exchange_question(const ExternalAccount& account, const std::string& subject_token,
                           const std::string& scope) {
  Question question = form_question(
      account.token_url, {{"grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"},
                          {"requested_token_type", "urn:ietf:params:oauth:token-type:access_token"},
                          {"audience", account.audience},
                          {"subject_token", subject_token},
                          {"subject_token_type", account.subject_token_type},
                          {"scope", scope},
                          {"options", options_of(account)}});
  question.secrets = {subject_token, account.client_secret};
  if (!account.client_id.empty()) {
    const std::string basic = base64(account.client_id + ":" + account.client_secret);
    question.call.headers["Authorization"] = "Basic " + basic;
    question.secrets.push_back(basic);
  }
  question.advice = {
      {"invalid_client", "check \"client_id\" and \"client_secret\""},
      {"unauthorized_client", "check the provider's attribute condition"},
      {"invalid_target", "check \"audience\": the pool or provider is not there or is disabled"},
      {"",
       "check that the subject token is fresh and that the provider named in \"audience\" "
       "takes its issuer and audience"}};
  return question;
}

}  // namespace

Result<FetchedToken> fetch_token(const ExternalAccount& account, const std::string& scope,
                                 const FlowContext& context) {
  const bool impersonates = !account.impersonation.url.empty();
  const auto subject_token = read_subject_token(account.source, context);
  if (!subject_token) return subject_token.error();
  const Question question =
      exchange_question(account, *subject_token, impersonates ? kIamScope : scope);
  const auto reply = ask(question, context);
  if (!reply) return reply.error();
  auto token = token_in(*reply, question);
  if (!token || !impersonates) return token;
  return impersonate(account.impersonation, *token, scope, context);
}

}  // namespace sconverge
