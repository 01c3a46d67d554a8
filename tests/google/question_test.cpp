#include "controller/google/question.h"

#include "controller/core/url_text.h"
#include "controller/google/form.h"
#include "tests/google/google_world.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr const char* kTemporary = R"({"error": "temporarily_unavailable"})";

class AskingForTokens : public GoogleWorld {
 protected:
  std::unique_ptr<AccessTokens> user() { return tokens_of(servers_.authorized_user()); }
};

TEST_F(AskingForTokens, IsRepeatedAfterOneAndTwoSeconds) {
  servers_.fail_next(2, "/token", {503, "busy"});
  EXPECT_EQ(principal_of(*user()), GoogleServers::kUser);
  EXPECT_THAT(pauses_, ElementsAre(milliseconds(1000), milliseconds(2000)));
}

TEST_F(AskingForTokens, IsSpreadByATenth) {
  options_.chance = [] { return 0.0; };
  servers_.fail_next(2, "/token", {503, "busy"});
  ASSERT_THAT(user()->current(), Works());
  options_.chance = [] { return 1.0; };
  servers_.fail_next(1, "/token", {503, "busy"});
  ASSERT_THAT(user()->current(), Works());
  EXPECT_THAT(pauses_, ElementsAre(milliseconds(900), milliseconds(1800), milliseconds(1100)));
}

TEST_F(AskingForTokens, EndsAfterThreeAttempts) {
  servers_.fail_next(3, "/token", {503, "<html>busy</html>", "text/html"});
  const auto token = user()->current();
  ASSERT_THAT(token, FailsWith(ErrorKind::Unavailable));
  EXPECT_THAT(token.error().message,
              HasSubstr(servers_.token_url() + " answered 503: <html>busy</html>"));
  EXPECT_EQ(servers_.count("/token"), 3);
}

TEST_F(AskingForTokens, IsRepeatedAfterEveryPassingFailure) {
  for (const StubAnswer& failure :
       {StubAnswer{408, ""}, StubAnswer{429, ""}, StubAnswer{500, ""}, StubAnswer{503, ""},
        StubAnswer{504, ""}, StubAnswer{400, R"({"error": "internal_failure"})"},
        StubAnswer{400, R"({"error": "server_error"})"}, StubAnswer{400, kTemporary}}) {
    servers_.fail_next(1, "/token", failure);
    EXPECT_EQ(principal_of(*user()), GoogleServers::kUser) << failure.status << failure.body;
  }
}

TEST_F(AskingForTokens, IsRepeatedWhenTheConnectionIsLost) {
  StubAnswer lost;
  lost.manner = StubAnswer::Manner::HangUp;
  servers_.fail_next(1, "/token", lost);
  EXPECT_EQ(principal_of(*user()), GoogleServers::kUser);
}

TEST_F(AskingForTokens, EndsAtOnceWithARefusal) {
  for (const int status : {301, 400, 401, 403, 404, 451}) {
    const int before = servers_.count("/token");
    servers_.fail_next(1, "/token", {status, R"({"error": "unauthorized_client"})"});
    EXPECT_THAT(user()->current(), FailsWith(ErrorKind::Denied)) << status;
    EXPECT_EQ(servers_.count("/token"), before + 1);
  }
  EXPECT_THAT(pauses_, IsEmpty());
}

TEST_F(AskingForTokens, ThatNobodyAnswersIsUnavailable) {
  options_.user_token_url = url_nobody_listens_on();
  const auto token = user()->current();
  ASSERT_THAT(token, FailsWith(ErrorKind::Unavailable));
  EXPECT_THAT(token.error().message, HasSubstr(options_.user_token_url + ": nobody listens there"));
  EXPECT_THAT(pauses_, SizeIs(2));
}

TEST_F(AskingForTokens, TakesNoAnswerThatMakesNoSense) {
  for (const char* body :
       {"", "<html></html>", "[]", "{}", R"({"access_token": 5, "expires_in": 100})",
        R"({"access_token": "", "expires_in": 100})", R"({"access_token": "a b", "expires_in": 1})",
        R"({"access_token": "a\r\nb", "expires_in": 1})", R"({"access_token": "secret-one"})",
        R"({"access_token": "secret-one", "expires_in": 0})",
        R"({"access_token": "secret-one", "expires_in": -5})",
        R"({"access_token": "secret-one", "expires_in": "soon"})",
        R"({"access_token": "secret-one", "expires_in": null})"}) {
    servers_.fail_next(1, "/token", {200, body});
    const auto token = user()->current();
    ASSERT_THAT(token, FailsWith(ErrorKind::Unavailable)) << body;
    EXPECT_THAT(token.error().message,
                AllOf(HasSubstr("answered 200 with"), Not(HasSubstr("secret-one"))));
  }
}

TEST_F(AskingForTokens, TakesALifetimeWithoutEndForADay) {
  servers_.fail_next(1, "/token", {200, R"({"access_token": "a", "expires_in": 1e300})"});
  const auto tokens = user();
  ASSERT_THAT(tokens->current(), Works());
  EXPECT_EQ(tokens->expiry(), kNoon + std::chrono::hours(24));
}

TEST_F(AskingForTokens, BlamesTheClockWhenItIsFarFromTheServers) {
  servers_.tells_time = true;
  servers_.login_has_expired = true;
  clock_.step(std::chrono::minutes(-4));
  EXPECT_THAT(message_of(*user()), Not(HasSubstr("clock")));
  clock_.step(std::chrono::minutes(-2));
  EXPECT_THAT(message_of(*user()),
              HasSubstr("this machine's clock says 2026-03-14T11:54:00Z and the server's "
                        "2026-03-14T12:00:00Z: mend the clock"));
}

// A server that sends everything back that it is sent.
TEST_F(AskingForTokens, NeverShowsASecretWhateverTheServerAnswers) {
  StubHttpServer echo([](const StubRequest& request) {
    std::string all = request.body + " ";
    for (const auto& [name, value] : request.headers) all.append(name + ": " + value + " ");
    return StubAnswer{400, all, "text/plain"};
  });
  const auto leak_of = [&](const std::string& account) -> std::string {
    const auto token = tokens_of(account)->current();
    if (token) return "no failure";
    EXPECT_THAT(token.error().message, HasSubstr("answered 400"));
    const std::string& message = token.error().message;
    std::vector<std::string> secrets = servers_.secrets();
    secrets.emplace_back("eyJ");  // begins every JWT
    for (const std::string& secret : secrets) {
      const bool shown = message.find(secret) != std::string::npos ||
                         message.find(percent_encoded(secret)) != std::string::npos;
      if (shown) return message;
    }
    return "";
  };
  const std::string file = write("token", servers_.subject_token);
  options_.service_account_flow = ServiceAccountFlow::JwtBearer;
  options_.user_token_url = echo.url();
  servers_.needs_client = true;
  EXPECT_EQ(leak_of(servers_.authorized_user()), "");
  EXPECT_EQ(leak_of(edited_text(servers_.service_account(), "/token_uri", echo.url())), "");
  EXPECT_EQ(leak_of(edited_text(servers_.external_account(file), "/token_url", echo.url())), "");
  EXPECT_EQ(leak_of(edited_text(servers_.external_account_of_url(), "/credential_source/url",
                                echo.url() + "/?request")),
            "");
  EXPECT_EQ(
      leak_of(edited_text(servers_.external_account(file), "/service_account_impersonation_url",
                          echo.url() + "/a:generateAccessToken")),
      "");
}

}  // namespace
}  // namespace sconverge::test
