// The pages of the real `sconverge run`, asked as people and programs ask.
#include <gmock/gmock.h>

#include <thread>

#include "tests/web/run_under_test.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct Pages : RunUnderTest {
  Pages() {
    write("jobs/train.yaml",
          "apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: train}\n"
          "spec: {script: \"#!/bin/sh\\n\"}\n");
    write("jobs/broken.yaml", "apiVersion: sconverge/v1\nkind: Jab\n");
  }
  /// With one tick and no second one.
  void start_and_tick() {
    start({"--interval", "1h"});
    base = "http://127.0.0.1:" + std::to_string(process->port());
    for (int tries = 0; tries < 400; ++tries) {
      if (curl(base + "/").find("ago, took") != std::string::npos) return;
      std::this_thread::sleep_for(std::chrono::milliseconds{50});
    }
    FAIL() << "no tick: " << process->log();
  }

  std::string base{};
};

TEST_F(Pages, CurlGetsTextAndABrowserTheSameInHtml) {
  start_and_tick();
  const std::string text = curl(base + "/", {"--include"});
  EXPECT_THAT(text, AllOf(HasSubstr("Content-Type: text/plain"), HasSubstr("1 spec: 1 Waiting"),
                          HasSubstr("the last tick of cluster default failed"),
                          HasSubstr("broken.yaml:2"), HasSubstr("http://127.0.0.1:1")));
  const std::string html =
      curl(base + "/", {"--include", "--compressed", "--header", "Accept: text/html"});
  EXPECT_THAT(html, AllOf(HasSubstr("Content-Type: text/html"), HasSubstr("Content-Encoding: gzip"),
                          HasSubstr("Vary: Accept, Accept-Encoding"),
                          HasSubstr("Content-Security-Policy: default-src 'none';"),
                          HasSubstr("X-Content-Type-Options: nosniff"),
                          HasSubstr("<td class=\"name\">train</td>"), HasSubstr("</html>")));
}

TEST_F(Pages, TheApiGivesWhatGetPrints) {
  start_and_tick();
  const Ended get = sconverge({"get", "-o", "json", "--state", directory / "state"});
  EXPECT_EQ(get.code, 0) << get.err;
  EXPECT_THAT(get.out, HasSubstr("\"train\""));
  EXPECT_EQ(curl(base + "/api/v1/specs"), get.out);
  EXPECT_EQ(curl(base + "/api/v1/specs?phase=Waiting&namespace=default"), get.out);
  EXPECT_THAT(curl(base + "/api/v1/specs?phase=Running"), Not(HasSubstr("\"train\"")));
  EXPECT_EQ(status(base + "/api/v1/specs?phase=Sleeping"), "400");
}

TEST_F(Pages, OtherMethodsAndPathsAreRefused) {
  start_and_tick();
  EXPECT_THAT(curl(base + "/metrics", {"--include", "--request", "POST"}),
              AllOf(StartsWith("HTTP/1.1 405 "), HasSubstr("Allow: GET, HEAD")));
  EXPECT_THAT(curl(base + "/metrics", {"--head"}),
              AllOf(StartsWith("HTTP/1.1 200 "), HasSubstr("text/plain; version=0.0.4")));
  for (const char* path : {"/metrics/", "/metric", "/api/v1/specs/train", "/api", "/index.html"}) {
    EXPECT_EQ(status(base + path), "404") << path;
  }
}

TEST_F(Pages, WhatIsAskedIsCounted) {
  start_and_tick();
  EXPECT_EQ(status(base + "/api/v1/specs"), "200");
  EXPECT_EQ(process->metric(R"(sconverge_http_requests_total{code="200",handler="/api/v1/specs"})"),
            1);
}

}  // namespace
}  // namespace sconverge::test
