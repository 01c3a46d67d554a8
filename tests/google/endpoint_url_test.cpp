#include "controller/google/endpoint_url.h"

#include <gtest/gtest.h>

namespace sconverge::test {
namespace {

TEST(EndpointUrl, HttpsAndTheLoopbackAreSafe) {
  for (const char* url : {"https://sts.googleapis.com/v1/token", "https://a.example:8443/",
                          "http://127.0.0.1:8080/token", "http://127.9.9.9/", "http://localhost:1",
                          "http://[::1]:8080/token", "https://[2001:db8::1]/x"}) {
    EXPECT_EQ(trouble_with_endpoint(url), "") << url;
  }
}

TEST(EndpointUrl, PlainHttpToAnybodyElseIsNot) {
  for (const char* url :
       {"http://sts.googleapis.com/", "http://127.0.0.1.example.com/", "http://localhost.example/",
        "http://128.0.0.1/", "http://[::2]/", "http://169.254.169.254/", "http://10.0.0.1/",
        "http://[::ffff:10.0.0.1]/"}) {
    EXPECT_NE(trouble_with_endpoint(url).find("must be https"), std::string::npos) << url;
  }
}

TEST(EndpointUrl, WhatParsersDisagreeAboutIsNoUrl) {
  for (const char* url :
       {"", "sts.googleapis.com", "ftp://127.0.0.1/", "HTTPS//x", "http://localhost@evil.example/",
        "http://localhost:80@evil.example/", "http://evil.example\\@localhost/", "http:///x",
        "http://127.0.0.1:0/", "http://127.0.0.1:99999/", "http://local host/",
        "https://a.example/\n", "http://[::1/", "http://[::1]x/", "https://a.example:/"}) {
    EXPECT_NE(trouble_with_endpoint(url).find("is no URL"), std::string::npos) << url;
  }
}

TEST(EndpointUrl, CloudsMetadataServersMayGiveSubjectTokens) {
  for (const char* url : {"http://169.254.169.254/metadata/identity/oauth2/token",
                          "http://metadata.google.internal/computeMetadata/v1/x"}) {
    EXPECT_EQ(trouble_with_token_source(url), "") << url;
  }
  EXPECT_NE(trouble_with_token_source("http://169.254.169.254.example.com/"), "");
  EXPECT_NE(trouble_with_token_source("http://169.254.169.254@example.com/"), "");
}

TEST(EndpointUrl, IsShownWithoutItsQuery) {
  EXPECT_EQ(shown_url("https://a.example/path?token=secret#x"), "https://a.example/path");
  EXPECT_EQ(shown_url("https://a.example/path"), "https://a.example/path");
}

}  // namespace
}  // namespace sconverge::test
