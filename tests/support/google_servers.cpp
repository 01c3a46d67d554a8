#include "tests/support/google_servers.h"

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/rsa_key.h"

namespace sconverge::test {
namespace {

using nlohmann::json;

constexpr const char* kKeyId = "0f1e2d3c4b5a69788796a5b4c3d2e1f001122334";
constexpr const char* kUserClient = "764086051850-x.apps.googleusercontent.com";
constexpr const char* kUserSecret = "d-FL95Q19q7MQmFpd7hHD0Ty";
constexpr const char* kRefreshToken = "1//0eRefreshToken-of-somebody";
constexpr const char* kClient = "sts-client";
constexpr const char* kClientSecret = "sts-client-secret";
constexpr const char* kRequestToken = "oidc-request-token-of-the-job";
constexpr const char* kMachineEmail = "machine@project.iam.gserviceaccount.com";

/// The account's key, made when it is first needed.
const RsaKey& account_key() {
  static const RsaKey key = make_rsa_key();
  return key;
}

StubAnswer json_answer(int status, const json& body) { return {status, body.dump()}; }

StubAnswer oauth_error(int status, const std::string& error, const std::string& description) {
  return json_answer(status, {{"error", error}, {"error_description", description}});
}

StubAnswer google_error(int status, const std::string& code, const std::string& message) {
  return json_answer(status,
                     {{"error", {{"code", status}, {"message", message}, {"status", code}}}});
}

bool has_word(const std::string& words, const std::string& wanted) {
  std::istringstream text(words);
  for (std::string word; text >> word;) {
    if (word == wanted) return true;
  }
  return false;
}

std::string utc(TimePoint time, const char* format) {
  const std::time_t at = std::chrono::system_clock::to_time_t(
      std::chrono::time_point_cast<std::chrono::system_clock::duration>(time));
  std::tm parts{};
  gmtime_r(&at, &parts);
  char text[64];
  return {text, std::strftime(text, sizeof text, format, &parts)};
}

std::string base64_decoded(std::string text) {
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  text.erase(std::find(text.begin(), text.end(), '='), text.end());
  return base64url_decoded(text).value_or("");
}

/// What is wrong with the body of generateAccessToken.
std::string trouble_with_generate(const json& body) {
  if (!body.is_object()) return "Invalid JSON payload received.";
  for (const auto& [name, value] : body.items()) {
    if (name != "delegates" && name != "scope" && name != "lifetime") {
      return "Invalid JSON payload received. Unknown name \"" + name + "\"";
    }
  }
  const json scopes = body.value("scope", json());
  if (!scopes.is_array() || scopes.empty()) return "Scope must be specified.";
  const std::string lifetime = body.value("lifetime", "3600s");
  const int asked = std::atoi(lifetime.c_str());
  return asked < 1 || asked > 43200 || !lifetime.ends_with("s") ? "The lifetime is out of range."
                                                                : "";
}

}  // namespace

GoogleServers::GoogleServers(std::function<TimePoint()> now)
    : now_(std::move(now)),
      server_([this](const StubRequest& request) { return answer(request); }) {}

std::string GoogleServers::service_account() const {
  return json{{"type", "service_account"},
              {"project_id", "project"},
              {"private_key_id", kKeyId},
              {"private_key", account_key().private_pem},
              {"client_email", kAccount},
              {"client_id", "103"},
              {"auth_uri", "https://accounts.google.com/o/oauth2/auth"},
              {"token_uri", token_url()},
              {"universe_domain", "googleapis.com"}}
      .dump(2);
}

std::string GoogleServers::authorized_user() const {
  return json{{"type", "authorized_user"},          {"account", kUser},
              {"client_id", kUserClient},           {"client_secret", kUserSecret},
              {"refresh_token", kRefreshToken},     {"quota_project_id", "paying-project"},
              {"universe_domain", "googleapis.com"}}
      .dump(2);
}

std::string GoogleServers::external_account(const std::string& file) const {
  json account{{"type", "external_account"},
               {"audience", kAudience},
               {"subject_token_type", "urn:ietf:params:oauth:token-type:jwt"},
               {"token_url", url() + "/v1/token"},
               {"credential_source", {{"file", file}}}};
  if (needs_client) {
    account["client_id"] = kClient;
    account["client_secret"] = kClientSecret;
  }
  return account.dump(2);
}

std::string GoogleServers::external_account_of_url() const {
  json account = json::parse(external_account(""));
  account["credential_source"] = {
      {"url", url() + "/oidc?api-version=2.0&audience=https%3A%2F%2Fiam.googleapis.com%2Fpool"},
      {"headers", {{"Authorization", std::string("Bearer ") + kRequestToken}}},
      {"format", {{"type", "json"}, {"subject_token_field_name", "value"}}}};
  return account.dump(2);
}

std::string GoogleServers::impersonated(const std::string& source) const {
  return json{{"type", "impersonated_service_account"},
              {"service_account_impersonation_url", impersonation_url(kTarget)},
              {"delegates", json::array()},
              {"source_credentials", json::parse(source)}}
      .dump(2);
}

std::string GoogleServers::impersonation_url(const std::string& account) const {
  return url() + "/v1/projects/-/serviceAccounts/" + account + ":generateAccessToken";
}

std::string GoogleServers::metadata_host() const { return url().substr(url().find("//") + 2); }

std::optional<IssuedToken> GoogleServers::whose(const std::string& token) const {
  const std::lock_guard lock(mutex_);
  return bearer_of(token);
}

std::vector<std::string> GoogleServers::secrets() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> all{kUserSecret, kRefreshToken, kClientSecret, kRequestToken,
                               subject_token};
  for (const auto& [token, whose] : issued_) all.push_back(token);
  std::istringstream key(account_key().private_pem);
  for (std::string line; std::getline(key, line);) {
    if (!line.starts_with("-----")) all.push_back(line);
  }
  return all;
}

int GoogleServers::count(const std::string& path) const {
  const auto all = requests();
  return static_cast<int>(std::count_if(all.begin(), all.end(), [&](const StubRequest& request) {
    return request.path.find(path) != std::string::npos;
  }));
}

void GoogleServers::fail_next(int times, const std::string& path, const StubAnswer& answer) {
  const std::lock_guard lock(mutex_);
  faults_.push_back({times, path, answer});
}

StubAnswer GoogleServers::answer(const StubRequest& request) {
  const std::lock_guard lock(mutex_);
  StubAnswer answer;
  const auto fault = std::find_if(faults_.begin(), faults_.end(), [&](const Fault& one) {
    return one.times > 0 && request.path.find(one.path) != std::string::npos;
  });
  if (fault != faults_.end()) {
    --fault->times;
    answer = fault->answer;
  } else {
    answer = route(request);
  }
  if (tells_time) answer.headers["Date"] = utc(now_(), "%a, %d %b %Y %H:%M:%S GMT");
  return answer;
}

StubAnswer GoogleServers::route(const StubRequest& request) {
  const std::string& path = request.path;
  if (request.method == "POST" && path == "/token") return token(StubForm(request));
  if (request.method == "POST" && path == "/v1/token") {
    return exchange_subject_token(request, StubForm(request));
  }
  if (request.method == "POST" && path.starts_with("/v1/projects/-/serviceAccounts/")) {
    return impersonate(request);
  }
  if (request.method == "GET" && path.starts_with("/oidc")) return subject_token_answer(request);
  if (request.method == "GET" && (path == "/" || path.starts_with("/computeMetadata/v1/"))) {
    return metadata(request);
  }
  return {404, "<html><title>Error 404 (Not Found)!!1</title></html>", "text/html"};
}

StubAnswer GoogleServers::token(const StubForm& form) {
  const std::string grant = form["grant_type"];
  if (grant == "urn:ietf:params:oauth:grant-type:jwt-bearer") return exchange_jwt(form);
  if (grant == "refresh_token") return refresh_user(form);
  return oauth_error(400, "unsupported_grant_type", "Invalid grant_type: " + grant);
}

StubAnswer GoogleServers::exchange_jwt(const StubForm& form) {
  const std::string trouble = trouble_with_assertion(form["assertion"], jwt_rules());
  if (!trouble.empty()) return oauth_error(400, "invalid_grant", trouble);
  const std::string scope = claim_of(form["assertion"], "scope");
  if (scope.empty()) {
    return oauth_error(400, "invalid_scope", "Invalid OAuth scope or ID token audience provided.");
  }
  return token_answer(kAccount, scope);
}

StubAnswer GoogleServers::refresh_user(const StubForm& form) {
  if (form["client_id"] != kUserClient || form["client_secret"] != kUserSecret) {
    return oauth_error(401, "invalid_client", "The OAuth client was not found.");
  }
  if (form["refresh_token"] != kRefreshToken) {
    return oauth_error(400, "invalid_grant", "Token has been expired or revoked.");
  }
  if (login_has_expired) {
    return json_answer(400, {{"error", "invalid_grant"},
                             {"error_description", "reauth related error (invalid_rapt)"},
                             {"error_uri", "https://support.google.com/a/answer/9368756"},
                             {"error_subtype", "invalid_rapt"}});
  }
  return token_answer(kUser, kCloudScope);
}

StubAnswer GoogleServers::exchange_subject_token(const StubRequest& request, const StubForm& form) {
  const auto invalid = [](const std::string& field) {
    return oauth_error(400, "invalid_request", "Invalid value for \"" + field + "\".");
  };
  const std::string type = "urn:ietf:params:oauth:token-type:";
  if (form["grant_type"] != "urn:ietf:params:oauth:grant-type:token-exchange") {
    return oauth_error(400, "unsupported_grant_type", "Invalid \"grant_type\".");
  }
  if (form["requested_token_type"] != type + "access_token") return invalid("requested_token_type");
  if (form["subject_token_type"] != type + "jwt") return invalid("subject_token_type");
  if (form["scope"].empty()) return invalid("scope");
  const std::string audience = form["audience"];
  if (audience != kAudience && audience != kWorkforceAudience) {
    return oauth_error(400, "invalid_target",
                       "The target service indicated by the \"audience\" parameters is invalid. "
                       "This might either be because the pool or provider is disabled or deleted "
                       "or because it doesn't exist.");
  }
  const json options = json::parse(form_decoded(form["options"]), nullptr, false);
  if (audience == kWorkforceAudience &&
      (!options.is_object() || options.value("userProject", "") != "user-project")) {
    return invalid("options");
  }
  const std::string basic = header_of(request, "authorization");
  if (needs_client &&
      (!basic.starts_with("Basic ") ||
       base64_decoded(basic.substr(6)) != std::string(kClient) + ":" + kClientSecret)) {
    return oauth_error(401, "invalid_client", "The OAuth client is invalid.");
  }
  if (form["subject_token"] != subject_token) {
    return oauth_error(400, "invalid_grant", "ID Token issued at 1773489600 is stale to sign-in.");
  }
  auto answer = json::parse(token_answer(kWorkload, form["scope"]).body);
  answer["issued_token_type"] = type + "access_token";
  return json_answer(200, answer);
}

StubAnswer GoogleServers::impersonate(const StubRequest& request) {
  const std::string authorization = header_of(request, "authorization");
  const auto source =
      authorization.starts_with("Bearer ") ? bearer_of(authorization.substr(7)) : std::nullopt;
  if (!source) {
    return google_error(401, "UNAUTHENTICATED",
                        "Request had invalid authentication credentials. Expected OAuth 2 access "
                        "token, login cookie or other valid authentication credential.");
  }
  if (!has_word(source->scope, kIamScope) && !has_word(source->scope, kCloudScope)) {
    return google_error(403, "PERMISSION_DENIED",
                        "Request had insufficient authentication scopes.");
  }
  const json body = json::parse(request.body, nullptr, false);
  const bool is_json = header_of(request, "content-type").starts_with("application/json");
  const std::string trouble =
      is_json ? trouble_with_generate(body) : "Invalid JSON payload received.";
  if (!trouble.empty()) return google_error(400, "INVALID_ARGUMENT", trouble);
  const std::string target = request.path.substr(request.path.rfind('/') + 1);
  const json delegates = body.value("delegates", json());
  const bool direct = target == std::string(kTarget) + ":generateAccessToken";
  const bool far = target == std::string(kFarTarget) + ":generateAccessToken" &&
                   delegates == json{std::string("projects/-/serviceAccounts/") + kDelegate};
  if (!direct && !far) {
    return google_error(403, "PERMISSION_DENIED",
                        "Permission 'iam.serviceAccounts.getAccessToken' denied on resource (or it "
                        "may not exist).");
  }
  std::string scope;
  for (const json& one : body["scope"])
    scope += (scope.empty() ? "" : " ") + one.get<std::string>();
  const std::string account = target.substr(0, target.find(':'));
  const std::string token = issue(account, scope);
  const int asked = std::atoi(body.value("lifetime", "3600s").c_str());
  issued_[token].expiry = now_() + seconds(asked);
  return json_answer(
      200, {{"accessToken", token},
            {"expireTime", utc(now_() + seconds(asked), "%Y-%m-%dT%H:%M:%S") + expire_time_end}});
}

StubAnswer GoogleServers::subject_token_answer(const StubRequest& request) const {
  if (header_of(request, "authorization") != std::string("Bearer ") + kRequestToken) {
    return json_answer(401, {{"message", "The request token is not valid."}});
  }
  if (request.path.starts_with("/oidc-text")) return {200, subject_token + "\n", "text/plain"};
  return json_answer(200, {{"count", 1}, {"value", subject_token}});
}

StubAnswer GoogleServers::metadata(const StubRequest& request) {
  if (header_of(request, "metadata-flavor") != "Google") {
    return {403, "Missing Metadata-Flavor:Google header.", "text/html"};
  }
  StubAnswer answer{200, "computeMetadata/\n", "application/text"};
  const std::string accounts = "/computeMetadata/v1/instance/service-accounts/";
  const std::string path = request.path.substr(0, request.path.find('?'));
  if (path == accounts + "default/token" || path == accounts + kMachineEmail + "/token") {
    answer = account_attached ? token_answer(kMachine, kCloudScope)
                              : StubAnswer{404, "Error 404 (Not Found)!!1", "text/html"};
  } else if (path == accounts + "default/") {
    answer = json_answer(
        200, {{"aliases", {"default"}}, {"email", kMachineEmail}, {"scopes", {kCloudScope}}});
  } else if (path != "/") {
    answer = {404, "Error 404 (Not Found)!!1", "text/html"};
  }
  answer.headers["Metadata-Flavor"] = "Google";
  return answer;
}

std::optional<IssuedToken> GoogleServers::bearer_of(const std::string& token) const {
  const auto found = issued_.find(token);
  if (found != issued_.end()) {
    return now_() < found->second.expiry ? std::optional(found->second) : std::nullopt;
  }
  if (!trouble_with_bearer(token, jwt_rules()).empty()) return std::nullopt;
  return IssuedToken{claim_of(token, "iss"), claim_of(token, "scope"), expiry_of(token)};
}

JwtRules GoogleServers::jwt_rules() const {
  return {kAccount, kKeyId, account_key().public_pem, token_url(), now_()};
}

std::string GoogleServers::issue(const std::string& principal, const std::string& scope) {
  std::string token = "ya29.token-" + std::to_string(issued_.size() + 1) + "-of-the-servers";
  issued_[token] = {principal, scope, now_() + lifetime};
  return token;
}

StubAnswer GoogleServers::token_answer(const std::string& principal, const std::string& scope) {
  json answer{{"access_token", issue(principal, scope)}, {"token_type", "Bearer"}};
  answer["expires_in"] = lifetime.count();
  if (lifetime_as_text) answer["expires_in"] = std::to_string(lifetime.count());
  return json_answer(200, answer);
}

}  // namespace sconverge::test
