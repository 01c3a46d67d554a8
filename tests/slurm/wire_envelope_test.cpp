#include "controller/slurm/wire_envelope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/slurm/golden.h"

namespace sconverge::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

struct Read {
  std::string slurm{};  ///< the bytes of Slurm's answer
  std::optional<int> status{};
  std::string start{};

  friend bool operator==(const Read&, const Read&) = default;
};

Read read(const std::string& envelope, std::size_t piece = 4096) {
  TextSource outer(envelope, piece);
  EnvelopeSource source(outer);
  Read found;
  for (auto part = source.next(); !part.empty(); part = source.next()) found.slurm += part;
  found.status = source.status();
  found.start = source.start();
  return found;
}

TEST(EnvelopeTest, CallsBecomeTheDocumentedEnvelope) {
  const auto submit = json::parse(envelope_of({.method = HttpMethod::Post,
                                               .path = "/slurm/v0.0.42/job/submit",
                                               .body = R"({"job":{"name":"my-run"}})"}));
  EXPECT_EQ(submit, json::parse(R"({"method": "HTTP_METHOD_POST",
                                    "path": "/slurm/v0.0.42/job/submit",
                                    "body": {"job": {"name": "my-run"}}})"));
  EXPECT_EQ(envelope_of({HttpMethod::Get, "/slurm/v0.0.42/jobs/"}),
            R"({"method":"HTTP_METHOD_GET","path":"/slurm/v0.0.42/jobs/"})");
  EXPECT_EQ(envelope_of({HttpMethod::Delete, "/slurm/v0.0.42/job/7"}),
            R"({"method":"HTTP_METHOD_DELETE","path":"/slurm/v0.0.42/job/7"})");
}

TEST(EnvelopeTest, PostWithoutABodyCarriesAnEmptyObject) {
  EXPECT_EQ(envelope_of({HttpMethod::Post, "/slurm/v0.0.42/job/7"}),
            R"({"method":"HTTP_METHOD_POST","path":"/slurm/v0.0.42/job/7","body":{}})");
}

TEST(EnvelopeTest, QuotesAndControlCharactersInAPathStayInsideIt) {
  const auto call = json::parse(envelope_of({HttpMethod::Get, "/slurm/\"x\n\xff"}));
  EXPECT_THAT(call["path"].get<std::string>(), testing::StartsWith("/slurm/\"x\n"));
}

TEST(EnvelopeTest, StructuredBodyIsPassedOnByteForByte) {
  const std::string slurm = R"({"jobs": [ {"name": "a}]\"{", "n": 1e+15} ], "x": {}})";
  for (const std::size_t piece : {1U, 2U, 3U, 7U, 4096U}) {
    const auto found = read(R"( {"status": 200, "structuredBody": )" + slurm + "} \n", piece);
    EXPECT_EQ(found.slurm, slurm) << piece;
    EXPECT_EQ(found.status, 200) << piece;
  }
}

TEST(EnvelopeTest, StatusMayComeAfterTheBody) {
  const auto found = read(R"({"structuredBody":{"a":1},"status":404})");
  EXPECT_EQ(found.slurm, R"({"a":1})");
  EXPECT_EQ(found.status, 404);
}

TEST(EnvelopeTest, NumbersMayBeWrittenAsDoubles) {
  EXPECT_EQ(read(R"({"status":200.0,"structuredBody":{}})").status, 200);
  EXPECT_EQ(read(R"({"status":2e+2})").status, 200);
}

TEST(EnvelopeTest, OlderBodyIsAStringThatHoldsTheAnswer) {
  const auto found = read(R"({"status":200,"body":"{\"job_id\": 7, \"s\": \"\u00e4\\n\"}"})", 1);
  EXPECT_EQ(found.slurm, "{\"job_id\": 7, \"s\": \"\xc3\xa4\\n\"}");
  EXPECT_EQ(found.status, 200);
}

TEST(EnvelopeTest, BodyMayBeAnObject) {
  EXPECT_EQ(read(R"({"status":200,"body":{"job_id":7}})").slurm, R"({"job_id":7})");
}

TEST(EnvelopeTest, StructuredBodyIsPreferredWhereverItStands) {
  for (const char* text : {R"({"status":200,"body":"{\"old\":1}","structuredBody":{"new":1}})",
                           R"({"status":200,"structuredBody":{"new":1},"body":"{\"old\":1}"})"}) {
    EXPECT_EQ(read(text).slurm, R"({"new":1})") << text;
  }
}

TEST(EnvelopeTest, TwoAnswersInOneEnvelopeAreNone) {
  EXPECT_EQ(
      read(R"({"status":200,"structuredBody":{"jobs":[]},"structuredBody":{"jobs":[7]}})").status,
      std::nullopt);
  EXPECT_EQ(read(R"({"status":200,"body":{"jobs":[]},"structuredBody":{"jobs":[7]}})").status,
            std::nullopt);
  EXPECT_EQ(read(R"({"status":200,"structuredBody":{"jobs":[7]},"status":404})").status,
            std::nullopt);
}

TEST(EnvelopeTest, StructuredBodyThatIsNullLeavesTheBody) {
  EXPECT_EQ(read(R"({"status":200,"structuredBody":null,"body":"{\"old\":1}"})").slurm,
            R"({"old":1})");
}

TEST(EnvelopeTest, WithoutABodyTheAnswerIsAnEmptyObject) {
  const auto found = read(R"({"status": 404})");
  EXPECT_EQ(found.slurm, "{}");
  EXPECT_EQ(found.status, 404);
}

TEST(EnvelopeTest, OtherMembersAreSkippedWhateverTheyHold) {
  const auto found = read(
      R"({"a":"}{\"","b":[{"status":1,"structuredBody":{"x":1}}],"c":null,"d":-1.5e3,"e":true,)"
      R"("\"structuredBody":{"y":1},"status":200,"structuredBody":{"z":1}})",
      1);
  EXPECT_EQ(found.slurm, R"({"z":1})");
  EXPECT_EQ(found.status, 200);
}

TEST(EnvelopeTest, AnswerThatBreaksOffHasNoStatus) {
  const std::string whole = R"({"status":200,"structuredBody":{"jobs":[]},"x":"y"})";
  ASSERT_EQ(read(whole).status, 200);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_EQ(read(whole.substr(0, length)).status, std::nullopt) << length;
  }
}

TEST(EnvelopeTest, WhatIsNoEnvelopeHasNoStatus) {
  for (const char* text :
       {"", "<html>502</html>", "[]", "null", "200", R"({"structuredBody":{}})", R"({"status":200)",
        R"({"status":"200"})", R"({"status":200}x)", R"({"status":,"a":1})", R"({"status":12]})",
        R"({"status":-1})", R"({"status":1e300})", R"({"status" 200})", R"({status:200})",
        R"({"a":]]]]})", R"({"status":nan})"}) {
    EXPECT_EQ(read(text).status, std::nullopt) << text;
  }
}

TEST(EnvelopeTest, StartOfAForeignAnswerIsKeptForMessages) {
  EXPECT_EQ(read("<html>\n502 Bad Gateway\n").start, "<html> 502 Bad Gateway");
}

TEST(EnvelopeTest, StringBodyThatIsNoTextAtAllIsNoAnswer) {
  EXPECT_EQ(read(R"({"status":500,"body":"Unable to parse query."})").slurm,
            "Unable to parse query.");
}

}  // namespace
}  // namespace sconverge::test
