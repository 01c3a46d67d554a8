#include "controller/gateway/gateway.h"

#include "tests/gateway/gateway_world.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kSubmit = R"({"job":{"name":"a"},"script":"#!/bin/sh\n"})";

struct GatewayAccess : GatewayWorld {};
struct GatewayWrites : GatewayWorld {};
struct GatewayOwnership : GatewayWorld {};
struct GatewayUsers : GatewayWorld {};
struct GatewayFailures : GatewayWorld {};
struct GatewayObservation : GatewayWorld {};

TEST_F(GatewayAccess, WithoutAValidTokenNothingIsToldButThat) {
  for (const char* header :
       {"", "Bearer", "Bearer ", "Basic cnVuOnJ1bg==", "run-0123456789abcdef",
        "Bearer run-0123456789abcde", "Bearer run-0123456789abcdef0", "Bearer RUN-0123456789ABCDEF",
        "Bearer run-0123456789abcdef read-0123456789abcdef", "Bearer\trun-0123456789abcdef"}) {
    for (const char* path : {kUrlPath, "/nowhere"}) {
      HttpRequest bad = request("nonsense");
      bad.authorization = header;
      bad.path = path;
      const HttpAnswer answer = gateway().answer(bad);
      EXPECT_EQ(answer.status, 401) << header;
      EXPECT_EQ(status_of(answer), "UNAUTHENTICATED") << header;
      EXPECT_THAT(answer.headers, ElementsAre(std::pair("WWW-Authenticate", "Bearer")));
    }
  }
  EXPECT_THAT(slurm.calls, IsEmpty());
}

TEST_F(GatewayAccess, TheSchemeOfTheTokenMayBeWrittenInAnyCase) {
  HttpRequest good = request(R"({"method":"HTTP_METHOD_GET","path":"/slurm/v0.0.42/job/7"})");
  good.authorization = "bearer  " + kRunToken;
  EXPECT_EQ(gateway().answer(good).status, 200);
}

TEST_F(GatewayAccess, TheColonOfTheUrlMayBeEscaped) {
  for (const char* colon : {"%3A", "%3a"}) {
    HttpRequest good = request(R"({"method":"HTTP_METHOD_GET","path":"/slurm/v0.0.42/job/7"})");
    good.path.replace(good.path.find(':'), 1, colon);
    EXPECT_EQ(gateway().answer(good).status, 200) << colon;
  }
}

TEST_F(GatewayAccess, AnotherProjectRegionClusterVersionOrMethodIsNotFound) {
  const std::string path = kUrlPath;
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"p1", "p2"},
                                                        {"europe-west4", "us-east1"},
                                                        {"/lab", "/lob"},
                                                        {"v1beta1", "v1"},
                                                        {"callSlurmRestApi", "callSlurm"},
                                                        {":callSlurmRestApi", ""},
                                                        {"lab:", "lab/:"},
                                                        {"lab:", "lab:lab:"},
                                                        {"/v1beta1", "//v1beta1"},
                                                        {"Api", "Api/"}}) {
    HttpRequest other = request("nonsense");
    other.path = path;
    other.path.replace(path.find(from), from.size(), to);
    const HttpAnswer answer = gateway().answer(other);
    EXPECT_EQ(answer.status, 404) << other.path;
    EXPECT_EQ(status_of(answer), "NOT_FOUND") << other.path;
  }
}

TEST_F(GatewayAccess, OtherHttpMethodsThanPostAreRefusedInGooglesForm) {
  for (const char* method : {"GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"}) {
    HttpRequest other = request("");
    other.method = method;
    EXPECT_EQ(status_of(gateway().answer(other)), "INVALID_ARGUMENT") << method;
  }
}

TEST_F(GatewayAccess, AReadTokenMayOnlyGet) {
  EXPECT_EQ(call("GET", "/slurm/v0.0.42/job/7", "", kReadToken).status, 200);
  slurm.calls.clear();
  for (const HttpAnswer& answer : {call("POST", "/slurm/v0.0.42/job/submit", kSubmit, kReadToken),
                                   call("POST", "/slurm/v0.0.42/job/7", "{}", kReadToken),
                                   call("DELETE", "/slurm/v0.0.42/job/7", "", kReadToken)}) {
    EXPECT_EQ(answer.status, 403);
    EXPECT_EQ(status_of(answer), "PERMISSION_DENIED");
  }
  EXPECT_THAT(slurm.calls, IsEmpty());
}

TEST_F(GatewayAccess, TheFormOfARequestIsCheckedBeforeThePermissionForIt) {
  EXPECT_EQ(status_of(call("DELETE", "/nonsense", "", kReadToken)), "INVALID_ARGUMENT");
}

TEST_F(GatewayAccess, QueriesArePassedOnUnlessSwitchedOff) {
  slurm.on("GET /slurm/v0.0.42/jobs/?update_time=1700000000", SlurmSays{200, "{}"});
  EXPECT_EQ(call("GET", "/slurm/v0.0.42/jobs/?update_time=1700000000").body,
            R"({"status":200,"structuredBody":{}})");
}

TEST_F(GatewayAccess, QueriesAreInvalidArgumentsWhereTheyAreSwitchedOff) {
  options.queries = false;
  const HttpAnswer answer = call("GET", "/slurm/v0.0.42/jobs/?update_time=1700000000");
  EXPECT_EQ(status_of(answer), "INVALID_ARGUMENT");
  EXPECT_THAT(answer.body, HasSubstr("leave out everything from the"));
  EXPECT_THAT(slurm.calls, IsEmpty());
}

TEST_F(GatewayWrites, EverythingThatIsNotOnTheListIsForbidden) {
  const std::string slurm_api = "/slurm/v0.0.42/";
  const std::string accounting = "/slurmdb/v0.0.42/";
  for (const auto& [method, path] :
       std::vector<std::pair<std::string, std::string>>{{"POST", slurm_api + "job/allocate"},
                                                        {"POST", slurm_api + "job"},
                                                        {"POST", slurm_api + "job/"},
                                                        {"POST", slurm_api + "job/7/7"},
                                                        {"POST", slurm_api + "job/submit/7"},
                                                        {"POST", slurm_api + "jobs/"},
                                                        {"POST", slurm_api + "jobs/submit"},
                                                        {"POST", slurm_api + "node/n1"},
                                                        {"POST", slurm_api + "nodes/"},
                                                        {"POST", slurm_api + "new/node/"},
                                                        {"POST", slurm_api + "reservation"},
                                                        {"POST", slurm_api + "partition/p"},
                                                        {"POST", slurm_api + "JOB/submit"},
                                                        {"DELETE", slurm_api + "jobs/"},
                                                        {"DELETE", slurm_api + "job/submit"},
                                                        {"DELETE", slurm_api + "job/allocate"},
                                                        {"DELETE", slurm_api + "job"},
                                                        {"DELETE", slurm_api + "node/n1"},
                                                        {"DELETE", slurm_api + "reservation/r"},
                                                        {"POST", accounting + "job/submit"},
                                                        {"POST", accounting + "job/7"},
                                                        {"POST", accounting + "users/"},
                                                        {"POST", accounting + "config"},
                                                        {"DELETE", accounting + "job/7"},
                                                        {"DELETE", accounting + "user/alice"},
                                                        {"DELETE", accounting + "account/a"},
                                                        {"GET", slurm_api + "reconfigure"},
                                                        {"GET", slurm_api + "reconfigure/"}}) {
    const HttpAnswer answer = call(method, path, method == "POST" ? "{}" : "");
    EXPECT_EQ(answer.status, 403) << method << " " << path;
    EXPECT_EQ(status_of(answer), "PERMISSION_DENIED") << method << " " << path;
    EXPECT_THAT(answer.body, HasSubstr("only POST job/submit")) << method << " " << path;
  }
  EXPECT_THAT(slurm.calls, IsEmpty());
}

TEST_F(GatewayWrites, ASlashAtTheEndIsTakenAndPassedOn) {
  slurm.on("POST /slurm/v0.0.42/job/submit/", SlurmSays{200, "{}"});
  slurm.on("POST /slurm/v0.0.42/job/7/", SlurmSays{200, "{}"});
  slurm.on("DELETE /slurm/v0.0.42/job/7/?signal=SIGTERM&flags=FULL_JOB", SlurmSays{200, "{}"});
  EXPECT_EQ(call("POST", "/slurm/v0.0.42/job/submit/", kSubmit).status, 200);
  EXPECT_EQ(call("POST", "/slurm/v0.0.42/job/7/", R"({"comment":"x"})").status, 200);
  EXPECT_EQ(call("DELETE", "/slurm/v0.0.42/job/7/?signal=SIGTERM&flags=FULL_JOB").status, 200);
  EXPECT_THAT(slurm.asked(),
              ElementsAre("POST /slurm/v0.0.42/job/submit/", "GET /slurm/v0.0.42/job/7",
                          "POST /slurm/v0.0.42/job/7/", "GET /slurm/v0.0.42/job/7",
                          "DELETE /slurm/v0.0.42/job/7/?signal=SIGTERM&flags=FULL_JOB"));
  EXPECT_EQ(slurm.calls[2].body, R"({"comment":"x"})");
}

TEST_F(GatewayWrites, WhatChangesSomethingIsSentAtMostOnce) {
  call("POST", "/slurm/v0.0.42/job/submit", kSubmit);
  call("POST", "/slurm/v0.0.42/job/7", "{}");
  call("DELETE", "/slurm/v0.0.42/job/7");
  for (const SlurmCall& sent : slurm.calls) {
    EXPECT_EQ(sent.at_most_once, sent.method != HttpMethod::Get) << sent.path;
  }
}

TEST_F(GatewayWrites, ANumberReachesSlurmAsItWasWritten) {
  const std::string body =
      R"({"job":{"a":18446744073709551615,"b":1.50,"c":1e3,"a":-0}, "z":null})";
  call("POST", "/slurm/v0.0.42/job/submit", body);
  ASSERT_EQ(slurm.calls.size(), 1U);
  EXPECT_EQ(slurm.calls[0].body, body);
}

TEST_F(GatewayOwnership, AJobOfSomebodyElseIsNeitherChangedNorCancelled) {
  for (const HttpAnswer& answer :
       {call("POST", "/slurm/v0.0.42/job/8", "{}"), call("DELETE", "/slurm/v0.0.42/job/8")}) {
    EXPECT_EQ(answer.status, 403);
    EXPECT_EQ(status_of(answer), "PERMISSION_DENIED");
    EXPECT_THAT(answer.body, HasSubstr("job 8 is not a job of alice"));
  }
  EXPECT_THAT(slurm.asked(), Each(testing::StartsWith("GET ")));
}

TEST_F(GatewayOwnership, AJobOfSomebodyElseCanBeRead) {
  EXPECT_EQ(call("GET", "/slurm/v0.0.42/job/8").status, 200);
}

TEST_F(GatewayOwnership, EveryRowMustBeTheUsers) {
  for (const char* rows :
       {R"([{"user_name":"alice"},{"user_name":"bob"}])", R"([{"user_name":"alice"},{"job_id":7}])",
        R"([{"user_name":""}])", R"([{"user_name":null}])", R"([{"user_name":["alice"]}])",
        R"([{"nested":{"user_name":"alice"}}])", R"([{"User_Name":"alice"}])",
        R"([{"user_name":"alice\u0000"}])", R"([{"user_name":"alice "}])"}) {
    slurm.answers["GET /slurm/v0.0.42/job/7"] = {
        SlurmSays{200, std::string(R"({"user_name":"alice","jobs":)") + rows + "}"}};
    EXPECT_EQ(status_of(call("DELETE", "/slurm/v0.0.42/job/7")), "PERMISSION_DENIED") << rows;
  }
  EXPECT_THAT(slurm.asked(), Each(testing::StartsWith("GET ")));
}

TEST_F(GatewayOwnership, RowsThatAreAllTheUsersAreEnough) {
  slurm.answers["GET /slurm/v0.0.42/job/7"] = {
      SlurmSays{200, R"({"jobs":[{"user_name":"alice","nested":{"user_name":"bob"}},)"
                     R"({"user_name":"alice"}]})"}};
  EXPECT_EQ(call("DELETE", "/slurm/v0.0.42/job/7").status, 200);
  EXPECT_EQ(slurm.asked().back(), "DELETE /slurm/v0.0.42/job/7");
}

TEST_F(GatewayOwnership, ARowWithANameThatIsNotUtf8IsRead) {
  slurm.answers["GET /slurm/v0.0.42/job/7"] = {
      SlurmSays{200, "{\"jobs\":[{\"name\":\"caf\xE9\",\"user_name\":\"alice\"}]}"}};
  EXPECT_EQ(call("DELETE", "/slurm/v0.0.42/job/7").status, 200);
  EXPECT_EQ(slurm.asked().back(), "DELETE /slurm/v0.0.42/job/7");
}

TEST_F(GatewayOwnership, WithoutKnowingItsOwnUserTheGatewayChangesNothing) {
  slurm.slurm_user = "";
  EXPECT_EQ(status_of(call("DELETE", "/slurm/v0.0.42/job/7")), "PERMISSION_DENIED");
}

TEST_F(GatewayOwnership, NothingIsSentOnIfTheLookFails) {
  for (const Result<SlurmSays>& says : std::vector<Result<SlurmSays>>{
           Error{ErrorKind::Unavailable, "refused"}, Error{ErrorKind::Unknown, "late"},
           Error{ErrorKind::Denied, "no token"}, Error{ErrorKind::Rejected, "too large"},
           SlurmSays{500, R"({"jobs":[],"errors":[{"error_number":-1}]})"},
           SlurmSays{502, R"({"jobs":[{"user_name":"alice"}]})"}, SlurmSays{200, R"({"jobs":[]})"},
           SlurmSays{200, R"({"jobs":null})"}, SlurmSays{200, "{}"}, SlurmSays{200, ""},
           SlurmSays{200, "pong"}, SlurmSays{200, R"([{"jobs":[{"user_name":"alice"}]}])"},
           SlurmSays{200, R"({"jobs":[{"user_name":"alice"})"}, SlurmSays{204, ""}}) {
    slurm.answers["GET /slurm/v0.0.42/job/7"] = {says};
    const HttpAnswer answer = call("DELETE", "/slurm/v0.0.42/job/7");
    EXPECT_EQ(answer.status, 503) << (says ? says->body : says.error().message);
    EXPECT_EQ(status_of(answer), "UNAVAILABLE");
    EXPECT_THAT(answer.body, HasSubstr("nothing was sent on"));
  }
  EXPECT_THAT(slurm.asked(), Each(testing::StartsWith("GET ")));
}

TEST_F(GatewayOwnership, AVersionThatIsNotServedIsSlurmsOwn404) {
  EXPECT_EQ(call("DELETE", "/slurm/v0.0.39/job/7").body,
            R"({"status":404,"structuredBody":{},"body":"Unable find requested URL"})");
  EXPECT_THAT(slurm.asked(), ElementsAre("GET /slurm/v0.0.39/job/7"));
}

TEST_F(GatewayOwnership, AnIdThatSlurmDoesNotTakeIsSlurmsOwnRefusal) {
  slurm.answers["GET /slurm/v0.0.42/job/0"] = {
      SlurmSays{422, R"({"jobs":[],"errors":[{"error_number":9202}]})"}};
  const HttpAnswer answer = call("DELETE", "/slurm/v0.0.42/job/0");
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.body, testing::StartsWith(R"({"status":422,)"));
  EXPECT_THAT(slurm.asked(), ElementsAre("GET /slurm/v0.0.42/job/0"));
}

TEST_F(GatewayOwnership, TasksAndComponentsAreLookedAtUnderTheIdThatIsChanged) {
  for (const char* id : {"7_3", "7+1", "7%2B1", "7%5F3"}) {
    const std::string path = std::string("/slurm/v0.0.42/job/") + id;
    slurm.calls.clear();
    slurm.on("GET " + path, SlurmSays{200, R"({"jobs":[{"user_name":"alice"}]})"});
    slurm.on("DELETE " + path, SlurmSays{200, "{}"});
    const HttpAnswer answer = call("DELETE", path);
    if (std::string(id) == "7%5F3") {  // an escape that needs none
      EXPECT_EQ(status_of(answer), "INVALID_ARGUMENT");
      continue;
    }
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_THAT(slurm.asked(), ElementsAre("GET " + path, "DELETE " + path));
  }
}

TEST_F(GatewayOwnership, WhatIsNoJobIdIsRefusedBeforeAnybodyIsAsked) {
  for (const char* id : {"x", "7x", "-7", "7.0", "7_", "_3", "7+", "7_3_1", "7_1+2", "7,8", "7*",
                         "0x7", "12345678901", "s9xyz", "7%20", "7%C3%A9"}) {
    for (const char* method : {"POST", "DELETE"}) {
      const HttpAnswer answer = call(method, std::string("/slurm/v0.0.42/job/") + id,
                                     std::string(method) == "POST" ? "{}" : "");
      EXPECT_EQ(status_of(answer), "INVALID_ARGUMENT") << id;
    }
  }
  EXPECT_THAT(slurm.calls, IsEmpty());
}

TEST_F(GatewayUsers, ASubmitForSomebodyElseIsRefusedWhereverItSaysSo) {
  for (const char* body :
       {R"({"job":{"user_id":"0"}})", R"({"job":{"user_id":0}})", R"({"job":{"group_id":"0"}})",
        R"({"jobs":[{"name":"a"},{"user_id":"bob"}]})", R"({"user_id":"bob","job":{}})",
        R"({"job":{"USER_ID":"bob"}})", R"({"job":{"\u0075ser_id":"bob"}})",
        R"({"job":{"user_id\u0000x":"bob"}})", R"({"job":{"name":"a"},"job":{"user_id":1}})",
        R"({"job":{"uid":1}})", R"({"job":{"gid":1}})", R"({"job":{"user":"bob"}})",
        R"({"job":{"user_name":"bob"}})", R"({"job":{"x":[[{"user_id":null}]]}})",
        R"({"jobs":{"1":{"user_id":1}}})"}) {
    const HttpAnswer answer = call("POST", "/slurm/v0.0.42/job/submit", body);
    EXPECT_EQ(status_of(answer), "INVALID_ARGUMENT") << body;
    EXPECT_THAT(answer.body, AllOf(HasSubstr("jobs run as alice"), HasSubstr("leave out")));
  }
  EXPECT_THAT(slurm.calls, IsEmpty());
}

TEST_F(GatewayUsers, AnUpdateThatNamesAUserIsRefusedBeforeTheLook) {
  EXPECT_EQ(status_of(call("POST", "/slurm/v0.0.42/job/7", R"({"user_id":"bob"})")),
            "INVALID_ARGUMENT");
  EXPECT_THAT(slurm.calls, IsEmpty());
}

TEST_F(GatewayUsers, VariablesAndValuesMayBeCalledLikeThat) {
  for (const char* body : {R"({"job":{"environment":{"USER":"alice","UID":"7"},"name":"user_id"}})",
                           R"({"job":{"environment":["USER=alice"],"mail_user":"a@b"}})"}) {
    EXPECT_EQ(call("POST", "/slurm/v0.0.42/job/submit", body).status, 200) << body;
  }
}

TEST_F(GatewayUsers, AVeryDeepBodyIsRefused) {
  EXPECT_EQ(
      status_of(call("POST", "/slurm/v0.0.42/job/submit",
                     R"({"job":)" + std::string(100'000, '[') + std::string(100'000, ']') + "}")),
      "INVALID_ARGUMENT");
}

TEST_F(GatewayFailures, ASlurmrestdThatCannotBeReachedIsUnavailable) {
  slurm.answers["POST /slurm/v0.0.42/job/submit"] = {Error{ErrorKind::Unavailable, "refused"}};
  const HttpAnswer answer = call("POST", "/slurm/v0.0.42/job/submit", kSubmit);
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(status_of(answer), "UNAVAILABLE");
  EXPECT_EQ(slurm.calls.size(), 1U);
  EXPECT_EQ(seen.back().upstream.kind, "unavailable");
  EXPECT_EQ(seen.back().upstream.reason, "refused");
}

TEST_F(GatewayFailures, ALostAnswerToAGetIsUnavailable) {
  slurm.on("GET /slurm/v0.0.42/jobs/", ErrorKind::Unknown);
  EXPECT_EQ(status_of(call("GET", "/slurm/v0.0.42/jobs/")), "UNAVAILABLE");
}

TEST_F(GatewayFailures, ALostAnswerToAWriteSaysThatItMayHaveBeenCarriedOut) {
  for (const char* request : {"POST /slurm/v0.0.42/job/submit", "POST /slurm/v0.0.42/job/7",
                              "DELETE /slurm/v0.0.42/job/7"}) {
    slurm.answers[request] = {Error{ErrorKind::Unknown, "late"}};
  }
  for (const HttpAnswer& answer :
       {call("POST", "/slurm/v0.0.42/job/submit", kSubmit),
        call("POST", "/slurm/v0.0.42/job/7", "{}"), call("DELETE", "/slurm/v0.0.42/job/7")}) {
    EXPECT_EQ(answer.status, 504);
    EXPECT_EQ(status_of(answer), "DEADLINE_EXCEEDED");
    EXPECT_THAT(answer.body, AllOf(HasSubstr("may have been carried out"),
                                   HasSubstr("\"reason\":\"MAY_HAVE_BEEN_CARRIED_OUT\"")));
  }
  EXPECT_EQ(slurm.calls.size(), 5U);  // two looks, and each write once
}

TEST_F(GatewayFailures, ASubmitIsSentAgainOnlyAfterItsTokenWasRefusedAndRenewed) {
  slurm.newer_credentials = true;
  for (const SlurmSays& refused :
       {SlurmSays{401, "Authentication failure"}, SlurmSays{511, R"({"jobs":null})"},
        SlurmSays{500, R"({"errors":[{"error_number":1007}]})"}}) {
    slurm.calls.clear();
    slurm.answers["POST /slurm/v0.0.42/job/submit"] = {refused, SlurmSays{200, R"({"job_id":9})"}};
    EXPECT_EQ(call("POST", "/slurm/v0.0.42/job/submit", kSubmit).body,
              R"({"status":200,"structuredBody":{"job_id":9}})");
    EXPECT_EQ(slurm.calls.size(), 2U);
  }
}

TEST_F(GatewayFailures, ATokenOfTheGatewaysThatStaysRefusedIsNobodysBearerToken) {
  for (const bool newer : {false, true}) {
    slurm.newer_credentials = newer;
    slurm.calls.clear();
    slurm.answers["GET /slurm/v0.0.42/jobs/"] = {SlurmSays{401, "Authentication failure"}};
    const HttpAnswer answer = call("GET", "/slurm/v0.0.42/jobs/");
    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(status_of(answer), "UNAVAILABLE");
    EXPECT_THAT(answer.body, HasSubstr("the gateway's own Slurm token is missing or not accepted"));
    EXPECT_THAT(answer.body, Not(HasSubstr("/run/slurm-token")));
    EXPECT_EQ(slurm.calls.size(), newer ? 2U : 1U);
    EXPECT_EQ(std::exchange(slurm.renewals, 0), 1);
    EXPECT_EQ(seen.back().upstream.kind, "token_refused");
    EXPECT_THAT(seen.back().upstream.reason, HasSubstr("/run/slurm-token"));
  }
}

TEST_F(GatewayFailures, AGatewayWithoutASlurmTokenSaysTheSame) {
  slurm.on("GET /slurm/v0.0.42/jobs/", ErrorKind::Denied);
  EXPECT_EQ(status_of(call("GET", "/slurm/v0.0.42/jobs/")), "UNAVAILABLE");
}

TEST_F(GatewayFailures, AnOrdinary500OfSlurmsIsPassedOn) {
  slurm.on("GET /slurm/v0.0.42/jobs/", SlurmSays{500, R"({"errors":[{"error_number":2000}]})"});
  EXPECT_EQ(call("GET", "/slurm/v0.0.42/jobs/").status, 200);
  EXPECT_EQ(slurm.renewals, 0);
}

TEST_F(GatewayFailures, AnAnswerOverTheLimitIsRefusedAndOneOfTheLimitIsNot) {
  options.most_answer_bytes = 20;
  slurm.on("GET /slurm/v0.0.42/jobs/", SlurmSays{200, R"({"a":"12345678901"})"});
  EXPECT_EQ(status_of(call("GET", "/slurm/v0.0.42/jobs/")),
            R"({"status":200,"structuredBody":{"a":"12345678901"}})");
  slurm.answers["GET /slurm/v0.0.42/jobs/"] = {SlurmSays{200, R"({"a":"1234567890123"})"}};
  const HttpAnswer answer = call("GET", "/slurm/v0.0.42/jobs/");
  EXPECT_EQ(status_of(answer), "INVALID_ARGUMENT");
  EXPECT_THAT(answer.body, HasSubstr("ask for less"));
  EXPECT_EQ(seen.back().upstream.kind, "too_large");
  EXPECT_EQ(status_of(call("POST", "/slurm/v0.0.42/job/submit", kSubmit)), "DEADLINE_EXCEEDED");
}

TEST_F(GatewayFailures, ReadingStopsAtTheLimit) {
  options.most_answer_bytes = 20;
  slurm.on("GET /slurm/v0.0.42/jobs/", SlurmSays{200, std::string(10'000, ' ')});
  EXPECT_EQ(call("GET", "/slurm/v0.0.42/jobs/").status, 400);
  EXPECT_GT(slurm.unread, 9'900U);
}

TEST_F(GatewayFailures, ARequestThatSlurmrestdCannotTakeIsAnInvalidArgument) {
  slurm.answers["POST /slurm/v0.0.42/job/submit"] = {Error{ErrorKind::Rejected, "too large"}};
  EXPECT_EQ(status_of(call("POST", "/slurm/v0.0.42/job/submit", kSubmit)), "INVALID_ARGUMENT");
}

TEST_F(GatewayObservation, ACallIsToldOfWithoutItsContents) {
  const HttpAnswer answer = call("POST", "/slurm/v0.0.42/job/submit", kSubmit);
  ASSERT_EQ(seen.size(), 1U);
  const GatewayExchange& exchange = seen[0];
  EXPECT_EQ(exchange.method, "POST");
  EXPECT_EQ(exchange.route, "/slurm/{version}/job/submit");
  EXPECT_EQ(exchange.code, 200);
  EXPECT_EQ(exchange.status, "OK");
  EXPECT_EQ(exchange.slurm_status, 200);
  EXPECT_EQ(exchange.seconds, 0.25);
  EXPECT_EQ(exchange.token_name, "ci");
  EXPECT_GT(exchange.bytes_in, std::string(kSubmit).size());
  EXPECT_EQ(exchange.bytes_out, answer.body.size());
  EXPECT_EQ(exchange.upstream.kind, "");
}

TEST_F(GatewayObservation, ARefusalIsToldOfAsFarAsItWasUnderstood) {
  send("nonsense", "unknown-0123456789");
  call("DELETE", "/slurm/v0.0.42/job/8");
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].method, "none");
  EXPECT_EQ(seen[0].route, "none");
  EXPECT_EQ(seen[0].code, 401);
  EXPECT_EQ(seen[0].status, "UNAUTHENTICATED");
  EXPECT_EQ(seen[0].token_name, "");
  EXPECT_EQ(seen[1].method, "DELETE");
  EXPECT_EQ(seen[1].route, "/slurm/{version}/job/{job_id}");
  EXPECT_EQ(seen[1].status, "PERMISSION_DENIED");
  EXPECT_EQ(seen[1].slurm_status, std::nullopt);
}

}  // namespace
}  // namespace sconverge::test
