#include "controller/slurm/wire_google_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/slurm/outer_error.h"

namespace sconverge::test {
namespace {

TEST(GoogleErrorTest, ReadsStatusMessageAndDetails) {
  const auto error = google_error_in(R"({"error": {
    "code": 429, "message": "Quota\n exceeded", "status": "RESOURCE_EXHAUSTED",
    "details": [
      {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "58.934310785s"},
      {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "RATE", "domain": "g.com"},
      7]}})");
  EXPECT_EQ(error.status, "RESOURCE_EXHAUSTED");
  EXPECT_EQ(error.message, "Quota exceeded");
  EXPECT_EQ(error.retry_delay, seconds(59));
  EXPECT_EQ(error.reason, "RATE");
  EXPECT_EQ(error.domain, "g.com");
}

TEST(GoogleErrorTest, AnythingElseGivesItsFirstBytesAsTheMessage) {
  EXPECT_EQ(google_error_in("<html>\n <b>502</b>").message, "<html> <b>502</b>");
  EXPECT_EQ(google_error_in("").message, "");
  EXPECT_EQ(google_error_in(R"({"error":"invalid_grant"})").message,
            R"({"error":"invalid_grant"})");
  EXPECT_EQ(google_error_in("bytes \xff").message, "bytes");
  EXPECT_EQ(google_error_in("[1]").message, "[1]");
}

TEST(GoogleErrorTest, DelayThatIsNoneIsIgnored) {
  for (const char* delay : {"", "5", "-1s", "xs", "1e99s", "nans"}) {
    const auto error =
        google_error_in(R"({"error":{"details":[{"@type":"x/google.rpc.RetryInfo","retryDelay":")" +
                        std::string(delay) + R"("}]}})");
    EXPECT_EQ(error.retry_delay, std::nullopt) << delay;
  }
}

TEST(OuterErrorTest, CanonicalCodeDecidesBeforeTheHttpStatus) {
  EXPECT_EQ(meaning_of(500, {.status = "PERMISSION_DENIED"}), OuterMeaning::Forbidden);
  EXPECT_EQ(meaning_of(404, {.status = "INTERNAL"}), OuterMeaning::Doubt);
  EXPECT_EQ(meaning_of(404, {}), OuterMeaning::NoCluster);
  EXPECT_EQ(meaning_of(400, {.status = "FAILED_PRECONDITION"}), OuterMeaning::Limit);
}

TEST(OuterErrorTest, WhatMayHaveBeenCarriedOutIsInDoubt) {
  for (const int status : {408, 409, 499, 500, 502, 503, 504, 418}) {
    EXPECT_EQ(meaning_of(status, {}), OuterMeaning::Doubt) << status;
  }
  EXPECT_EQ(meaning_of(503, {.status = "UNAVAILABLE"}), OuterMeaning::Doubt);
}

TEST(OuterErrorTest, GatewayThatIsSureIsBelieved) {
  EXPECT_EQ(meaning_of(
                503, {.status = "UNAVAILABLE", .reason = "NOTHING_CHANGED", .domain = "sconverge"}),
            OuterMeaning::NotReached);
  EXPECT_EQ(
      meaning_of(503, {.status = "UNAVAILABLE", .reason = "NOTHING_CHANGED", .domain = "else"}),
      OuterMeaning::Doubt);
}

}  // namespace
}  // namespace sconverge::test
