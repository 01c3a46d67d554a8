#include "controller/google/credential_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "controller/google/endpoint_url.h"
#include "controller/google/plain_line.h"

namespace sconverge {
namespace {

using nlohmann::json;

constexpr const char* kGoogleUniverse = "googleapis.com";
constexpr const char* kSupported =
    "supported are service_account, external_account, authorized_user and "
    "impersonated_service_account";
constexpr int kMostNested = 4;

/// An object's fields. What is wrong with them is collected, so that one look tells all.
class Fields {
 public:
  Fields(const json& object, std::string path, std::vector<std::string>& problems)
      : object_(object), path_(std::move(path)), problems_(problems) {}

  std::string required(const char* name) {
    const auto found = object_.find(name);
    if (found == object_.end() || found->is_null()) problem(name, "is missing");
    std::string text = optional(name);
    if (text.empty() && found != object_.end() && found->is_string()) problem(name, "is empty");
    return text;
  }
  std::string optional(const char* name) {
    const auto found = object_.find(name);
    if (found == object_.end() || found->is_null()) return "";
    if (found->is_string()) return found->get<std::string>();
    problem(name, "is not a text");
    return "";
  }
  std::vector<std::string> texts(const char* name) {
    std::vector<std::string> items;
    const auto found = object_.find(name);
    if (found == object_.end() || found->is_null()) return items;
    const auto is_text = [](const json& item) { return item.is_string(); };
    if (!found->is_array() || !std::all_of(found->begin(), found->end(), is_text)) {
      problem(name, "is not a list of texts");
      return items;
    }
    return found->get<std::vector<std::string>>();
  }
  /// Empty if it is not there, and with a problem if it is something else.
  json object(const char* name) {
    const auto found = object_.find(name);
    if (found == object_.end() || found->is_null()) return json::object();
    if (found->is_object()) return *found;
    problem(name, "is not an object");
    return json::object();
  }
  json required_object(const char* name) {
    const auto found = object_.find(name);
    if (found == object_.end() || found->is_null()) problem(name, "is missing");
    return object(name);
  }
  std::string url(const std::string& value, const char* name,
                  std::string (*trouble)(std::string_view)) {
    const std::string why = value.empty() ? "" : trouble(value);
    if (!why.empty()) problem(name, why);
    return value;
  }
  [[nodiscard]] const json& all() const { return object_; }
  [[nodiscard]] Fields below(const json& object, const char* name) const {
    return {object, path_ + name + ".", problems_};
  }
  void problem(const std::string& name, const std::string& why) {
    problems_.push_back("\"" + path_ + name + "\" " + why);
  }
  /// About the object itself.
  void problem(const std::string& why) {
    problems_.push_back("\"" + path_.substr(0, path_.size() - 1) + "\" " + why);
  }

 private:
  const json& object_;
  std::string path_;
  std::vector<std::string>& problems_;
};

std::optional<Credential> credential_in(Fields fields, int nested);

ServiceAccount service_account_in(Fields fields) {
  ServiceAccount account;
  account.client_email = fields.required("client_email");
  account.private_key = fields.required("private_key");
  account.private_key_id = fields.optional("private_key_id");
  account.token_uri = fields.url(fields.optional("token_uri"), "token_uri", trouble_with_endpoint);
  if (account.token_uri.empty()) account.token_uri = "https://oauth2.googleapis.com/token";
  account.universe_domain = fields.optional("universe_domain");
  if (account.universe_domain.empty()) account.universe_domain = kGoogleUniverse;
  return account;
}

AuthorizedUser authorized_user_in(Fields fields) {
  AuthorizedUser user;
  user.client_id = fields.required("client_id");
  user.client_secret = fields.required("client_secret");
  user.refresh_token = fields.required("refresh_token");
  user.account = fields.optional("account");
  const std::string universe = fields.optional("universe_domain");
  if (!universe.empty() && universe != kGoogleUniverse) {
    fields.problem("universe_domain", std::string("must be ") + kGoogleUniverse + " for a user");
  }
  return user;
}

std::map<std::string, std::string> headers_in(Fields& fields) {
  std::map<std::string, std::string> headers;
  const json object = fields.object("headers");
  for (const auto& [name, value] : object.items()) {
    const bool one_line = value.is_string() && [](const std::string& text) {
      return std::none_of(text.begin(), text.end(), [](char c) { return c < ' ' || c == 0x7F; });
    }(value.get<std::string>());
    if (!fits_a_header(name) || name.find(':') != name.npos || !one_line) {
      fields.problem("headers", "holds something that is no header");
      continue;
    }
    headers[name] = value.get<std::string>();
  }
  return headers;
}

/// The field of the JSON that is the token; empty if the whole text is.
std::string json_field_in(Fields fields) {
  const std::string type = fields.optional("type");
  if (type == "json") return fields.required("subject_token_field_name");
  if (!type.empty() && type != "text") fields.problem("type", "is neither \"text\" nor \"json\"");
  return "";
}

/// Empty if sources of this kind are supported.
std::string unsupported_kind(const json& source) {
  for (const char* kind : {"executable", "certificate"}) {
    if (source.contains(kind)) return kind;
  }
  const bool aws = source.contains("environment_id") && source["environment_id"].is_string() &&
                   source["environment_id"].get<std::string>().starts_with("aws");
  return aws ? "AWS" : "";
}

SubjectTokenSource subject_token_source_in(Fields fields) {
  SubjectTokenSource source;
  if (const auto kind = unsupported_kind(fields.all()); !kind.empty()) {
    fields.problem("is of the kind " + kind +
                   ", which is not supported; supported are \"file\" and \"url\"");
    return source;
  }
  source.file = fields.optional("file");
  source.url = fields.url(fields.optional("url"), "url", trouble_with_token_source);
  source.headers = headers_in(fields);
  const json format = fields.object("format");
  source.json_field = json_field_in(fields.below(format, "format"));
  if (fields.all().contains("environment_id")) {
    fields.problem("environment_id", "does not belong beside \"file\" or \"url\"");
  }
  if (source.file.empty() == source.url.empty()) {
    fields.problem("needs exactly one of \"file\" and \"url\"");
  }
  return source;
}

Impersonation impersonation_in(Fields fields, bool needed) {
  constexpr const char* kUrl = "service_account_impersonation_url";
  Impersonation impersonation;
  impersonation.url = fields.url(needed ? fields.required(kUrl) : fields.optional(kUrl), kUrl,
                                 trouble_with_endpoint);
  if (!impersonation.url.empty() && !impersonation.url.ends_with(":generateAccessToken")) {
    fields.problem(kUrl, "does not end in \":generateAccessToken\"");
  }
  const json options = fields.object("service_account_impersonation");
  const auto lifetime = options.find("token_lifetime_seconds");
  if (lifetime == options.end() || lifetime->is_null()) return impersonation;
  const bool good = lifetime->is_number_unsigned() && lifetime->get<std::uint64_t>() >= 600 &&
                    lifetime->get<std::uint64_t>() <= 43200;
  if (good) {
    impersonation.lifetime = seconds(lifetime->get<int>());
  } else {
    fields.below(options, "service_account_impersonation")
        .problem("token_lifetime_seconds", "is not a whole number from 600 to 43200");
  }
  return impersonation;
}

ExternalAccount external_account_in(Fields fields) {
  ExternalAccount account;
  account.audience = fields.required("audience");
  account.subject_token_type = fields.required("subject_token_type");
  account.token_url = fields.url(fields.required("token_url"), "token_url", trouble_with_endpoint);
  account.client_id = fields.optional("client_id");
  account.client_secret = fields.optional("client_secret");
  account.workforce_pool_user_project = fields.optional("workforce_pool_user_project");
  const bool workforce = account.audience.starts_with("//iam.googleapis.com/locations/") &&
                         account.audience.find("/workforcePools/") != std::string::npos;
  if (!account.workforce_pool_user_project.empty() && !workforce) {
    fields.problem("workforce_pool_user_project", "belongs to a workforce pool's audience only");
  }
  account.impersonation = impersonation_in(fields, false);
  const json source = fields.required_object("credential_source");
  if (fields.all().contains("credential_source")) {
    account.source = subject_token_source_in(fields.below(source, "credential_source"));
  }
  return account;
}

std::shared_ptr<const ImpersonatedAccount> impersonated_account_in(Fields fields, int nested) {
  ImpersonatedAccount account;
  account.impersonation = impersonation_in(fields, true);
  account.impersonation.delegates = fields.texts("delegates");
  account.scopes = fields.texts("scopes");
  const json source = fields.required_object("source_credentials");
  if (nested >= kMostNested) {
    fields.problem("source_credentials", "is nested too deeply");
  } else if (fields.all().contains("source_credentials")) {
    auto credential = credential_in(fields.below(source, "source_credentials"), nested + 1);
    if (credential) account.source = std::move(*credential);
  }
  return std::make_shared<const ImpersonatedAccount>(std::move(account));
}

std::optional<Credential> credential_in(Fields fields, int nested) {
  const std::string type = fields.required("type");
  if (type == "service_account") return service_account_in(fields);
  if (type == "authorized_user") return authorized_user_in(fields);
  if (type == "external_account") return external_account_in(fields);
  if (type == "impersonated_service_account") return impersonated_account_in(fields, nested);
  if (!type.empty()) {
    fields.problem("type",
                   "is \"" + plain_line(type, 60) + "\", which is not supported; " + kSupported);
  }
  return std::nullopt;
}

}  // namespace

Result<CredentialFile> parse_credentials(const std::string& name, const std::string& text) {
  const auto denied = [&](const std::string& why) { return Error{ErrorKind::Denied, name + why}; };
  const json document = json::parse(text, nullptr, false);
  if (document.is_discarded()) return denied(" is not JSON; it may have been cut off, get it anew");
  if (!document.is_object()) return denied(" is not a JSON object, as credentials are");
  std::vector<std::string> problems;
  Fields fields(document, "", problems);
  auto credential = credential_in(fields, 0);
  CredentialFile file;
  file.quota_project = fields.optional("quota_project_id");
  if (!file.quota_project.empty() && !fits_a_header(file.quota_project)) {
    fields.problem("quota_project_id", "is no project's name");
  }
  if (!problems.empty() || !credential) {
    std::string all;
    for (const std::string& problem : problems) all += (all.empty() ? ": " : ", ") + problem;
    return denied(all);
  }
  file.credential = std::move(*credential);
  return file;
}

}  // namespace sconverge
