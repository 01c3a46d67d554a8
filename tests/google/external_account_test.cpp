#include "tests/google/google_world.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Workload : public GoogleWorld {
 protected:
  std::string subject_file_{write("token", servers_.subject_token + "\n")};

  std::string impersonating(const std::string& account,
                            const std::string& target = GoogleServers::kTarget) {
    return edited_text(account, "/service_account_impersonation_url",
                       servers_.impersonation_url(target));
  }
};

TEST_F(Workload, ExchangesTheTokenInItsFileTrimmedAtItsEnd) {
  const auto tokens = tokens_of(servers_.external_account(subject_file_));
  const auto token = tokens->current();
  ASSERT_THAT(token, Works());
  EXPECT_EQ(servers_.whose(token->text)->principal, GoogleServers::kWorkload);
  EXPECT_EQ(servers_.whose(token->text)->scope, GoogleServers::kCloudScope);
  EXPECT_EQ(tokens->text(), "the workload identity in " + options_.file);
}

TEST_F(Workload, ReadsItsFileAgainAtEveryRefresh) {
  const auto tokens = tokens_of(servers_.external_account(subject_file_));
  ASSERT_THAT(tokens->current(), Works());
  servers_.subject_token = "eyJ-subject-token.second";
  write("token", servers_.subject_token);
  pass(seconds(3600));
  EXPECT_EQ(principal_of(*tokens), GoogleServers::kWorkload);
}

TEST_F(Workload, TakesTheTokenFromAFieldOfJson) {
  const std::string account =
      edited(servers_.external_account(
                 write("token.json", R"({"id": 1, "jwt": ")" + servers_.subject_token + "\"}")),
             "/credential_source/format", R"({"type": "json", "subject_token_field_name": "jwt"})");
  EXPECT_EQ(principal_of(*tokens_of(account)), GoogleServers::kWorkload);
}

TEST_F(Workload, GetsItsTokenFromAnOidcProvider) {
  const auto tokens = tokens_of(servers_.external_account_of_url());
  EXPECT_EQ(principal_of(*tokens), GoogleServers::kWorkload);
  EXPECT_EQ(servers_.count("/oidc?api-version=2.0&audience=https%3A%2F%2Fiam.googleapis.com"), 1);
}

TEST_F(Workload, GetsItsTokenFromAProviderThatAnswersText) {
  const std::string account =
      edited(edited_text(servers_.external_account_of_url(), "/credential_source/url",
                         servers_.url() + "/oidc-text"),
             "/credential_source/format", R"({"type": "text"})");
  EXPECT_EQ(principal_of(*tokens_of(account)), GoogleServers::kWorkload);
}

TEST_F(Workload, ActsAsAServiceAccount) {
  const auto tokens = tokens_of(impersonating(servers_.external_account(subject_file_)));
  const auto token = tokens->current();
  ASSERT_THAT(token, Works());
  EXPECT_EQ(servers_.whose(token->text)->principal, GoogleServers::kTarget);
  EXPECT_EQ(servers_.whose(token->text)->scope, GoogleServers::kCloudScope);
  EXPECT_EQ(tokens->text(), "the workload identity in " + options_.file + ", impersonating " +
                                GoogleServers::kTarget);
}

TEST_F(Workload, ActsForAsLongAsItsFileSays) {
  const auto tokens =
      tokens_of(edited(impersonating(servers_.external_account(subject_file_)),
                       "/service_account_impersonation", R"({"token_lifetime_seconds": 1800})"));
  ASSERT_THAT(tokens->current(), Works());
  EXPECT_EQ(tokens->expiry(), kNoon + seconds(1800));
}

TEST_F(Workload, IsToldHowToGrantWhatItMayNotDo) {
  const auto token = tokens_of(impersonating(servers_.external_account(subject_file_),
                                             "stranger@project.iam.gserviceaccount.com"))
                         ->current();
  ASSERT_THAT(token, FailsWith(ErrorKind::Denied));
  EXPECT_THAT(token.error().message, AllOf(HasSubstr("answered 403 PERMISSION_DENIED: Permission "
                                                     "'iam.serviceAccounts.getAccessToken' denied"),
                                           HasSubstr("grant roles/iam.serviceAccountTokenCreator"),
                                           HasSubstr("on stranger@project.iam.gserviceaccount.com"),
                                           HasSubstr("up to 5 minutes")));
}

TEST_F(Workload, ProvesItsClientWhereStsAsksForIt) {
  servers_.needs_client = true;
  const std::string account = servers_.external_account(subject_file_);
  EXPECT_EQ(principal_of(*tokens_of(account)), GoogleServers::kWorkload);
  const auto token = tokens_of(without_member(account, "client_secret"))->current();
  ASSERT_THAT(token, FailsWith(ErrorKind::Denied));
  EXPECT_THAT(token.error().message,
              AllOf(HasSubstr("401 invalid_client"), HasSubstr("check \"client_id\"")));
}

TEST_F(Workload, OfAWorkforcePoolNamesTheProjectThatPays) {
  std::string account = edited_text(servers_.external_account(subject_file_), "/audience",
                                    GoogleServers::kWorkforceAudience);
  EXPECT_THAT(message_of(*tokens_of(account)), HasSubstr("\"options\""));
  account = edited_text(account, "/workforce_pool_user_project", "user-project");
  EXPECT_EQ(principal_of(*tokens_of(account)), GoogleServers::kWorkload);
}

TEST_F(Workload, OfAnUnknownProviderIsToldSo) {
  const auto tokens = tokens_of(
      edited_text(servers_.external_account(subject_file_), "/audience", "//iam/elsewhere"));
  EXPECT_THAT(message_of(*tokens),
              AllOf(HasSubstr("answered 400 invalid_target: The target service indicated"),
                    HasSubstr("check \"audience\"")));
}

TEST_F(Workload, WhoseTokenIsStaleTriesAgainOnceTheFileChanges) {
  write("token", "eyJ-of-yesterday");
  const auto tokens = tokens_of(servers_.external_account(subject_file_));
  EXPECT_THAT(message_of(*tokens), AllOf(HasSubstr("400 invalid_grant"), HasSubstr("stale")));
  pass(seconds(60));
  EXPECT_THAT(message_of(*tokens), HasSubstr("400 invalid_grant"));
  EXPECT_EQ(servers_.count("/v1/token"), 1);
  write("token", servers_.subject_token);
  EXPECT_EQ(principal_of(*tokens), GoogleServers::kWorkload);
}

TEST_F(Workload, WhoseFileIsNotThereYetWorksOnceItIs) {
  const std::string later = directory_ / "later";
  const auto tokens = tokens_of(servers_.external_account(later));
  const auto token = tokens->current();
  ASSERT_THAT(token, FailsWith(ErrorKind::Denied));
  EXPECT_THAT(token.error().message,
              HasSubstr("the subject token file \"" + later + "\" cannot be read: No such file"));
  write("later", servers_.subject_token);
  EXPECT_EQ(principal_of(*tokens), GoogleServers::kWorkload);
}

TEST_F(Workload, WithoutATokenWhereItShouldBeSaysWhere) {
  write("token", " \n");
  EXPECT_THAT(message_of(*tokens_of(servers_.external_account(subject_file_))),
              HasSubstr("the subject token file \"" + subject_file_ + "\" holds no token"));
  EXPECT_THAT(
      message_of(
          *tokens_of(edited_text(servers_.external_account_of_url(),
                                 "/credential_source/format/subject_token_field_name", "jwt"))),
      AllOf(HasSubstr("the answer of " + servers_.url() + "/oidc has no text in the JSON field"),
            HasSubstr("\"jwt\"")));
}

TEST_F(Workload, OfAnEndedJobIsToldSo) {
  const auto tokens =
      tokens_of(edited_text(servers_.external_account_of_url(),
                            "/credential_source/headers/Authorization", "Bearer of-yesterday"));
  const auto token = tokens->current();
  ASSERT_THAT(token, FailsWith(ErrorKind::Denied));
  EXPECT_THAT(token.error().message,
              AllOf(HasSubstr("/oidc answered 401"), HasSubstr("end with the job")));
}

TEST_F(Workload, ReadsTheServersClockWhereItTellsWhenATokenExpires) {
  servers_.tells_time = true;
  clock_.step(-std::chrono::hours(3));
  const auto tokens = tokens_of(impersonating(servers_.external_account(subject_file_)));
  EXPECT_EQ(principal_of(*tokens), GoogleServers::kTarget);
  pass(seconds(3300));
  EXPECT_EQ(principal_of(*tokens), GoogleServers::kTarget);
  EXPECT_EQ(servers_.count("generateAccessToken"), 1);
  pass(seconds(200));
  EXPECT_EQ(principal_of(*tokens), GoogleServers::kTarget);
  EXPECT_EQ(servers_.count("generateAccessToken"), 2);
}

}  // namespace
}  // namespace sconverge::test
