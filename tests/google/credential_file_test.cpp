#include "controller/google/credential_file.h"

#include "tests/google/google_world.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class CredentialFileTest : public GoogleWorld {
 protected:
  static std::string trouble(const std::string& text) {
    const auto file = parse_credentials("credential file \"key.json\"", text);
    if (file) return "none";
    EXPECT_EQ(file.error().kind, ErrorKind::Denied);
    return file.error().message;
  }
  std::string workload_{servers_.external_account("/token")};
  std::string source(const std::string& json) {
    return edited(workload_, "/credential_source", json);
  }
};

TEST_F(CredentialFileTest, GoodFilesOfEveryTypeAreTaken) {
  EXPECT_EQ(trouble(servers_.service_account()), "none");
  EXPECT_EQ(trouble(servers_.authorized_user()), "none");
  EXPECT_EQ(trouble(workload_), "none");
  EXPECT_EQ(trouble(servers_.external_account_of_url()), "none");
  EXPECT_EQ(trouble(servers_.impersonated(servers_.authorized_user())), "none");
}

TEST_F(CredentialFileTest, WhatIsNotJsonOrNoObjectIsSaidToBeSo) {
  for (const char* text : {"", "{", "not json", "\xff\xfe", "{\"type\": \"service_account\""}) {
    EXPECT_THAT(trouble(text), HasSubstr("credential file \"key.json\" is not JSON")) << text;
  }
  EXPECT_THAT(trouble("[]"), HasSubstr("is not a JSON object"));
}

TEST_F(CredentialFileTest, AFileWithoutATypeIsSaidToLackOne) {
  EXPECT_EQ(trouble("{}"), "credential file \"key.json\": \"type\" is missing");
  EXPECT_THAT(trouble(R"({"type": 3})"), HasSubstr("\"type\" is not a text"));
  EXPECT_THAT(trouble(R"({"type": null})"), HasSubstr("\"type\" is missing"));
  EXPECT_THAT(trouble(R"({"type": ""})"), HasSubstr("\"type\" is empty"));
}

TEST_F(CredentialFileTest, OtherTypesAreToldWhichOnesAreSupported) {
  for (const char* type : {"external_account_authorized_user", "gdch_service_account", "new"}) {
    EXPECT_THAT(
        trouble(R"({"type": ")" + std::string(type) + "\"}"),
        AllOf(HasSubstr("\"type\" is \"" + std::string(type) + "\", which is not supported"),
              HasSubstr("service_account, external_account, authorized_user and "
                        "impersonated_service_account")));
  }
}

TEST_F(CredentialFileTest, AllThatIsMissingIsNamedAtOnce) {
  EXPECT_EQ(
      trouble(R"({"type": "service_account"})"),
      "credential file \"key.json\": \"client_email\" is missing, \"private_key\" is missing");
  EXPECT_THAT(
      trouble(R"({"type": "authorized_user", "client_id": "", "client_secret": 7})"),
      AllOf(HasSubstr("\"client_id\" is empty"), HasSubstr("\"client_secret\" is not a text"),
            HasSubstr("\"refresh_token\" is missing")));
  EXPECT_EQ(trouble(R"({"type": "external_account"})"),
            "credential file \"key.json\": \"audience\" is missing, \"subject_token_type\" is "
            "missing, \"token_url\" is missing, \"credential_source\" is missing");
  EXPECT_EQ(trouble(R"({"type": "impersonated_service_account"})"),
            "credential file \"key.json\": \"service_account_impersonation_url\" is missing, "
            "\"source_credentials\" is missing");
}

TEST_F(CredentialFileTest, EveryRequiredFieldIsRequired) {
  const auto requires_field = [](const std::string& document, const char* field) {
    EXPECT_THAT(trouble(without_member(document, field)),
                HasSubstr("\"" + std::string(field) + "\" is missing"));
    EXPECT_THAT(trouble(edited(document, "/" + std::string(field), "[1]")),
                HasSubstr("\"" + std::string(field) + "\" is not a"));
    EXPECT_THAT(trouble(edited(document, "/" + std::string(field), "null")),
                HasSubstr("\"" + std::string(field) + "\" is missing"));
  };
  for (const char* field : {"client_email", "private_key"}) {
    requires_field(servers_.service_account(), field);
  }
  for (const char* field : {"client_id", "client_secret", "refresh_token"}) {
    requires_field(servers_.authorized_user(), field);
  }
  for (const char* field : {"audience", "subject_token_type", "token_url", "credential_source"}) {
    requires_field(workload_, field);
  }
  for (const char* field : {"service_account_impersonation_url", "source_credentials"}) {
    requires_field(servers_.impersonated(servers_.authorized_user()), field);
  }
}

TEST_F(CredentialFileTest, WhatIsWrongInANestedFileIsNamedWithItsPath) {
  EXPECT_THAT(
      trouble(servers_.impersonated(without_member(servers_.authorized_user(), "refresh_token"))),
      HasSubstr("\"source_credentials.refresh_token\" is missing"));
  EXPECT_THAT(trouble(servers_.impersonated(R"({"type": "gdch_service_account"})")),
              HasSubstr("\"source_credentials.type\" is \"gdch_service_account\", which is not"));
}

TEST_F(CredentialFileTest, SourcesOfOtherKindsAreToldWhichOnesAreSupported) {
  const char* kWhich = "which is not supported; supported are \"file\" and \"url\"";
  EXPECT_THAT(trouble(source(R"({"environment_id": "aws1", "url": "http://[fd00:ec2::254]/"})")),
              AllOf(HasSubstr("\"credential_source\" is of the kind AWS"), HasSubstr(kWhich)));
  EXPECT_THAT(trouble(source(R"({"executable": {"command": "/bin/token"}})")),
              AllOf(HasSubstr("of the kind executable"), HasSubstr(kWhich)));
  EXPECT_THAT(trouble(source(R"({"certificate": {"use_default_certificate_config": true}})")),
              AllOf(HasSubstr("of the kind certificate"), HasSubstr(kWhich)));
}

TEST_F(CredentialFileTest, ASourceIsEitherAFileOrAUrl) {
  const char* kOne = "\"credential_source\" needs exactly one of \"file\" and \"url\"";
  EXPECT_THAT(trouble(source("{}")), HasSubstr(kOne));
  EXPECT_THAT(trouble(source(R"({"file": "/token", "url": "https://a.example/"})")),
              HasSubstr(kOne));
  EXPECT_THAT(trouble(source(R"({"file": "/token", "environment_id": "other"})")),
              HasSubstr("\"credential_source.environment_id\" does not belong"));
}

TEST_F(CredentialFileTest, AFormatIsTextOrJsonWithTheFieldsName) {
  EXPECT_EQ(trouble(source(R"({"file": "/t", "format": {"type": "text"}})")), "none");
  EXPECT_EQ(trouble(source(R"({"file": "/t", "format": {}})")), "none");
  EXPECT_THAT(trouble(source(R"({"file": "/t", "format": {"type": "json"}})")),
              HasSubstr("\"credential_source.format.subject_token_field_name\" is missing"));
  EXPECT_THAT(trouble(source(R"({"file": "/t", "format": {"type": "xml"}})")),
              HasSubstr("\"credential_source.format.type\" is neither"));
  EXPECT_THAT(trouble(source(R"({"file": "/t", "format": "json"})")),
              HasSubstr("\"credential_source.format\" is not an object"));
}

TEST_F(CredentialFileTest, HeadersOfASourceCannotSmuggleOthers) {
  EXPECT_THAT(trouble(source(R"({"url": "https://a.example/", "headers": {"A": "1\r\nB: 2"}})")),
              HasSubstr("\"credential_source.headers\" holds something that is no header"));
  EXPECT_THAT(trouble(source(R"({"url": "https://a.example/", "headers": {"A: 1\nB": "2"}})")),
              HasSubstr("no header"));
  EXPECT_THAT(trouble(source(R"({"url": "https://a.example/", "headers": {"A": 1}})")),
              HasSubstr("no header"));
}

TEST_F(CredentialFileTest, SecretsGoToHttpsOnly) {
  const char* kInsecure = "must be https, or http to the loopback";
  const char* kFar = "http://sts.example.com/v1/token";
  EXPECT_THAT(trouble(edited_text(workload_, "/token_url", kFar)),
              AllOf(HasSubstr("\"token_url\""), HasSubstr(kInsecure)));
  EXPECT_THAT(trouble(edited_text(servers_.service_account(), "/token_uri", kFar)),
              AllOf(HasSubstr("\"token_uri\""), HasSubstr(kInsecure)));
  EXPECT_THAT(trouble(edited_text(workload_, "/service_account_impersonation_url",
                                  "http://iam.example.com/a:generateAccessToken")),
              AllOf(HasSubstr("\"service_account_impersonation_url\""), HasSubstr(kInsecure)));
  EXPECT_THAT(trouble(source(R"({"url": "http://oidc.example.com/"})")),
              AllOf(HasSubstr("\"credential_source.url\""), HasSubstr(kInsecure)));
}

TEST_F(CredentialFileTest, AnImpersonationUrlEndsInItsVerb) {
  EXPECT_THAT(trouble(edited_text(workload_, "/service_account_impersonation_url",
                                  "https://iamcredentials.googleapis.com/v1/a:signBlob")),
              HasSubstr("does not end in \":generateAccessToken\""));
}

TEST_F(CredentialFileTest, ALifetimeIsFromTenMinutesToTwelveHours) {
  const auto with = [&](const char* lifetime) {
    return trouble(edited(edited_text(workload_, "/service_account_impersonation_url",
                                      servers_.impersonation_url("a")),
                          "/service_account_impersonation",
                          R"({"token_lifetime_seconds": )" + std::string(lifetime) + "}"));
  };
  for (const char* good : {"600", "3600", "43200", "null"}) EXPECT_EQ(with(good), "none") << good;
  for (const char* bad : {"599", "43201", "-600", "1.5", "\"3600\"", "18446744073709551615"}) {
    EXPECT_THAT(with(bad), HasSubstr("\"service_account_impersonation.token_lifetime_seconds\" is "
                                     "not a whole number from 600 to 43200"))
        << bad;
  }
}

TEST_F(CredentialFileTest, DelegatesAndScopesAreListsOfTexts) {
  const std::string account = servers_.impersonated(servers_.authorized_user());
  EXPECT_THAT(trouble(edited(account, "/delegates", "\"one\"")),
              HasSubstr("\"delegates\" is not a list of texts"));
  EXPECT_THAT(trouble(edited(account, "/scopes", "[1]")),
              HasSubstr("\"scopes\" is not a list of texts"));
  EXPECT_EQ(trouble(edited(account, "/delegates", "null")), "none");
}

TEST_F(CredentialFileTest, AUserProjectBelongsToAWorkforcePool) {
  EXPECT_THAT(trouble(edited_text(workload_, "/workforce_pool_user_project", "p")),
              HasSubstr("\"workforce_pool_user_project\" belongs to a workforce pool's audience"));
}

TEST_F(CredentialFileTest, AUserIsOfGooglesOwnUniverse) {
  EXPECT_THAT(trouble(edited_text(servers_.authorized_user(), "/universe_domain", "other.example")),
              HasSubstr("\"universe_domain\" must be googleapis.com"));
}

TEST_F(CredentialFileTest, ValuesAreNeverQuoted) {
  EXPECT_THAT(trouble(edited_text(workload_, "/token_url", "http://user:hunter2@example.com/")),
              AllOf(HasSubstr("\"token_url\""), Not(HasSubstr("hunter2"))));
}

}  // namespace
}  // namespace sconverge::test
