#include "controller/google/flow.h"
#include "controller/google/question.h"

namespace sconverge {

Result<FetchedToken> fetch_token(const AuthorizedUser& user, const std::string& /*scope*/,
                                 const FlowContext& context) {
  // The scopes are those that the user agreed to; the file's token_uri is ignored, as google-auth
  // does, so that nobody sends a refresh token elsewhere by swapping a file's field.
  Question question =
      form_question(context.options.user_token_url, {{"grant_type", "refresh_token"},
                                                     {"client_id", user.client_id},
                                                     {"client_secret", user.client_secret},
                                                     {"refresh_token", user.refresh_token}});
  question.secrets = {user.refresh_token, user.client_secret};
  question.advice = {{"", "run \"gcloud auth application-default login\" again"}};
  const auto reply = ask(question, context);
  return reply ? token_in(*reply, question) : Result<FetchedToken>(reply.error());
}

}  // namespace sconverge
