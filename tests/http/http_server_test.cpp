#include "controller/http/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "controller/core/time.h"
#include "tests/http/raw_connection.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// One page that says "hello", one that throws, and what was counted.
struct HttpServerTest : testing::Test {
  std::mutex mutex;
  std::vector<std::pair<std::string, int>> answered;
  HttpRequest seen;

  Result<std::unique_ptr<HttpServer>> started =
      serve({.listen = {"127.0.0.1", 0},
             .on_answer =
                 [this](const std::string& handler, int status) {
                   const std::lock_guard lock(mutex);
                   answered.emplace_back(handler, status);
                 }},
            {{"/hello",
              [this](const HttpRequest& request) {
                seen = request;
                return HttpAnswer{200, "text/plain; version=0.0.4", "hello\n", {}};
              }},
             {"/broken",
              [](const HttpRequest&) -> HttpAnswer { throw std::runtime_error("secret reason"); }},
             {"/unready", [](const HttpRequest&) {
                return HttpAnswer{503, kPlainText, "no\n", {}};
              }}});

  [[nodiscard]] std::uint16_t port() const { return (*started)->port(); }

  std::string ask(const std::string& request) const { return ask_raw(port(), request); }
  std::string ask(const std::string& method, const std::string& target) const {
    return ask(request_text(method, target));
  }
};

TEST_F(HttpServerTest, GetGivesStatusTypeAndBody) {
  const std::string answer = ask("GET", "/hello");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answer, HasSubstr("Content-Type: text/plain; version=0.0.4\r\n"));
  EXPECT_THAT(answer, HasSubstr("Content-Length: 6\r\n"));
  EXPECT_THAT(answer, EndsWith("\r\n\r\nhello\n"));
}

TEST_F(HttpServerTest, TheQueryIsGivenToThePage) {
  ask("GET", "/hello?verbose&x=1");
  EXPECT_TRUE(seen.has("verbose"));
  EXPECT_TRUE(seen.has("x"));
  EXPECT_FALSE(seen.has("verb"));
  EXPECT_FALSE(seen.has("1"));
  EXPECT_FALSE(seen.has(""));
}

TEST_F(HttpServerTest, ThePagesStatusIsKept) {
  EXPECT_THAT(ask("GET", "/unready"), StartsWith("HTTP/1.1 503 "));
}

TEST_F(HttpServerTest, HeadAnnouncesTheLengthAndSendsNoBody) {
  const std::string answer = ask("HEAD", "/hello");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answer, HasSubstr("Content-Length: 6\r\n"));
  EXPECT_THAT(answer, EndsWith("\r\n\r\n"));
  EXPECT_THAT(ask("HEAD", "/nothing"), EndsWith("\r\n\r\n"));
}

TEST_F(HttpServerTest, OtherMethodsAreNotAllowed) {
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"}) {
    const std::string answer = ask(method, "/hello");
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 405 ")) << method;
    EXPECT_THAT(answer, HasSubstr("Allow: GET, HEAD\r\n")) << method;
  }
}

TEST_F(HttpServerTest, PathsAreMatchedExactly) {
  for (const char* path : {"/", "/hello/", "/hello/more", "//hello", "/Hello", "/hell", "/%68ello",
                           "/hello/../hello", "*"}) {
    EXPECT_THAT(ask("GET", path), StartsWith("HTTP/1.1 404 ")) << path;
  }
}

TEST_F(HttpServerTest, APageThatThrowsIsAnErrorThatTellsNothing) {
  const std::string answer = ask("GET", "/broken");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 500 "));
  EXPECT_THAT(answer, Not(HasSubstr("secret")));
  EXPECT_THAT(ask("GET", "/hello"), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServerTest, EveryAnswerIsReportedByItsRoute) {
  ask("GET", "/hello");
  ask("GET", "/made-up-by-a-scanner");
  ask("POST", "/hello");
  ask("GET", "/broken");
  const std::lock_guard lock(mutex);
  EXPECT_THAT(answered, ElementsAre(std::pair("/hello", 200), std::pair("other", 404),
                                    std::pair("/hello", 405), std::pair("/broken", 500)));
}

TEST_F(HttpServerTest, OverlongRequestsAreRefused) {
  EXPECT_THAT(ask("GET", "/" + std::string(5000, 'a')), StartsWith("HTTP/1.1 414 "));
  EXPECT_THAT(
      ask("GET /hello HTTP/1.1\r\nHost: here\r\nX: " + std::string(17000, 'a') + "\r\n\r\n"),
      StartsWith("HTTP/1.1 431 "));
}

TEST_F(HttpServerTest, BrokenRequestsDoNotHarmTheServer) {
  for (const char* bytes :
       {"\r\n\r\n", "GET\r\n\r\n", "GET /%zz HTTP/1.1\r\nConnection: close\r\n\r\n",
        "GET /\xff HTTP/1.1\r\nConnection: close\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "POST / HTTP/1.1\r\nConnection: close\r\nContent-Length: -1\r\n\r\nx",
        "POST / HTTP/1.1\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nx"}) {
    const RawConnection connection(port());
    connection.send(bytes);
  }
  EXPECT_THAT(ask("GET", "/hello"), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServerTest, TwoHundredHalfSentRequestsDelayNobody) {
  std::vector<RawConnection> idle;
  for (int i = 0; i < 200; ++i) {
    idle.emplace_back(port());
    ASSERT_TRUE(idle.back().connected());
    idle.back().send("GET /hello HTTP/1.1\r\nHost: he");
  }
  const auto began = std::chrono::steady_clock::now();
  EXPECT_THAT(ask("GET", "/hello"), StartsWith("HTTP/1.1 200 "));
  EXPECT_LT(std::chrono::steady_clock::now() - began, seconds{2});
}

TEST_F(HttpServerTest, APortInUseIsOneClearLineAndTheFirstServerGoesOn) {
  const auto second = serve({.listen = {"127.0.0.1", port()}, .on_answer = {}}, {});
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().kind, ErrorKind::Unavailable);
  EXPECT_EQ(second.error().message,
            "cannot listen on 127.0.0.1:" + std::to_string(port()) + ": address already in use");
  EXPECT_THAT(ask("GET", "/hello"), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServerTest, DestroyingItClosesThePort) {
  const std::uint16_t was = port();
  const RawConnection half(was);
  half.send("GET /hel");
  started.value().reset();
  EXPECT_EQ(half.read_to_end(), "");
  EXPECT_FALSE(RawConnection(was).connected());
}

TEST_F(HttpServerTest, DestroyingItInTheMiddleOfRequestsIsSafe) {
  std::vector<RawConnection> clients;
  for (int i = 0; i < 50; ++i) clients.emplace_back(port());
  const std::uint16_t was = port();
  std::atomic<bool> stop{false};
  std::thread talking([&] {
    while (!stop) {
      for (const RawConnection& client : clients) client.send("GET /hello HTTP/1.1\r\nX: y\r\n");
    }
  });
  started.value().reset();
  EXPECT_FALSE(RawConnection(was).connected());
  stop = true;
  talking.join();
}

TEST(HttpServerResponds, WhileAThreadOfItsIsFree) {
  std::atomic<bool> stuck{true};
  std::atomic<int> asked{0};
  const auto server = serve({.listen = {"127.0.0.1", 0}}, {{"/slow", [&](const HttpRequest&) {
                                                              ++asked;
                                                              asked.notify_all();
                                                              stuck.wait(true);
                                                              return HttpAnswer{};
                                                            }}});
  ASSERT_TRUE(server);
  EXPECT_TRUE((*server)->responds(seconds{60}));
  std::vector<std::jthread> clients;
  for (int i = 0; i < 2; ++i) {
    clients.emplace_back(
        [&] { static_cast<void>(ask_raw((*server)->port(), request_text("GET", "/slow"))); });
    asked.wait(i);
  }
  EXPECT_FALSE((*server)->responds(milliseconds{50}));
  stuck = false;
  stuck.notify_all();
  EXPECT_TRUE((*server)->responds(seconds{60}));
}

}  // namespace
}  // namespace sconverge::test
