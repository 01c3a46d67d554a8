#include "tests/google/google_world.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class UserLogin : public GoogleWorld {};

TEST_F(UserLogin, IsRefreshedAtGooglesTokenEndpoint) {
  const auto tokens = tokens_of(servers_.authorized_user());
  EXPECT_EQ(principal_of(*tokens), GoogleServers::kUser);
  EXPECT_EQ(tokens->text(),
            "the user somebody@example.com (authorized_user in " + options_.file + ")");
}

TEST_F(UserLogin, IsNeverSentToWhereItsFileSays) {
  const auto tokens = tokens_of(
      edited_text(servers_.authorized_user(), "/token_uri", servers_.url() + "/elsewhere"));
  EXPECT_EQ(principal_of(*tokens), GoogleServers::kUser);
  EXPECT_EQ(servers_.count("/elsewhere"), 0);
}

TEST_F(UserLogin, MayBeGivenALifetimeAsText) {
  servers_.lifetime_as_text = true;
  const auto tokens = tokens_of(servers_.authorized_user());
  ASSERT_THAT(tokens->current(), Works());
  EXPECT_EQ(tokens->expiry(), kNoon + seconds(3599));
}

TEST_F(UserLogin, ThatHasEndedSaysHowToLogIn) {
  servers_.login_has_expired = true;
  const auto token = tokens_of(servers_.authorized_user())->current();
  ASSERT_THAT(token, FailsWith(ErrorKind::Denied));
  EXPECT_THAT(token.error().message,
              AllOf(HasSubstr("invalid_grant (invalid_rapt)"),
                    HasSubstr("run \"gcloud auth application-default login\" again")));
}

TEST_F(UserLogin, OfAnUnknownClientIsRefused) {
  const auto token =
      tokens_of(edited_text(servers_.authorized_user(), "/client_secret", "another"))->current();
  ASSERT_THAT(token, FailsWith(ErrorKind::Denied));
  EXPECT_THAT(token.error().message, HasSubstr("answered 401 invalid_client"));
}

TEST_F(UserLogin, NamesTheProjectThatPays) {
  const auto tokens = tokens_of(servers_.authorized_user());
  EXPECT_EQ(tokens->quota_project(), "");
  ASSERT_THAT(tokens->current(), Works());
  EXPECT_EQ(tokens->quota_project(), "paying-project");
}

TEST_F(UserLogin, PaysFromTheVariablesProjectBeforeTheFilesAndFromOursBeforeBoth) {
  options_.variables["GOOGLE_CLOUD_QUOTA_PROJECT"] = "of-the-variable";
  auto tokens = tokens_of(servers_.authorized_user());
  ASSERT_THAT(tokens->current(), Works());
  EXPECT_EQ(tokens->quota_project(), "of-the-variable");
  options_.quota_project = "ours";
  tokens = tokens_of(servers_.authorized_user());
  ASSERT_THAT(tokens->current(), Works());
  EXPECT_EQ(tokens->quota_project(), "ours");
}

}  // namespace
}  // namespace sconverge::test
