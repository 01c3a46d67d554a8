#include <nlohmann/json.hpp>

#include "controller/google/flow.h"
#include "controller/google/jwt.h"
#include "controller/google/question.h"

namespace sconverge {
namespace {

using nlohmann::json;

constexpr const char* kGoogleUniverse = "googleapis.com";

// A clock that is a little fast must not make a JWT of the future.
constexpr seconds kBackdated{30};
constexpr seconds kJwtLifetime{3600};

std::string dumped(const json& document) {
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// `claims` with the times added.
Result<std::string> jwt_of(const ServiceAccount& account, json claims, TimePoint now) {
  json header{{"alg", "RS256"}, {"typ", "JWT"}};
  if (!account.private_key_id.empty()) header["kid"] = account.private_key_id;
  const auto issued = std::chrono::floor<seconds>(now).time_since_epoch() - kBackdated;
  claims["iss"] = account.client_email;
  claims["iat"] = issued.count();
  claims["exp"] = (issued + kJwtLifetime).count();
  auto jwt = signed_jwt(dumped(header), dumped(claims), account.private_key);
  if (jwt) return jwt;
  return Error{ErrorKind::Denied,
               "its \"private_key\" " + jwt.error().message + "; get a new key file"};
}

Result<FetchedToken> self_signed(const ServiceAccount& account, const std::string& scope,
                                 const FlowContext& context) {
  const SteadyTime now = context.options.steady_now();
  const auto jwt =
      jwt_of(account, {{"sub", account.client_email}, {"scope", scope}}, context.clock.now());
  if (!jwt) return jwt.error();
  return FetchedToken{*jwt, now, kJwtLifetime - kBackdated};
}

Result<FetchedToken> exchanged(const ServiceAccount& account, const std::string& scope,
                               const FlowContext& context) {
  // The audience is the same whatever the file's token_uri is, as google-auth has it.
  const auto jwt =
      jwt_of(account, {{"aud", "https://oauth2.googleapis.com/token"}, {"scope", scope}},
             context.clock.now());
  if (!jwt) return jwt.error();
  Question question = form_question(
      account.token_uri,
      {{"grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"}, {"assertion", *jwt}});
  question.secrets = {*jwt, account.private_key};
  question.advice = {{"invalid_grant",
                      "check that the account and this key of it still exist and are enabled, or "
                      "get a new key file"},
                     {"", "get a new key file"}};
  const auto reply = ask(question, context);
  return reply ? token_in(*reply, question) : Result<FetchedToken>(reply.error());
}

}  // namespace

Result<FetchedToken> fetch_token(const ServiceAccount& account, const std::string& scope,
                                 const FlowContext& context) {
  // Token endpoints of other universes take no JWT (AIP-4111).
  const bool exchange = context.options.service_account_flow == ServiceAccountFlow::JwtBearer &&
                        account.universe_domain == kGoogleUniverse;
  return exchange ? exchanged(account, scope, context) : self_signed(account, scope, context);
}

}  // namespace sconverge
