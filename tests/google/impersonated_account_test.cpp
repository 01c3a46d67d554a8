#include "tests/google/google_world.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class ImpersonatedCredentials : public GoogleWorld {};

TEST_F(ImpersonatedCredentials, OfAUserActAsTheAccount) {
  const auto tokens = tokens_of(servers_.impersonated(servers_.authorized_user()));
  EXPECT_EQ(principal_of(*tokens), GoogleServers::kTarget);
  EXPECT_EQ(tokens->text(), "the user somebody@example.com (authorized_user in " + options_.file +
                                "), impersonating " + GoogleServers::kTarget);
}

TEST_F(ImpersonatedCredentials, OfAServiceAccountActAsTheAccountInBothOfItsFlows) {
  for (const auto flow : {ServiceAccountFlow::SelfSigned, ServiceAccountFlow::JwtBearer}) {
    options_.service_account_flow = flow;
    EXPECT_EQ(principal_of(*tokens_of(servers_.impersonated(servers_.service_account()))),
              GoogleServers::kTarget);
  }
}

TEST_F(ImpersonatedCredentials, OfAWorkloadActAsTheAccount) {
  const std::string source = servers_.external_account(write("token", servers_.subject_token));
  EXPECT_EQ(principal_of(*tokens_of(servers_.impersonated(source))), GoogleServers::kTarget);
}

TEST_F(ImpersonatedCredentials, TakeTheWayOverTheirDelegates) {
  std::string account = edited_text(servers_.impersonated(servers_.authorized_user()),
                                    "/service_account_impersonation_url",
                                    servers_.impersonation_url(GoogleServers::kFarTarget));
  EXPECT_THAT(message_of(*tokens_of(account)), HasSubstr("403 PERMISSION_DENIED"));
  account =
      edited(account, "/delegates",
             R"(["projects/-/serviceAccounts/)" + std::string(GoogleServers::kDelegate) + R"("])");
  EXPECT_EQ(principal_of(*tokens_of(account)), GoogleServers::kFarTarget);
}

TEST_F(ImpersonatedCredentials, AskForTheScopesOfTheirFile) {
  const auto token = tokens_of(edited(servers_.impersonated(servers_.authorized_user()), "/scopes",
                                      R"(["https://a.example/one", "https://a.example/two"])"))
                         ->current();
  ASSERT_THAT(token, Works());
  EXPECT_EQ(servers_.whose(token->text)->scope, "https://a.example/one https://a.example/two");
}

TEST_F(ImpersonatedCredentials, MayBeNestedButNotWithoutEnd) {
  std::string account = servers_.impersonated(servers_.authorized_user());
  const auto nested = [&](int times) {
    std::string text = account;
    for (int i = 0; i < times; ++i) text = servers_.impersonated(text);
    return text;
  };
  EXPECT_EQ(principal_of(*tokens_of(nested(3))), GoogleServers::kTarget);
  EXPECT_THAT(message_of(*tokens_of(nested(5))), HasSubstr("nested too deeply"));
}

TEST_F(ImpersonatedCredentials, OfAUserWhoMustLogInSaySo) {
  servers_.login_has_expired = true;
  EXPECT_THAT(message_of(*tokens_of(servers_.impersonated(servers_.authorized_user()))),
              AllOf(HasSubstr("impersonating " + std::string(GoogleServers::kTarget)),
                    HasSubstr("gcloud auth application-default login")));
}

TEST_F(ImpersonatedCredentials, TakeEveryFormOfExpireTime) {
  for (const char* end : {"Z", ".5Z", ".123456789Z", "+00:00"}) {
    servers_.expire_time_end = end;
    const auto tokens = tokens_of(servers_.impersonated(servers_.authorized_user()));
    ASSERT_THAT(tokens->current(), Works()) << end;
    EXPECT_EQ(tokens->expiry(), kNoon + seconds(3600)) << end;
  }
}

}  // namespace
}  // namespace sconverge::test
