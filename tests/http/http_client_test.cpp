// What tests/slurm/slurmrestd_transport_test.cpp does not say of the HTTP client: dates and
// proxies.
#include "controller/http/http_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/stub_http_server.h"

namespace sconverge::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Result<HttpReply> get(const HttpClientOptions& options, const std::string& url) {
  return exchange_whole(*make_http_client(options).value(), {.url = url, .timeout = seconds(20)},
                        1'000'000);
}

TEST(HttpClientHead, BringsHeadersAndTheServersClock) {
  StubHttpServer server([](const StubRequest&) {
    return StubAnswer{
        .body = "x",
        .headers = {{"Date", "Sat, 14 Mar 2026 12:00:00 GMT"}, {"Metadata-Flavor", "Google"}}};
  });
  const auto reply = get({}, server.url() + "/a");
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->head.date, TimePoint(seconds(1'773'489'600)));
  EXPECT_EQ(reply->head.headers.at("metadata-flavor"), "Google");
}

TEST(HttpClientHead, WaitMayBeToldInSecondsOrAsADate) {
  std::string wait;
  StubHttpServer server([&](const StubRequest&) {
    return StubAnswer{
        .status = 503,
        .headers = {{"Date", "Sat, 14 Mar 2026 12:00:00 GMT"}, {"Retry-After", wait}}};
  });
  const std::vector<std::pair<std::string, seconds>> cases{
      {"17", seconds(17)},
      {"Sat, 14 Mar 2026 12:01:30 GMT", seconds(90)},
      {"Sat, 14 Mar 2026 11:00:00 GMT", seconds(0)},
      {"soon", seconds(60)},
      {"-5", seconds(0)}};
  for (const auto& [text, expected] : cases) {
    wait = text;
    EXPECT_EQ(get({}, server.url())->head.retry_after, expected) << text;
  }
}

TEST(HttpClientFailure, IsOfTheKindThatPeopleLookFor) {
  using Manner = StubAnswer::Manner;
  Manner manner = Manner::HangUp;
  StubHttpServer server(
      [&](const StubRequest&) { return StubAnswer{.body = "text", .manner = manner}; });
  const auto failure = [](const std::string& url, seconds timeout = seconds(20)) {
    const auto reply =
        exchange_whole(*make_http_client({}).value(), {.url = url, .timeout = timeout}, 1'000'000);
    return reply ? std::nullopt : reply.error().transport;
  };
  EXPECT_EQ(failure(server.url()), TransportFailure::Closed);
  manner = Manner::BreakOff;
  EXPECT_EQ(failure(server.url()), TransportFailure::Closed);
  manner = Manner::Silent;
  EXPECT_EQ(failure(server.url(), seconds(1)), TransportFailure::Timeout);
  EXPECT_EQ(failure(url_nobody_listens_on()), TransportFailure::Connect);
  EXPECT_EQ(failure("http://nowhere.invalid"), TransportFailure::Dns);
}

/// A proxy that opens no tunnel, but notes what it was asked for.
struct Proxy {
  StubHttpServer server{[](const StubRequest&) { return StubAnswer{.status = 502}; }};
};

TEST(HttpClientProxy, IsAskedForATunnelToHttpsServers) {
  Proxy proxy;
  EXPECT_FALSE(get({.https_proxy = proxy.server.url()}, "https://cluster.example.invalid/x"));
  ASSERT_THAT(proxy.server.requests(), SizeIs(1));
  EXPECT_EQ(proxy.server.requests()[0].method, "CONNECT");
  EXPECT_THAT(proxy.server.requests()[0].path, HasSubstr("cluster.example.invalid:443"));
}

TEST(HttpClientProxy, IsNotAskedForExceptionsLoopbackAndPlainHttp) {
  Proxy proxy;
  StubHttpServer plain([](const StubRequest&) { return StubAnswer{.body = "x"}; });
  HttpClientOptions options{.https_proxy = proxy.server.url()};
  EXPECT_TRUE(get(options, plain.url()));
  EXPECT_FALSE(get(options, "https" + url_nobody_listens_on().substr(4)));
  for (const char* around :
       {"*", "example.invalid", ".example.invalid", "cluster.example.invalid"}) {
    options.no_proxy = {"", "other.test", around};
    EXPECT_FALSE(get(options, "https://cluster.example.invalid/")) << around;
  }
  EXPECT_THAT(proxy.server.requests(), IsEmpty());
  options.no_proxy = {"ample.invalid", "cluster"};
  EXPECT_FALSE(get(options, "https://cluster.example.invalid/"));
  EXPECT_THAT(proxy.server.requests(), SizeIs(1)) << "an end is one at a dot";
}

TEST(HttpClientProxy, ThatIsNoneIsRejectedWithoutRepeatingIt) {
  for (const char* url : {"socks5://h:1", "h:1", "https://user:secret@h"}) {
    const auto client = make_http_client({.https_proxy = url});
    ASSERT_FALSE(client) << url;
    EXPECT_THAT(client.error().message, HasSubstr("HTTPS_PROXY"));
    EXPECT_EQ(client.error().message.find("secret"), std::string::npos);
  }
}

}  // namespace
}  // namespace sconverge::test
