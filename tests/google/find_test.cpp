#include "controller/google/find.h"

#include <filesystem>

#include "tests/google/google_world.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// In each place of the order are credentials of another principal.
class Places : public GoogleWorld {
 protected:
  Places() {
    const std::string folder = directory_ / ".config/gcloud";
    std::filesystem::create_directories(folder);
    write(".config/gcloud/application_default_credentials.json", servers_.authorized_user());
    write("application_default_credentials.json",
          servers_.impersonated(servers_.authorized_user()));
    options_.variables = {
        {"HOME", directory_.path()},
        {"CLOUDSDK_CONFIG", directory_.path()},
        {"GOOGLE_APPLICATION_CREDENTIALS",
         write("named.json", servers_.external_account(write("token", servers_.subject_token)))},
        {"GCE_METADATA_HOST", servers_.metadata_host()}};
    options_.file = write("ours.json", servers_.service_account());
  }
};

TEST_F(Places, AreLookedAtInTheOrderOfGoogleAuth) {
  EXPECT_EQ(principal_of(*tokens()), GoogleServers::kAccount);
  options_.file.clear();
  EXPECT_EQ(principal_of(*tokens()), GoogleServers::kWorkload);
  options_.variables["GOOGLE_APPLICATION_CREDENTIALS"] = "";
  EXPECT_EQ(principal_of(*tokens()), GoogleServers::kTarget);
  options_.variables.erase("CLOUDSDK_CONFIG");
  EXPECT_EQ(principal_of(*tokens()), GoogleServers::kUser);
  options_.variables.erase("HOME");
  EXPECT_EQ(principal_of(*tokens()), GoogleServers::kMachine);
}

TEST_F(Places, ThatANameLeadsToMustHoldCredentials) {
  options_.file.clear();
  options_.variables["GOOGLE_APPLICATION_CREDENTIALS"] = directory_ / "gone.json";
  auto token = tokens()->current();
  ASSERT_THAT(token, FailsWith(ErrorKind::Denied));
  EXPECT_EQ(token.error().message, "credential file \"" + directory_ / "gone.json" +
                                       "\" (named by GOOGLE_APPLICATION_CREDENTIALS) cannot be "
                                       "read: No such file or directory");
  options_.file = directory_ / "gone too.json";
  EXPECT_THAT(message_of(*tokens()), HasSubstr("gone too.json\" (named in the configuration)"));
  options_.file = directory_.path();
  EXPECT_THAT(message_of(*tokens()), HasSubstr("is not a regular file"));
  options_.file.clear();
  options_.variables["GOOGLE_APPLICATION_CREDENTIALS"] = write("bad.json", "{}");
  EXPECT_THAT(message_of(*tokens()), HasSubstr("\"type\" is missing"));
}

TEST_F(Places, OfGcloudsAreNotSkippedBecauseTheirFileIsBad) {
  options_.file.clear();
  options_.variables.erase("GOOGLE_APPLICATION_CREDENTIALS");
  write("application_default_credentials.json", "{}");
  EXPECT_THAT(message_of(*tokens()),
              HasSubstr("application_default_credentials.json\" (gcloud's): \"type\" is missing"));
}

TEST_F(Places, WithoutAnyCredentialsAreAllNamedWithTheWayOut) {
  options_ = {};
  options_.variables = {{"HOME", "/nowhere"}, {"NO_GCE_CHECK", "true"}};
  const auto token = tokens()->current();
  ASSERT_THAT(token, FailsWith(ErrorKind::Denied));
  EXPECT_THAT(
      token.error().message,
      AllOf(HasSubstr("the configuration names no credential file"),
            HasSubstr("GOOGLE_APPLICATION_CREDENTIALS is not set"),
            HasSubstr("/nowhere/.config/gcloud/application_default_credentials.json is not "
                      "there"),
            HasSubstr("the metadata server"), HasSubstr("gcloud auth application-default login")));
}

TEST_F(Places, AreLookedAtAgainWhenAFileComes) {
  options_.file = directory_ / "later.json";
  const auto tokens = this->tokens();
  EXPECT_THAT(message_of(*tokens), HasSubstr("cannot be read"));
  write("later.json", servers_.service_account());
  EXPECT_EQ(principal_of(*tokens), GoogleServers::kAccount);
}

TEST_F(Places, OfAMendedFileAreTakenAtOnce) {
  const auto tokens = tokens_of("{");
  EXPECT_THAT(message_of(*tokens), HasSubstr("is not JSON"));
  EXPECT_EQ(tokens->text(), "the credentials in " + options_.file);
  write("credentials.json", servers_.authorized_user());
  EXPECT_EQ(principal_of(*tokens), GoogleServers::kUser);
}

TEST_F(Places, AreNotTouchedBeforeATokenIsAskedFor) {
  const auto tokens = this->tokens();
  EXPECT_EQ(tokens->text(), "Google's application default credentials");
  EXPECT_EQ(tokens->expiry(), std::nullopt);
  EXPECT_FALSE(tokens->renew(1));
  EXPECT_TRUE(servers_.requests().empty());
}

}  // namespace
}  // namespace sconverge::test
