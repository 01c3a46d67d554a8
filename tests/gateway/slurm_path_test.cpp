#include "controller/gateway/slurm_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>

namespace sconverge::test {
namespace {

using testing::HasSubstr;

std::string route(const std::string& text) {
  const auto path = read_slurm_path(text, true);
  return path ? route_of(*path) : path.error().message;
}

TEST(SlurmPaths, PathsOfTheSlurmRestApiAreTakenApart) {
  const auto path = read_slurm_path("/slurmdb/v0.0.42/user/a%2Bb/?with_deleted=1", true);
  ASSERT_TRUE(path);
  EXPECT_TRUE(path->accounting);
  EXPECT_EQ(path->version, "v0.0.42");
  EXPECT_EQ(path->text, "/slurmdb/v0.0.42/user/a%2Bb/?with_deleted=1");
  ASSERT_EQ(path->segments.size(), 2U);
  EXPECT_EQ(path->segments[1].sent, "a%2Bb");
  EXPECT_EQ(path->segments[1].decoded, "a+b");
}

TEST(SlurmPaths, WhatTheApiHasIsTaken) {
  for (const char* text :
       {"/slurm/v0.0.42/jobs", "/slurm/v0.0.42/jobs/", "/slurm/v0.0.42/jobs/?update_time=0",
        "/slurm/v0.0.42/jobs/state/?job_id=10&job_id=11", "/slurm/v0.0.45/ping/",
        "/slurm/v0.0.42/node/n1.example-2_b", "/slurmdb/v0.0.40/jobs/?users=a%2Cb&state=FAILED",
        "/slurmdb/v0.0.42/account/caf%C3%A9", "/slurm/v0.0.42/jobs/?", "/slurm/v1.2.3/x",
        "/slurmdb/v0.0.42/jobs/?start_time=2026-01-01T00:00:00&path=/a/../b//c"}) {
    EXPECT_TRUE(read_slurm_path(text, true)) << text;
  }
}

TEST(SlurmPaths, NothingElseIs) {
  using namespace std::string_literals;
  for (const std::string& text : std::vector<std::string>{"",
                                                          "/",
                                                          "slurm/v0.0.42/jobs",
                                                          " /slurm/v0.0.42/jobs",
                                                          "/slurm",
                                                          "/slurm/",
                                                          "/slurm/v0.0.42",
                                                          "/slurm/v0.0.42/",
                                                          "/slurm/v0.0.42?x",
                                                          "/slurm/v0.0.42/?x",
                                                          "/SLURM/v0.0.42/jobs",
                                                          "/slurmx/v0.0.42/jobs",
                                                          "/slurmdbx/v0.0.42/jobs",
                                                          "/openapi/v3",
                                                          "/metrics",
                                                          "/slurm/0.0.42/jobs",
                                                          "/slurm/v0.0/jobs",
                                                          "/slurm/v0.0.42.1/jobs",
                                                          "/slurm/v0..42/jobs",
                                                          "/slurm/v0.0.4x/jobs",
                                                          "/slurm/v0.0.12345/jobs",
                                                          "/slurm/jobs/v0.0.42",
                                                          "/slurm/{data_parser}/jobs",
                                                          "//slurm/v0.0.42/jobs",
                                                          "/slurm//v0.0.42/jobs",
                                                          "/slurm/v0.0.42//jobs",
                                                          "/slurm/v0.0.42/jobs//",
                                                          "/slurm/v0.0.42/job//7",
                                                          "/slurm/v0.0.42/./jobs",
                                                          "/slurm/v0.0.42/..",
                                                          "/slurm/v0.0.42/../../etc",
                                                          "/slurm/v0.0.42/job/../jobs",
                                                          "/slurm/v0.0.42/job/..7",
                                                          "/slurm/../slurmdb/v0.0.42/jobs",
                                                          "/slurm/v0.0.42/job/%2e%2e/jobs",
                                                          "/slurm/v0.0.42/job/.%2E/jobs",
                                                          "/slurm/v0.0.42/job%2fsubmit",
                                                          "/slurm/v0.0.42/job%2Fsubmit",
                                                          "/slurm/v0.0.42/j%6Fb/submit",
                                                          "/slurm/v0.0.42/job/7%00",
                                                          "/slurm/v0.0.42/job/7%0d%0aX: y",
                                                          "/slurm/v0.0.42/job/%252e",
                                                          "/slurm/v0.0.42/job/%",
                                                          "/slurm/v0.0.42/job/%2",
                                                          "/slurm/v0.0.42/job/%zz",
                                                          "/slurm/v0.0.42/job/%ff",
                                                          "/slurm/v0.0.42/job/7%3fsignal=9",
                                                          "/slurm/v0.0.42/job/7%23",
                                                          "/slurm/v0.0.42/job/7%5c..",
                                                          "/slurm/v0.0.42/job\\..\\jobs",
                                                          "/slurm/v0.0.42/jobs#x",
                                                          "/slurm/v0.0.42/jobs/?a#x",
                                                          "/slurm/v0.0.42/jobs/?a\\b",
                                                          "/slurm/v0.0.42/jobs/?a b",
                                                          "/slurm/v0.0.42/jobs/?a[]=b",
                                                          "/slurm/v0.0.42/jobs/?a%0d%0ab",
                                                          "/slurm/v0.0.42/jobs/?a%0",
                                                          "/slurm/v0.0.42/job/7 HTTP/1.1\r\nX: y",
                                                          "/slurm/v0.0.42/job/7\n",
                                                          "/slurm/v0.0.42/job/7\0"s,
                                                          "/slurm/v0.0.42/job/7\x7F",
                                                          "/slurm/v0.0.42/account/caf\xC3\xA9",
                                                          "/slurm/v0.0.42/job/{job_id}",
                                                          "http://elsewhere/slurm/v0.0.42/jobs",
                                                          "https://elsewhere/slurm/v0.0.42/jobs",
                                                          "@elsewhere/slurm/v0.0.42/jobs",
                                                          "unix:/slurm/v0.0.42/jobs"}) {
    const auto path = read_slurm_path(text, true);
    ASSERT_FALSE(path) << text;
    EXPECT_EQ(path.error().kind, ErrorKind::Rejected) << text;
    EXPECT_THAT(path.error().message, HasSubstr("is not a Slurm path")) << text;
    EXPECT_THAT(path.error().message, HasSubstr("write /slurm/v0.0.42/")) << text;
  }
}

TEST(SlurmPaths, ARouteHasNoVersionIdOrName) {
  EXPECT_EQ(route("/slurm/v0.0.42/job/7"), "/slurm/{version}/job/{job_id}");
  EXPECT_EQ(route("/slurm/v0.0.45/job/7_3/?signal=9"), "/slurm/{version}/job/{job_id}");
  EXPECT_EQ(route("/slurm/v0.0.42/job/submit/"), "/slurm/{version}/job/submit");
  EXPECT_EQ(route("/slurm/v0.0.42/jobs/state/"), "/slurm/{version}/jobs/state");
  EXPECT_EQ(route("/slurm/v0.0.42/node/n1"), "/slurm/{version}/node/{name}");
  EXPECT_EQ(route("/slurmdb/v0.0.42/job/7"), "/slurmdb/{version}/job/{job_id}");
  EXPECT_EQ(route("/slurmdb/v0.0.42/user/alice"), "/slurmdb/{version}/user/{name}");
  EXPECT_EQ(route("/slurmdb/v0.0.42/qos/"), "/slurmdb/{version}/qos");
}

TEST(SlurmPaths, PathsThatTheApiLacksShareOneRoute) {
  for (const char* text : {"/slurm/v0.0.42/alice", "/slurm/v0.0.42/job/7/8", "/slurm/v0.0.42/job",
                           "/slurm/v0.0.42/jobs/alice", "/slurmdb/v0.0.42/node/n1"}) {
    EXPECT_EQ(route(text), "other") << text;
  }
}

TEST(SlurmPaths, PurposesAreTold) {
  const auto purpose = [](HttpMethod method, const std::string& text) {
    return purpose_of(method, read_slurm_path(text, true).value()).value();
  };
  EXPECT_EQ(purpose(HttpMethod::Get, "/slurm/v0.0.42/job/submit"), CallPurpose::Read);
  EXPECT_EQ(purpose(HttpMethod::Get, "/slurmdb/v0.0.42/anything/at/all"), CallPurpose::Read);
  EXPECT_EQ(purpose(HttpMethod::Post, "/slurm/v0.0.42/job/submit/"), CallPurpose::Submit);
  EXPECT_EQ(purpose(HttpMethod::Post, "/slurm/v0.0.42/job/7"), CallPurpose::ChangeJob);
  EXPECT_EQ(purpose(HttpMethod::Delete, "/slurm/v0.0.42/job/7_3/"), CallPurpose::CancelJob);
}

}  // namespace
}  // namespace sconverge::test
