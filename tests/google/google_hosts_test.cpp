// Where requests go when nothing says the loopback: Google's real hosts, which no test can reach.
#include "tests/google/answering_http.h"
#include "tests/google/google_world.h"

namespace sconverge::test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class GoogleHosts : public GoogleWorld {
 protected:
  GoogleHosts() {
    const CredentialOptions defaults;
    options_.user_token_url = defaults.user_token_url;
    http_ = answering_;
  }

  Result<HttpReply> answer_{token_reply()};
  std::shared_ptr<AnsweringHttp> answering_{
      std::make_shared<AnsweringHttp>([this](const HttpCall&) { return answer_; })};
};

TEST_F(GoogleHosts, GetUsersRefreshTokens) {
  ASSERT_THAT(tokens_of(servers_.authorized_user())->current(), Works());
  EXPECT_EQ(answering_->calls().at(0).url, "https://oauth2.googleapis.com/token");
}

TEST_F(GoogleHosts, GetAssertionsOfKeysWhoseFileNamesNoOther) {
  options_.service_account_flow = ServiceAccountFlow::JwtBearer;
  ASSERT_THAT(tokens_of(without_member(servers_.service_account(), "token_uri"))->current(),
              Works());
  EXPECT_EQ(answering_->calls().at(0).url, "https://oauth2.googleapis.com/token");
}

TEST_F(GoogleHosts, AreTheMetadataServerOnceItHasShownItselfAtItsAddress) {
  options_.variables.clear();
  HttpReply reply = token_reply();
  reply.head.headers["metadata-flavor"] = "Google";
  answer_ = reply;
  ASSERT_THAT(tokens()->current(), Works());
  ASSERT_THAT(answering_->calls(), SizeIs(2));
  const HttpCall& probe = answering_->calls()[0];
  EXPECT_EQ(probe.url, "http://169.254.169.254/");
  const HttpCall& token = answering_->calls()[1];
  EXPECT_EQ(token.url,
            "http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/"
            "token");
  for (const HttpCall& call : {probe, token}) {
    EXPECT_EQ(call.headers.at("Metadata-Flavor"), "Google");
    EXPECT_EQ(call.timeout, seconds(3));
  }
}

TEST_F(GoogleHosts, ThatAreNotWhoTheySayGetNoSecondTry) {
  answer_ = Error{ErrorKind::Rejected, "its certificate is for somebody else"};
  const auto token = tokens_of(servers_.authorized_user())->current();
  ASSERT_THAT(token, FailsWith(ErrorKind::Denied));
  EXPECT_THAT(token.error().message, HasSubstr("https://oauth2.googleapis.com/token: its "
                                               "certificate is for somebody else"));
  EXPECT_THAT(answering_->calls(), SizeIs(1));
}

TEST_F(GoogleHosts, WhoseAnswerIsLostAreAskedAgain) {
  answer_ = Error{ErrorKind::Unknown, "no whole answer within 30 s"};
  EXPECT_THAT(tokens_of(servers_.authorized_user())->current(), FailsWith(ErrorKind::Unavailable));
  EXPECT_THAT(answering_->calls(), SizeIs(3));
}

}  // namespace
}  // namespace sconverge::test
