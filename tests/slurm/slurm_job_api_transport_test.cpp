#include "controller/slurm/slurm_job_api_transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "controller/http/http_client.h"
#include "tests/support/fake_access_tokens.h"
#include "tests/support/stub_http_server.h"

namespace sconverge::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using Manner = StubAnswer::Manner;

const SlurmCall kList{HttpMethod::Get, "/slurm/v0.0.42/jobs/"};
const SlurmCall kCancel{HttpMethod::Delete, "/slurm/v0.0.42/job/7"};
const SlurmCall kSubmit{HttpMethod::Post, "/slurm/v0.0.42/job/submit", R"({"job":{}})", true};
const SlurmCall kQuery{HttpMethod::Get, "/slurmdb/v0.0.42/jobs/?job_name=a"};

StubAnswer envelope(const std::string& slurm = R"({"jobs":[]})", int status = 200) {
  return {.body = R"({"status":)" + std::to_string(status) + R"(,"structuredBody":)" + slurm + "}"};
}

StubAnswer google_error(int code, const std::string& status, const std::string& details = "[]") {
  return {.status = code,
          .body = R"({"error":{"code":)" + std::to_string(code) + R"(,"message":"some error",)" +
                  R"("status":")" + status + R"(","details":)" + details + "}}"};
}

class SlurmJobApiTransportTest : public testing::Test {
 protected:
  /// The service gives these answers in turn, the last one for ever.
  void answers(std::vector<StubAnswer> answers) {
    answers_ = std::move(answers);
    given_ = 0;
  }

  Result<AnswerHead> exchange(const SlurmCall& call) {
    return transport().exchange(call, [this](ByteSource& bytes) {
      body_.clear();
      for (auto part = bytes.next(); !part.empty(); part = bytes.next()) body_ += part;
    });
  }

  Transport& transport() {
    if (!transport_) {
      SlurmJobApiOptions options{.project = "p1", .region = "r1", .cluster = "c1"};
      options.endpoint = server_.url();
      options.timeout = seconds(20);
      options.steady_now = [this] { return steady_; };
      options.now = [this] { return now_; };
      options.sleep = [this](milliseconds time) { sleeps_.push_back(time); };
      options.chance = [] { return 1.0; };
      transport_ =
          std::move(make_slurm_job_api_transport(options, make_http_client({}).value(),
                                                 std::make_unique<FakeAccessTokens>(tokens_))
                        .value());
    }
    return *transport_;
  }

  std::vector<std::string> tokens_sent() const {
    std::vector<std::string> sent;
    for (const auto& request : server_.requests()) {
      sent.push_back(request.headers.at("authorization"));
    }
    return sent;
  }

  FakeAccessTokens::State tokens_;
  std::string body_;
  std::vector<milliseconds> sleeps_;
  std::chrono::steady_clock::time_point steady_{std::chrono::hours{1}};
  TimePoint now_{seconds{1'790'000'000}};

 private:
  std::vector<StubAnswer> answers_{envelope()};
  std::size_t given_{0};
  StubHttpServer server_{
      [this](const StubRequest&) { return answers_[std::min(given_++, answers_.size() - 1)]; }};
  std::unique_ptr<Transport> transport_;

 protected:
  std::vector<StubRequest> requests() const { return server_.requests(); }
};

// What is sent.

TEST_F(SlurmJobApiTransportTest, SendsTheDocumentedRequest) {
  ASSERT_TRUE(exchange(kSubmit));
  ASSERT_THAT(requests(), SizeIs(1));
  const auto request = requests().front();
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.path,
            "/v1beta1/projects/p1/locations/r1/modelDevelopmentClusters/c1:callSlurmRestApi");
  EXPECT_EQ(request.headers.at("authorization"), "Bearer token-1");
  EXPECT_EQ(request.headers.at("content-type"), "application/json");
  EXPECT_EQ(json::parse(request.body), json::parse(R"({"method":"HTTP_METHOD_POST",
      "path":"/slurm/v0.0.42/job/submit","body":{"job":{}}})"));
  EXPECT_FALSE(request.headers.contains("x-goog-user-project"));
  EXPECT_FALSE(request.headers.contains("x-slurm-user-token"));
}

TEST_F(SlurmJobApiTransportTest, NamesTheProjectWhoseQuotaIsUsed) {
  tokens_.quota_project = "billing";
  ASSERT_TRUE(exchange(kList));
  EXPECT_EQ(requests().front().headers.at("x-goog-user-project"), "billing");
}

TEST_F(SlurmJobApiTransportTest, RequestsOfAMillionBytesAreRejectedUnsentWithTheWayOut) {
  SlurmCall call = kSubmit;
  const std::size_t frame = 999'999 - 68 - 17;  // room for the envelope around it
  call.body = R"({"script":")" + std::string(frame, 'x') + "\"}";
  for (; call.body.size() < 1'000'100; call.body.insert(12, "x")) {
    const auto head = exchange(call);
    if (head) continue;
    EXPECT_EQ(head.error().kind, ErrorKind::Rejected);
    EXPECT_THAT(head.error().message,
                AllOf(HasSubstr("1000000 bytes"), HasSubstr("put the script on storage")));
    EXPECT_EQ(requests().back().body.size(), 999'999U);  // the one before fitted
    return;
  }
  FAIL() << "nothing was too large";
}

// What comes back.

TEST_F(SlurmJobApiTransportTest, BringsSlurmsStatusAndAnswer) {
  answers({envelope(R"({"errors":[{"error_number":2017}]})", 404)});
  const auto head = exchange(kList);
  ASSERT_TRUE(head);
  EXPECT_EQ(head->status, 404);
  EXPECT_EQ(body_, R"({"errors":[{"error_number":2017}]})");
}

TEST_F(SlurmJobApiTransportTest, SubmitWithoutAReadableEnvelopeIsInDoubtAndNotRepeated) {
  for (const char* text : {"", "<html>", R"({"structuredBody":{"job_id":7}})", R"({"status":20)"}) {
    answers({{.body = text}});
    const auto before = requests().size();
    const auto head = exchange(kSubmit);
    ASSERT_FALSE(head) << text;
    EXPECT_EQ(head.error().kind, ErrorKind::Unknown) << text;
    EXPECT_EQ(requests().size(), before + 1) << text;
  }
}

// The service's own refusals.

struct Refusal {
  StubAnswer answer;
  ErrorKind read;
  ErrorKind cancel;
  ErrorKind submit;
  int sends_of_a_read;
};

TEST_F(SlurmJobApiTransportTest, EachRefusalMeansWhatItsCodeSays) {
  using enum ErrorKind;
  const std::string sure =
      R"([{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"NOTHING_CHANGED",)"
      R"("domain":"sconverge"}])";
  const std::vector<Refusal> refusals{
      {google_error(401, "UNAUTHENTICATED"), Denied, Denied, Denied, 1},
      {google_error(403, "PERMISSION_DENIED"), Denied, Denied, Denied, 1},
      {google_error(404, "NOT_FOUND"), Unavailable, Unavailable, Unavailable, 1},
      {google_error(400, "FAILED_PRECONDITION"), Unavailable, Unavailable, Unavailable, 1},
      {google_error(501, "UNIMPLEMENTED"), Unavailable, Unavailable, Unavailable, 1},
      {google_error(503, "UNAVAILABLE", sure), Unavailable, Unavailable, Unavailable, 1},
      {google_error(503, "UNAVAILABLE"), Unknown, Unknown, Unknown, 3},
      {google_error(500, "INTERNAL"), Unknown, Unknown, Unknown, 3},
      {google_error(504, "DEADLINE_EXCEEDED"), Unknown, Unknown, Unknown, 3},
      {google_error(409, "ABORTED"), Unknown, Unknown, Unknown, 3},
      {{.status = 502, .body = "<html>502</html>"}, Unknown, Unknown, Unknown, 3},
      {{.status = 408, .body = ""}, Unknown, Unknown, Unknown, 3},
      {{.status = 404, .body = "<html>"}, Unavailable, Unavailable, Unavailable, 1},
  };
  for (const Refusal& refusal : refusals) {
    SCOPED_TRACE(refusal.answer.body);
    const auto calm = [&] {
      answers({envelope()});
      ASSERT_TRUE(exchange(kList));
      answers({refusal.answer});
    };
    calm();
    const auto before = requests().size();
    EXPECT_EQ(exchange(kList).error().kind, refusal.read);
    EXPECT_EQ(requests().size() - before, static_cast<std::size_t>(refusal.sends_of_a_read));
    calm();
    EXPECT_EQ(exchange(kCancel).error().kind, refusal.cancel);
    calm();
    const auto before_submit = requests().size();
    EXPECT_EQ(exchange(kSubmit).error().kind, refusal.submit);
    EXPECT_EQ(requests().size() - before_submit, 1U);
  }
}

TEST_F(SlurmJobApiTransportTest, WhatTheServiceSaysForItselfIsARefusal) {
  answers({google_error(403, "PERMISSION_DENIED")});
  EXPECT_EQ(exchange(kList).error().transport, TransportFailure::Refused);
  answers({google_error(429, "RESOURCE_EXHAUSTED")});
  EXPECT_EQ(exchange(kList).error().transport, TransportFailure::Refused);
  EXPECT_EQ(exchange(kList).error().transport, TransportFailure::Refused) << "while it is to wait";
}

TEST_F(SlurmJobApiTransportTest, MissingClusterIsNeverAMissingJob) {
  answers({google_error(404, "NOT_FOUND")});
  const auto head = exchange({HttpMethod::Get, "/slurm/v0.0.42/job/7"});
  ASSERT_FALSE(head);
  EXPECT_THAT(head.error().message, HasSubstr("knows no cluster c1 of project p1 in r1"));
}

TEST_F(SlurmJobApiTransportTest, MissingPermissionIsToldWithItsNameAndWhoLacksIt) {
  answers({google_error(403, "PERMISSION_DENIED")});
  const auto head = exchange(kList);
  EXPECT_THAT(head.error().message,
              AllOf(HasSubstr("the service account ci@p.example"),
                    HasSubstr("aiplatform.googleapis.com/modelDevelopmentClusters.run"),
                    HasSubstr("roles/aiplatform.user"), HasSubstr("some error")));
}

TEST_F(SlurmJobApiTransportTest, MalformedSubmitIsRejected) {
  answers({google_error(400, "INVALID_ARGUMENT")});
  EXPECT_EQ(exchange(kSubmit).error().kind, ErrorKind::Rejected);
}

TEST_F(SlurmJobApiTransportTest, PathThatIsNoSlurmPathLooksLikeOneThatIsNotServed) {
  answers({google_error(400, "INVALID_ARGUMENT")});
  const auto head = exchange({HttpMethod::Get, "/slurm/v0.0.45/ping/"});
  ASSERT_TRUE(head);
  EXPECT_EQ(head->status, 404);
  EXPECT_EQ(body_, "{}");
  EXPECT_THAT(head->refusal, AllOf(HasSubstr("INVALID_ARGUMENT"), HasSubstr("some error")));
}

TEST_F(SlurmJobApiTransportTest, WhatSlurmItselfDoesNotServeIsNoRefusalOfTheService) {
  answers({envelope("{}", 404)});
  const auto head = exchange({HttpMethod::Get, "/slurm/v0.0.45/ping/"});
  ASSERT_TRUE(head);
  EXPECT_EQ(head->refusal, "");
}

TEST_F(SlurmJobApiTransportTest, AGatewaysRefusalComesWithoutAdviceAboutGooglesRoles) {
  answers({google_error(403, "PERMISSION_DENIED",
                        R"([{"@type":"type.googleapis.com/google.rpc.ErrorInfo",)"
                        R"("reason":"CALL_NOT_ALLOWED","domain":"sconverge"}])")});
  EXPECT_THAT(exchange(kList).error().message,
              AllOf(HasSubstr("some error"), Not(HasSubstr("roles/aiplatform.user"))));
}

TEST_F(SlurmJobApiTransportTest, ARefusedTokenIsNamedOnce) {
  answers({google_error(401, "UNAUTHENTICATED")});
  EXPECT_THAT(exchange(kList).error().message,
              HasSubstr("does not accept the service account ci@p.example"));
}

// Credentials.

TEST_F(SlurmJobApiTransportTest, RefusedTokenIsRenewedAndTheRequestSentAgainAtMostTwice) {
  tokens_.newest = 9;
  answers({google_error(401, "UNAUTHENTICATED")});
  EXPECT_EQ(exchange(kSubmit).error().kind, ErrorKind::Denied);
  EXPECT_THAT(tokens_sent(), ElementsAre("Bearer token-1", "Bearer token-2", "Bearer token-3"));
}

TEST_F(SlurmJobApiTransportTest, SubmitGoesThroughWithTheRenewedToken) {
  tokens_.newest = 2;
  answers({google_error(401, "UNAUTHENTICATED"), envelope(R"({"job_id":7})")});
  ASSERT_TRUE(exchange(kSubmit));
  EXPECT_EQ(body_, R"({"job_id":7})");
  EXPECT_THAT(tokens_sent(), ElementsAre("Bearer token-1", "Bearer token-2"));
}

TEST_F(SlurmJobApiTransportTest, RefusedTokenWithAClockApartTellsBothTimes) {
  StubAnswer refused = google_error(401, "UNAUTHENTICATED");
  refused.headers["Date"] = "Sat, 14 Mar 2026 12:00:00 GMT";
  answers({refused});
  now_ = TimePoint(seconds(1'773'489'600 + 3600));
  EXPECT_THAT(exchange(kList).error().message, AllOf(HasSubstr("clock says 2026-03-14T13:00:00Z"),
                                                     HasSubstr("server's 2026-03-14T12:00:00Z")));
  now_ = TimePoint(seconds(1'773'489'600 + 200));
  EXPECT_THAT(exchange(kList).error().message, Not(HasSubstr("clock")));
}

TEST_F(SlurmJobApiTransportTest, WithoutATokenNothingIsSent) {
  tokens_.error = Error{ErrorKind::Denied, "no credentials anywhere"};
  const auto head = exchange(kSubmit);
  EXPECT_EQ(head.error(), without_credentials(*tokens_.error));
  EXPECT_THAT(requests(), IsEmpty());
}

TEST_F(SlurmJobApiTransportTest, MessagesNeverHoldTheToken) {
  for (const auto& answer : {google_error(401, "UNAUTHENTICATED"), google_error(403, "X"),
                             google_error(400, "INVALID_ARGUMENT"), StubAnswer{.body = "x"}}) {
    answers({answer});
    EXPECT_THAT(exchange(kSubmit).error().message, Not(HasSubstr("token-1")));
  }
}

// Sending again.

TEST_F(SlurmJobApiTransportTest, LostReadsAndCancelsAreSentAgainAfterASecondAndTwo) {
  for (const SlurmCall& call : {kList, kCancel}) {
    sleeps_.clear();
    answers({{.body = "{}", .manner = Manner::BreakOff}, {.status = 502}, envelope()});
    ASSERT_TRUE(exchange(call));
    EXPECT_THAT(sleeps_, ElementsAre(milliseconds(1000), milliseconds(2000)));
  }
}

TEST_F(SlurmJobApiTransportTest, LostSubmitIsNeverSentAgain) {
  answers({{.manner = Manner::HangUp}, envelope()});
  EXPECT_EQ(exchange(kSubmit).error().kind, ErrorKind::Unknown);
  EXPECT_THAT(requests(), SizeIs(1));
}

TEST_F(SlurmJobApiTransportTest, DuringAnOutageEachRequestIsSentOnce) {
  answers({{.status = 502}});
  EXPECT_FALSE(exchange(kList));
  const auto before = requests().size();
  EXPECT_FALSE(exchange(kList));
  EXPECT_EQ(requests().size(), before + 1);
  answers({envelope()});
  EXPECT_TRUE(exchange(kList));
  answers({{.status = 502}, envelope()});
  EXPECT_TRUE(exchange(kList));
}

TEST_F(SlurmJobApiTransportTest, AfterTooManyRequestsNothingIsSentForHalfAMinute) {
  answers({google_error(429, "RESOURCE_EXHAUSTED"), envelope()});
  const auto refused = exchange(kSubmit);
  EXPECT_EQ(refused.error().kind, ErrorKind::Unavailable);
  EXPECT_TRUE(refused.error().retry_slowly);
  steady_ += seconds(29);
  const auto waiting = exchange(kList);
  EXPECT_EQ(waiting.error().kind, ErrorKind::Unavailable);
  EXPECT_THAT(waiting.error().message, HasSubstr("asked to wait, 1 s more"));
  EXPECT_THAT(requests(), SizeIs(1));
  steady_ += seconds(1);
  EXPECT_TRUE(exchange(kList));
}

TEST_F(SlurmJobApiTransportTest, HintsOfTheServiceAreKept) {
  const std::string info =
      R"([{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"44.5s"}])";
  StubAnswer header = google_error(503, "UNAVAILABLE");
  header.headers["Retry-After"] = "45";
  for (const auto& answer : {google_error(503, "UNAVAILABLE", info), header}) {
    answers({answer, envelope()});
    const auto before = requests().size();
    EXPECT_FALSE(exchange(kList));
    EXPECT_EQ(requests().size(), before + 1);  // no sending again before that
    steady_ += seconds(44);
    EXPECT_FALSE(exchange(kList));
    EXPECT_EQ(requests().size(), before + 1);
    steady_ += seconds(1);
    EXPECT_TRUE(exchange(kList));
  }
}

// Queries.

TEST_F(SlurmJobApiTransportTest, RefusedQueryIsRememberedForGood) {
  EXPECT_TRUE(transport().takes_queries());
  answers({google_error(400, "INVALID_ARGUMENT")});
  EXPECT_EQ(exchange(kQuery).error().kind, ErrorKind::Unavailable);
  EXPECT_FALSE(transport().takes_queries());
}

TEST_F(SlurmJobApiTransportTest, QueryThatWasTakenOnceStaysTaken) {
  ASSERT_TRUE(exchange(kQuery));
  answers({google_error(400, "INVALID_ARGUMENT")});
  EXPECT_FALSE(exchange(kQuery));
  EXPECT_TRUE(transport().takes_queries());
}

TEST(SlurmJobApiOptionsTest, GooglesHostFollowsFromTheRegion) {
  FakeAccessTokens::State tokens;
  const auto transport = make_slurm_job_api_transport(
      {.project = "p", .region = "us-central1", .cluster = "c"}, make_http_client({}).value(),
      std::make_unique<FakeAccessTokens>(tokens));
  EXPECT_EQ((*transport)->endpoint(), "https://us-central1-aiplatform.googleapis.com");
}

}  // namespace
}  // namespace sconverge::test
