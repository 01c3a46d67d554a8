#include "tests/google/google_world.h"
#include "tests/support/rsa_key.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class ServiceAccountKey : public GoogleWorld {};

TEST_F(ServiceAccountKey, IsABearerTokenOfItsOwnWithoutAskingAnybody) {
  const auto tokens = tokens_of(servers_.service_account());
  const auto token = tokens->current();
  ASSERT_THAT(token, Works());
  const auto whose = servers_.whose(token->text);
  ASSERT_TRUE(whose);
  EXPECT_EQ(whose->principal, GoogleServers::kAccount);
  EXPECT_EQ(whose->scope, GoogleServers::kCloudScope);
  EXPECT_THAT(servers_.requests(), IsEmpty());
  EXPECT_EQ(tokens->text(),
            "the service account ci@project.iam.gserviceaccount.com "
            "(service_account key in " +
                options_.file + ")");
}

TEST_F(ServiceAccountKey, IsDatedBackSoThatAFastClockDoesNoHarm) {
  const auto tokens = tokens_of(servers_.service_account());
  const auto token = tokens->current();
  ASSERT_THAT(token, Works());
  const TimePoint end = kNoon - seconds(30) + seconds(3600);
  EXPECT_EQ(servers_.whose(token->text)->expiry, end);
  EXPECT_EQ(token->expiry, end);
  EXPECT_EQ(tokens->expiry(), end);
}

TEST_F(ServiceAccountKey, IsExchangedAtTheTokenEndpointWhereThatIsChosen) {
  options_.service_account_flow = ServiceAccountFlow::JwtBearer;
  const auto tokens = tokens_of(servers_.service_account());
  EXPECT_EQ(principal_of(*tokens), GoogleServers::kAccount);
  EXPECT_EQ(servers_.count("/token"), 1);
  EXPECT_EQ(tokens->expiry(), kNoon + seconds(3599));
}

TEST_F(ServiceAccountKey, SignsAFreshAssertionForEveryRefresh) {
  options_.service_account_flow = ServiceAccountFlow::JwtBearer;
  const auto tokens = tokens_of(servers_.service_account());
  ASSERT_THAT(tokens->current(), Works());
  pass(seconds(3500));
  EXPECT_EQ(principal_of(*tokens), GoogleServers::kAccount);
  const auto requests = servers_.requests();
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_NE(requests[0].body, requests[1].body);
}

TEST_F(ServiceAccountKey, OfAnotherUniverseIsNeverExchanged) {
  options_.service_account_flow = ServiceAccountFlow::JwtBearer;
  const auto tokens =
      tokens_of(edited_text(servers_.service_account(), "/universe_domain", "other.example"));
  EXPECT_EQ(principal_of(*tokens), GoogleServers::kAccount);
  EXPECT_THAT(servers_.requests(), IsEmpty());
}

TEST_F(ServiceAccountKey, WithoutAnIdIsUsedWithoutNamingOne) {
  options_.service_account_flow = ServiceAccountFlow::JwtBearer;
  const auto tokens = tokens_of(edited_text(servers_.service_account(), "/private_key_id", ""));
  EXPECT_EQ(principal_of(*tokens), GoogleServers::kAccount);
}

TEST_F(ServiceAccountKey, ThatIsNoKeyIsNamedWithTheFile) {
  for (const std::string& key : {std::string("-----BEGIN PRIVATE KEY-----\nnone\n"),
                                 std::string("secret"), make_ec_private_pem()}) {
    const auto tokens = tokens_of(edited_text(servers_.service_account(), "/private_key", key));
    const auto token = tokens->current();
    ASSERT_THAT(token, FailsWith(ErrorKind::Denied));
    EXPECT_THAT(token.error().message,
                AllOf(HasSubstr(options_.file),
                      HasSubstr("its \"private_key\" is no RSA private key in PEM"),
                      HasSubstr("get a new key file")));
  }
}

TEST_F(ServiceAccountKey, OfAnotherKeyIsRefusedWithGooglesWordsAndAdvice) {
  options_.service_account_flow = ServiceAccountFlow::JwtBearer;
  const auto tokens = tokens_of(
      edited_text(servers_.service_account(), "/private_key", make_rsa_key().private_pem));
  const auto token = tokens->current();
  ASSERT_THAT(token, FailsWith(ErrorKind::Denied));
  EXPECT_THAT(token.error().message,
              AllOf(HasSubstr("no access token for the service account " +
                              std::string(GoogleServers::kAccount)),
                    HasSubstr("answered 400 invalid_grant: Invalid JWT Signature;"),
                    HasSubstr("get a new key file"), Not(HasSubstr("clock"))));
  EXPECT_EQ(servers_.count("/token"), 1);
}

TEST_F(ServiceAccountKey, OnAMachineWhoseClockIsWrongSaysBothTimes) {
  options_.service_account_flow = ServiceAccountFlow::JwtBearer;
  servers_.tells_time = true;
  clock_.step(std::chrono::hours(2));
  const auto tokens = tokens_of(servers_.service_account());
  const auto token = tokens->current();
  ASSERT_THAT(token, FailsWith(ErrorKind::Denied));
  EXPECT_THAT(token.error().message,
              AllOf(HasSubstr("in a reasonable timeframe"),
                    HasSubstr("this machine's clock says 2026-03-14T14:00:00Z and the server's "
                              "2026-03-14T12:00:00Z: mend the clock")));
}

TEST_F(ServiceAccountKey, WorksOnAMachineWhoseClockIsAMinuteFast) {
  options_.service_account_flow = ServiceAccountFlow::JwtBearer;
  clock_.step(std::chrono::minutes(1));
  EXPECT_EQ(principal_of(*tokens_of(servers_.service_account())), GoogleServers::kAccount);
}

TEST_F(ServiceAccountKey, AsksForTheScopeThatIsChosen) {
  options_.service_account_flow = ServiceAccountFlow::JwtBearer;
  options_.scope = "https://www.googleapis.com/auth/one https://www.googleapis.com/auth/two";
  const auto token = tokens_of(servers_.service_account())->current();
  ASSERT_THAT(token, Works());
  EXPECT_EQ(servers_.whose(token->text)->scope, options_.scope);
}

}  // namespace
}  // namespace sconverge::test
