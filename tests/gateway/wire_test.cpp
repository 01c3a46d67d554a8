#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "controller/gateway/wire_answer.h"
#include "controller/gateway/wire_read.h"
#include "specs/utf8.h"

namespace sconverge::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;

std::string enveloped(std::string_view body, int status = 200) {
  AnswerEnvelope envelope;
  envelope.append(body);
  return envelope.finish(status);
}

TEST(CallEnvelopes, FieldsComeInAnyOrderAndABodyKeepsItsBytes) {
  const auto envelope = read_call_envelope(
      "\n{ \"body\" : {\"a\":[1.0,{\"}\":\"\\\"{\"}], \"method\":\"x\"} ,\"path\":"
      "\"\\/slurm\\/v0.0.42\\/job\\/submit\", \"method\" : \"HTTP_METHOD_POST\"}\r\n");
  ASSERT_TRUE(envelope);
  EXPECT_EQ(envelope->method, HttpMethod::Post);
  EXPECT_EQ(envelope->path, "/slurm/v0.0.42/job/submit");
  EXPECT_EQ(envelope->body, R"({"a":[1.0,{"}":"\"{"}], "method":"x"})");
}

TEST(CallEnvelopes, AnEmptyBodyCountsAsAbsentWhereNoneBelongs) {
  for (const char* body : {"{}", "{ }", "null"}) {
    const auto envelope = read_call_envelope(
        std::string(R"({"method":"HTTP_METHOD_DELETE","path":"/x","body":)") + body + "}");
    ASSERT_TRUE(envelope) << body;
    EXPECT_EQ(envelope->body, "") << body;
  }
}

TEST(CallEnvelopes, AnEmptyObjectIsABodyOfAPost) {
  const auto envelope =
      read_call_envelope(R"({"method":"HTTP_METHOD_POST","path":"/x","body":{}})");
  ASSERT_TRUE(envelope);
  EXPECT_EQ(envelope->body, "{}");
}

struct BadEnvelope {
  const char* text;
  const char* says;
};

TEST(CallEnvelopes, MalformedOnesAreRefusedWithTheReasonAndTheWayOut) {
  for (const auto& [text, says] : std::initializer_list<BadEnvelope>{
           {"", "not a JSON object"},
           {" ", "not a JSON object"},
           {"null", "not a JSON object"},
           {"[]", "not a JSON object"},
           {"\"{}\"", "not a JSON object"},
           {"{", "not a JSON object"},
           {"{}}", "not a JSON object"},
           {"{'method':1}", "not a JSON object"},
           {R"({"method":"HTTP_METHOD_GET",})", "not a JSON object"},
           {"{\"method\":\"\xFF\"}", "not a JSON object"},
           {"\xEF\xBB\xBF{}", "not a JSON object"},
           {"method=HTTP_METHOD_GET", "not a JSON object"},
           {"{}", "method is missing"},
           {R"({"path":"/x"})", "method is missing"},
           {R"({"method":null,"path":"/x"})", "method is missing or not a text"},
           {R"({"method":1,"path":"/x"})", "method is missing or not a text"},
           {R"({"method":{},"path":"/x"})", "method is missing or not a text"},
           {R"({"method":"GET","path":"/x"})", "\"GET\" is not supported; write HTTP_METHOD_GET"},
           {R"({"method":"HTTP_METHOD_PUT","path":"/x"})", "is not supported"},
           {R"({"method":"HTTP_METHOD_UNSPECIFIED","path":"/x"})", "is not supported"},
           {R"({"method":"http_method_get","path":"/x"})", "is not supported"},
           {R"({"method":"HTTP_METHOD_GET"})", "path is missing"},
           {R"({"method":"HTTP_METHOD_GET","path":7})", "path is missing or not a text"},
           {R"({"method":"HTTP_METHOD_GET","path":null})", "path is missing or not a text"},
           {R"({"method":"HTTP_METHOD_GET","path":["/x"]})", "path is missing or not a text"},
           {R"({"method":"HTTP_METHOD_GET","path":"/x","body":{"a":1}})", "leave it out"},
           {R"({"method":"HTTP_METHOD_DELETE","path":"/x","body":""})", "leave it out"},
           {R"({"method":"HTTP_METHOD_GET","path":"/x","body":[]})", "leave it out"},
           {R"({"method":"HTTP_METHOD_POST","path":"/x"})", "body is missing"},
           {R"({"method":"HTTP_METHOD_POST","path":"/x","body":null})", "body is missing"},
           {R"({"method":"HTTP_METHOD_POST","path":"/x","body":"{}"})", "without quotes around it"},
           {R"({"method":"HTTP_METHOD_POST","path":"/x","body":[{}]})", "not a JSON object"},
           {R"({"method":"HTTP_METHOD_POST","path":"/x","body":7})", "not a JSON object"},
           {R"({"method":"HTTP_METHOD_GET","path":"/x","paht":"/y"})", "is path meant?"},
           {R"({"method":"HTTP_METHOD_GET","path":"/x","user":"bob"})",
            "\"user\" is unknown; there are method, path and body"},
           {R"({"method":"HTTP_METHOD_GET","Path":"/x"})", "is path meant?"},
           {R"({"method":"HTTP_METHOD_GET","path":"/x","path":"/x"})", "path stands there twice"},
           {R"({"method":"HTTP_METHOD_GET","path":"/x","p\u0061th":"/y"})",
            "path stands there twice"},
           {R"({"body":{},"method":"HTTP_METHOD_POST","path":"/x","body":{"a":1}})",
            "body stands there twice"}}) {
    const auto envelope = read_call_envelope(text);
    ASSERT_FALSE(envelope) << text;
    EXPECT_EQ(envelope.error().kind, ErrorKind::Rejected) << text;
    EXPECT_THAT(envelope.error().message, HasSubstr(says)) << text;
  }
}

TEST(CallEnvelopes, NothingMayFollowANul) {
  using namespace std::string_literals;
  EXPECT_FALSE(read_call_envelope("{\"method\":\"HTTP_METHOD_GET\",\"path\":\"/x\"}\0{}"s));
}

TEST(AnswerEnvelopes, AJsonObjectIsPassedOnByteForByte) {
  for (const char* body : {"{}", " {\n \"a\" : 1.50 }\n", R"({"n":18446744073709551615,"n":-0})",
                           "{\"name\":\"caf\xC3\xA9\"}"}) {
    EXPECT_EQ(enveloped(body), std::string(R"({"status":200,"structuredBody":)") + body + "}");
  }
}

TEST(AnswerEnvelopes, TheStatusIsSlurms) {
  EXPECT_EQ(enveloped("{}", 404), R"({"status":404,"structuredBody":{}})");
}

TEST(AnswerEnvelopes, BytesThatAreNotUtf8BecomeReplacementCharacters) {
  EXPECT_EQ(enveloped("{\"name\":\"caf\xE9 \xC3\"}"),
            "{\"status\":200,\"structuredBody\":{\"name\":\"caf\xEF\xBF\xBD \xEF\xBF\xBD\"}}");
}

TEST(AnswerEnvelopes, AnythingElseIsText) {
  EXPECT_EQ(enveloped("Unable find \"URL\"\n", 404),
            R"({"status":404,"structuredBody":{},"body":"Unable find \"URL\"\n"})");
  for (const char* body : {"[]", "null", "7", "{", "{\"a\":1", "{}{}", "{\"a\":1e999}"}) {
    const json envelope = json::parse(enveloped(body));
    EXPECT_EQ(envelope["structuredBody"], json::object()) << body;
    EXPECT_EQ(envelope["body"], body);
  }
}

TEST(AnswerEnvelopes, WhatFollowsANulDoesNotBreakTheEnvelope) {
  using namespace std::string_literals;
  const json envelope = json::parse(enveloped("{\"a\":1}\0\"x\":{"s));
  EXPECT_EQ(envelope["structuredBody"], json::object());
  EXPECT_EQ(envelope["body"], "{\"a\":1}\0\"x\":{"s);
}

TEST(AnswerEnvelopes, AnEmptyAnswerHasNoText) {
  EXPECT_EQ(enveloped("", 204), R"({"status":204,"structuredBody":{}})");
}

TEST(AnswerEnvelopes, TextIsCutBetweenCharacters) {
  std::string html = "<";
  while (html.size() < 10'000) html += "\xE2\x82\xAC";
  const json envelope = json::parse(enveloped(html, 502));
  const auto text = envelope["body"].get<std::string>();
  EXPECT_THAT(text, SizeIs(AllOf(testing::Le(4096U), testing::Gt(4092U))));
  EXPECT_FALSE(first_invalid_utf8(text));
  EXPECT_THAT(text, testing::Not(HasSubstr("\xEF\xBF\xBD")));
}

TEST(Refusals, HaveExactlyTheFormOfGooglesErrors) {
  EXPECT_EQ(refusal(RpcStatus::NotFound, "no \"x\"\x01").http.body,
            R"({"error":{"code":404,"message":"no \"x\"\u0001","status":"NOT_FOUND"}})");
}

TEST(Refusals, HaveTheCodesOfGooglesTable) {
  for (const auto& [status, code] :
       std::vector<std::pair<RpcStatus, int>>{{RpcStatus::InvalidArgument, 400},
                                              {RpcStatus::Unauthenticated, 401},
                                              {RpcStatus::PermissionDenied, 403},
                                              {RpcStatus::NotFound, 404},
                                              {RpcStatus::Internal, 500},
                                              {RpcStatus::Unavailable, 503},
                                              {RpcStatus::DeadlineExceeded, 504}}) {
    const RpcAnswer answer = refusal(status, "x");
    EXPECT_EQ(answer.http.status, code);
    const json error = json::parse(answer.http.body)["error"];
    EXPECT_EQ(error["code"], code);
    EXPECT_EQ(error["status"], std::string(to_text(status)));
    EXPECT_EQ(error.contains("details"), status == RpcStatus::DeadlineExceeded ||
                                             status == RpcStatus::Unavailable ||
                                             status == RpcStatus::PermissionDenied);
  }
}

TEST(Refusals, SayWhetherSomethingMayHaveHappened) {
  EXPECT_EQ(json::parse(refusal(RpcStatus::DeadlineExceeded, "x").http.body)["error"]["details"],
            json::parse(R"([{"@type":"type.googleapis.com/google.rpc.ErrorInfo",)"
                        R"("reason":"MAY_HAVE_BEEN_CARRIED_OUT","domain":"sconverge"}])"));
  EXPECT_EQ(json::parse(refusal(RpcStatus::Unavailable, "x").http.body)["error"]["details"],
            json::parse(R"([{"@type":"type.googleapis.com/google.rpc.ErrorInfo",)"
                        R"("reason":"NOTHING_CHANGED","domain":"sconverge"}])"));
}

TEST(Refusals, OfAPermissionTellThatTheyAreTheGatewaysOwn) {
  EXPECT_EQ(json::parse(refusal(RpcStatus::PermissionDenied, "x").http.body)["error"]["details"],
            json::parse(R"([{"@type":"type.googleapis.com/google.rpc.ErrorInfo",)"
                        R"("reason":"CALL_NOT_ALLOWED","domain":"sconverge"}])"));
}

TEST(Refusals, OfTheHttpServerItselfHaveTheSameForm) {
  EXPECT_EQ(
      refusal_of_server(414, "request line too long").body,
      R"({"error":{"code":414,"message":"request line too long","status":"INVALID_ARGUMENT"}})");
  for (const auto& [code, word] :
       std::vector<std::pair<int, std::string>>{{400, "INVALID_ARGUMENT"},
                                                {431, "INVALID_ARGUMENT"},
                                                {500, "INTERNAL"},
                                                {503, "UNAVAILABLE"}}) {
    const HttpAnswer answer = refusal_of_server(code, "x");
    EXPECT_EQ(answer.status, code);
    EXPECT_EQ(json::parse(answer.body)["error"]["code"], code);
    EXPECT_EQ(json::parse(answer.body)["error"]["status"], word);
  }
}

}  // namespace
}  // namespace sconverge::test
