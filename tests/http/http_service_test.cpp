#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "controller/http/http_server.h"
#include "tests/http/raw_connection.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr std::size_t kMostBodyBytes = 100'000;

// One page at /page, and a service that says what it was asked; it waits at /wait until the gate
// is opened.
struct HttpServiceTest : testing::Test {
  ~HttpServiceTest() override { open_gate(); }

  HttpAnswer answer(const HttpRequest& request) {
    {
      const std::lock_guard lock(mutex);
      seen = request;
      if (request.path == "/wait") ++waiting;
    }
    if (request.path == "/wait") gate_opened.wait();
    if (request.path == "/broken") throw std::runtime_error("secret reason");
    if (request.body_too_large) return {413, kPlainText, "too much\n", {}};
    return {200, kJson, "{\"bytes\":" + std::to_string(request.body.size()) + "}", headers};
  }

  void start() {
    Service service;
    service.answer = [this](const HttpRequest& request) { return answer(request); };
    service.most_body_bytes = kMostBodyBytes;
    service.threads = threads;
    service.most_waiting = most_waiting;
    service.refuse = refuse;
    auto started = serve({.listen = {"127.0.0.1", 0},
                          .service = service,
                          .on_answer = on_answer,
                          .patience = patience},
                         {{"/page", [](const HttpRequest&) { return HttpAnswer{}; }}});
    ASSERT_TRUE(started.ok());
    server = std::move(*started);
  }

  [[nodiscard]] std::uint16_t port() const { return server->port(); }
  std::string ask(const std::string& request) const { return ask_raw(port(), request); }
  HttpRequest last_seen() {
    const std::lock_guard lock(mutex);
    return seen;
  }
  void open_gate() {
    if (!std::exchange(gate_is_open, true)) gate.set_value();
  }
  /// A client whose request the service is answering.
  RawConnection held_client() {
    RawConnection client(port());
    const int before = waiting;
    client.send(request_text("POST", "/wait", "x"));
    const auto give_up = std::chrono::steady_clock::now() + seconds{30};
    while (waiting == before && std::chrono::steady_clock::now() < give_up) {
      std::this_thread::yield();
    }
    EXPECT_GT(waiting, before);
    return client;
  }

  int threads{4};
  std::size_t most_waiting{8};
  milliseconds patience{60'000};
  std::vector<std::pair<std::string, std::string>> headers;
  std::function<HttpAnswer(int, const std::string&)> refuse;
  std::function<void(const std::string&, int)> on_answer;

  std::mutex mutex;
  HttpRequest seen;
  std::atomic<int> waiting{0};
  bool gate_is_open{false};
  std::promise<void> gate;
  std::shared_future<void> gate_opened{gate.get_future()};
  std::unique_ptr<HttpServer> server;
};

TEST_F(HttpServiceTest, EveryMethodReachesTheServiceWithItsBody) {
  start();
  for (const char* method :
       {"GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "MADEUP"}) {
    const std::string answer =
        ask(request_text(method, "/v1/jobs?a=b%20c&d", "body", "Authorization: Bearer t0k3n\r\n"));
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n")) << method;
    EXPECT_THAT(answer, HasSubstr("Content-Type: application/json\r\n")) << method;
    EXPECT_THAT(answer, EndsWith("\r\n\r\n{\"bytes\":4}")) << method;
    const HttpRequest request = last_seen();
    EXPECT_EQ(request.method, method);
    EXPECT_EQ(request.path, "/v1/jobs");
    EXPECT_EQ(request.query, "a=b%20c&d");
    EXPECT_EQ(request.authorization, "Bearer t0k3n");
    EXPECT_EQ(request.body, "body");
    EXPECT_FALSE(request.body_too_large);
  }
}

TEST_F(HttpServiceTest, OfTwoAuthorizationsNoneCounts) {
  start();
  ask(request_text("POST", "/v1", "body",
                   "Authorization: Bearer a\r\nAuthorization: Bearer b\r\n"));
  EXPECT_EQ(last_seen().authorization, "");
}

TEST_F(HttpServiceTest, ThePathIsGivenAsItWasSent) {
  start();
  for (const char* path : {"/", "/a%2Fb", "/%zz", "//twice", "/a/../b", "/page/", "*"}) {
    EXPECT_THAT(ask(request_text("POST", path)), StartsWith("HTTP/1.1 200 ")) << path;
    EXPECT_EQ(last_seen().path, path);
    EXPECT_EQ(last_seen().query, "");
  }
  ask(request_text("GET", "http://gateway.example:8443/a/b?c"));
  EXPECT_EQ(last_seen().path, "/a/b");
  EXPECT_EQ(last_seen().query, "c");
}

TEST_F(HttpServiceTest, AHeadIsAnsweredWithoutTheBody) {
  start();
  const std::string answer = ask(request_text("HEAD", "/x"));
  EXPECT_THAT(answer, HasSubstr("Content-Length: 11\r\n"));
  EXPECT_THAT(answer, EndsWith("\r\n\r\n"));
}

TEST_F(HttpServiceTest, PagesAreNotTheServices) {
  start();
  ask(request_text("GET", "/page"));
  EXPECT_EQ(last_seen().path, "");
  EXPECT_THAT(ask(request_text("POST", "/page", "body")), StartsWith("HTTP/1.1 405 "));
  EXPECT_EQ(last_seen().path, "");
}

TEST_F(HttpServiceTest, ItsHeadersAreSentButNeverALineBreakInThem) {
  headers = {{"Retry-After", "7"}, {"X-Bad", "a\r\nInjected: yes"}};
  start();
  const std::string answer = ask(request_text("GET", "/x"));
  EXPECT_THAT(answer, HasSubstr("\r\nRetry-After: 7\r\n"));
  EXPECT_THAT(answer, Not(HasSubstr("Injected")));
}

TEST_F(HttpServiceTest, OneConnectionCarriesManyRequests) {
  start();
  const RawConnection client(port());
  for (int i = 0; i < 3; ++i) {
    client.send("POST /x HTTP/1.1\r\nHost: here\r\nContent-Length: 3\r\n\r\nabc");
    EXPECT_THAT(client.read_until("{\"bytes\":3}"), StartsWith("HTTP/1.1 200 "));
  }
}

TEST_F(HttpServiceTest, AChunkedBodyIsPutTogether) {
  start();
  const std::string head =
      "POST /x HTTP/1.1\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_THAT(ask(head + "5;note=1\r\nhello\r\n6\r\n world\r\n0\r\n\r\n"),
              EndsWith("{\"bytes\":11}"));
  EXPECT_EQ(last_seen().body, "hello world");
}

TEST_F(HttpServiceTest, WhatExpectsAContinueIsToldToGoOn) {
  start();
  const RawConnection client(port());
  client.send(
      "POST /x HTTP/1.1\r\nConnection: close\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("abc");
  EXPECT_THAT(client.read_to_end(), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServiceTest, WhatExpectsAContinueForTooMuchIsAnsweredBeforeItIsSent) {
  start();
  EXPECT_THAT(ask("POST /x HTTP/1.1\r\nContent-Length: 100001\r\nExpect: 100-continue\r\n\r\n"),
              AllOf(StartsWith("HTTP/1.1 413 "), HasSubstr("Connection: close\r\n")));
}

TEST_F(HttpServiceTest, ABodyAtTheLimitIsTakenAndOneAboveItIsNot) {
  start();
  EXPECT_THAT(ask(request_text("POST", "/x", std::string(kMostBodyBytes, 'x'))),
              EndsWith("{\"bytes\":100000}"));
  EXPECT_THAT(ask(request_text("POST", "/x", std::string(kMostBodyBytes + 1, 'x'))),
              AllOf(StartsWith("HTTP/1.1 413 "), EndsWith("too much\n")));
  EXPECT_TRUE(last_seen().body_too_large);
  EXPECT_EQ(last_seen().body, "");
}

TEST_F(HttpServiceTest, AChunkedBodyAboveTheLimitIsNotTaken) {
  start();
  const std::string head = "POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_THAT(ask(head + "7fffffff\r\nxxx"), StartsWith("HTTP/1.1 413 "));
  std::string many = head;
  for (int i = 0; i < 50; ++i) many += "1000\r\n" + std::string(0x1000, 'x') + "\r\n";
  EXPECT_THAT(ask(many), AllOf(StartsWith("HTTP/1.1 413 "), EndsWith("too much\n")));
  EXPECT_TRUE(last_seen().body_too_large);
}

long resident_kilobytes() {
  std::ifstream file("/proc/self/statm");
  long all = 0;
  long resident = 0;
  file >> all >> resident;
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

TEST_F(HttpServiceTest, WhoSendsAGigabyteGetsItsAnswerAndIsCutOff) {
  start();
  const RawConnection client(port());
  client.send("POST /x HTTP/1.1\r\nContent-Length: 1000000000\r\n\r\n");
  const std::string piece(1'000'000, 'x');
  const long before = resident_kilobytes();
  int pieces = 0;
  while (pieces < 1000 && client.send(piece)) ++pieces;
  EXPECT_LT(pieces, 500);
  EXPECT_LT(resident_kilobytes() - before, 30'000);
  EXPECT_THAT(client.read_to_end(), AllOf(StartsWith("HTTP/1.1 413 "), EndsWith("too much\n")));
}

TEST_F(HttpServiceTest, EndlessHeadersAreCutOff) {
  start();
  for (const auto& [start_of_it, status] : {std::pair("GET /x HTTP/1.1\r\nX: ", "431"),
                                            std::pair("GET /x HTTP/1.1\r\nX: y\r\nA", "431"),
                                            std::pair("GET /", "414"), std::pair("G", "414")}) {
    const RawConnection client(port());
    client.send(start_of_it);
    const std::string piece(100'000, 'x');
    int pieces = 0;
    while (pieces < 5000 && client.send(piece)) ++pieces;
    EXPECT_LT(pieces, 5000);
    EXPECT_THAT(client.read_to_end(), StartsWith(std::string("HTTP/1.1 ") + status));
  }
}

TEST_F(HttpServiceTest, ABrokenBodyIsRefusedAndHarmsNothing) {
  start();
  const std::string chunked = " HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const std::string& bytes :
       {"POST /x" + chunked + "-2\r\nxxxx", "POST /%zz" + chunked + "-2\r\nxxxx",
        "POST /x" + chunked + "zz\r\n", "POST /x" + chunked + "ffffffffffffffffff\r\nx",
        "POST /x" + chunked + "3\r\nabcdef\r\n",
        std::string("POST /x HTTP/1.1\r\nContent-Length: -1\r\n\r\nx"),
        std::string("POST /x HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx"),
        std::string("POST /x HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: "
                    "chunked\r\n\r\n0\r\n\r\n")}) {
    EXPECT_THAT(ask(bytes), AllOf(StartsWith("HTTP/1.1 400 "), HasSubstr("Connection: close\r\n")))
        << bytes;
  }
  EXPECT_EQ(last_seen().path, "");
  EXPECT_THAT(ask(request_text("GET", "/x")), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServiceTest, AServiceThatThrowsIsAnErrorThatTellsNothing) {
  start();
  const std::string answer = ask(request_text("GET", "/broken"));
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 500 "));
  EXPECT_THAT(answer, Not(HasSubstr("secret")));
}

TEST_F(HttpServiceTest, TheServiceMayWordTheServersRefusals) {
  refuse = [](int status, const std::string& why) {
    return HttpAnswer{status, kJson, "{\"" + std::to_string(status) + "\":\"" + why + "\"}", {}};
  };
  start();
  EXPECT_THAT(ask(request_text("GET", "/broken")), EndsWith("{\"500\":\"internal error\"}"));
  EXPECT_THAT(ask(request_text("GET", "/" + std::string(5000, 'a'))),
              EndsWith("{\"414\":\"request line too long\"}"));
  EXPECT_THAT(ask(request_text("GET", "/x", "", "X: " + std::string(17'000, 'a') + "\r\n")),
              EndsWith("{\"431\":\"headers too large\"}"));
  server->drain(milliseconds{0});
  EXPECT_THAT(ask(request_text("GET", "/x")), EndsWith("{\"503\":\"shutting down\"}"));
}

TEST_F(HttpServiceTest, ItsAnswersAreCountedAsOther) {
  std::vector<std::pair<std::string, int>> answered;
  on_answer = [&](const std::string& handler, int status) {
    const std::lock_guard lock(mutex);
    answered.emplace_back(handler, status);
  };
  start();
  ask(request_text("GET", "/x"));
  ask(request_text("GET", "/page"));
  ask(request_text("GET", "/broken"));
  const std::lock_guard lock(mutex);
  EXPECT_THAT(answered, testing::ElementsAre(std::pair("other", 200), std::pair("/page", 200),
                                             std::pair("other", 500)));
}

TEST_F(HttpServiceTest, AnswersThatTakeLongDelayNobodyElse) {
  start();
  const RawConnection first = held_client();
  const RawConnection second = held_client();
  EXPECT_THAT(ask(request_text("GET", "/x")), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(ask(request_text("GET", "/page")), StartsWith("HTTP/1.1 200 "));
  open_gate();
  EXPECT_THAT(first.read_to_end(), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(second.read_to_end(), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServiceTest, WhoComesWhenAllThreadsAreBusyWaits) {
  threads = 1;
  start();
  const RawConnection first = held_client();
  const RawConnection second(port());
  second.send(request_text("GET", "/x"));
  EXPECT_THAT(ask(request_text("GET", "/page")), StartsWith("HTTP/1.1 200 "));
  EXPECT_EQ(last_seen().path, "/wait");
  open_gate();
  EXPECT_THAT(second.read_to_end(), StartsWith("HTTP/1.1 200 "));
  EXPECT_EQ(last_seen().path, "/x");
}

TEST_F(HttpServiceTest, WhenTooManyWaitTheNextIsRefusedAtOnce) {
  threads = 1;
  most_waiting = 1;
  std::promise<int> refused;
  on_answer = [&, first = std::make_shared<std::once_flag>()](const std::string&, int status) {
    std::call_once(*first, [&] { refused.set_value(status); });
  };
  start();
  const RawConnection held = held_client();
  const RawConnection one(port());
  const RawConnection other(port());
  one.send(request_text("GET", "/x"));
  other.send(request_text("GET", "/x"));
  EXPECT_EQ(refused.get_future().get(), 503);  // one waits, no matter which, and one is refused
  EXPECT_THAT(ask(request_text("GET", "/x")), StartsWith("HTTP/1.1 503 "));
  open_gate();
  const std::vector<std::string> answers{one.read_to_end().substr(0, 12),
                                         other.read_to_end().substr(0, 12)};
  EXPECT_THAT(answers, testing::UnorderedElementsAre("HTTP/1.1 200", "HTTP/1.1 503"));
}

TEST_F(HttpServiceTest, FiveHundredSlowConnectionsDelayNobody) {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  start();
  std::vector<RawConnection> slow;
  for (int i = 0; i < 500; ++i) {
    slow.emplace_back(port());
    ASSERT_TRUE(slow.back().connected());
    if (i % 3 == 1) slow.back().send("POST /x HTTP/1.1\r\nHost: he");
    if (i % 3 == 2) slow.back().send("POST /x HTTP/1.1\r\nContent-Length: 9\r\n\r\nhalf");
  }
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) {
    EXPECT_THAT(ask(request_text("POST", "/x", "quick")), EndsWith("{\"bytes\":5}"));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, seconds{5});
}

TEST_F(HttpServiceTest, WhoTriesItsPatienceIsHungUpOn) {
  patience = milliseconds{50};
  start();
  for (const char* half : {"", "POST /x HT", "POST /x HTTP/1.1\r\nContent-Length: 9\r\n\r\nhalf"}) {
    EXPECT_EQ(ask(half), "") << half;
  }
}

TEST_F(HttpServiceTest, AnAnswerMayTakeLongerThanItsPatience) {
  patience = milliseconds{50};
  start();
  const RawConnection held = held_client();
  EXPECT_EQ(ask(""), "");  // whose patience ended after that of the one held
  open_gate();
  EXPECT_THAT(held.read_to_end(), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServiceTest, DrainingWaitsForWhatWasAskedAndRefusesWhatComes) {
  start();
  const RawConnection kept(port());
  kept.send("GET /page HTTP/1.1\r\nHost: here\r\n\r\n");
  EXPECT_THAT(kept.read_until("\r\n\r\n"), StartsWith("HTTP/1.1 200 "));
  const RawConnection asked = held_client();
  EXPECT_FALSE(server->drain(milliseconds{1}));
  for (const char* target : {"/x", "/page", "/"}) {
    EXPECT_THAT(ask(request_text("GET", target)),
                AllOf(StartsWith("HTTP/1.1 503 "), HasSubstr("Connection: close\r\n")));
  }
  kept.send("GET /x HTTP/1.1\r\nHost: here\r\n\r\n");
  EXPECT_THAT(kept.read_to_end(),
              AllOf(StartsWith("HTTP/1.1 503 "), HasSubstr("Connection: close\r\n")));
  open_gate();
  EXPECT_TRUE(server->drain(seconds{30}));
  server.reset();
  EXPECT_THAT(asked.read_to_end(), AllOf(StartsWith("HTTP/1.1 200 "), EndsWith("}")));
}

TEST_F(HttpServiceTest, DrainingDoesNotWaitForARequestThatHasNotArrived) {
  start();
  const RawConnection half(port());
  half.send("POST /x HTTP/1.1\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(half.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_TRUE(server->drain(seconds{30}));
  half.send("123456789");
  EXPECT_THAT(half.read_to_end(), StartsWith("HTTP/1.1 503 "));
}

TEST_F(HttpServiceTest, DrainingDoesNotWaitForClientsThatAreGone) {
  start();
  { const RawConnection gone = held_client(); }
  open_gate();
  EXPECT_TRUE(server->drain(seconds{30}));
}

TEST_F(HttpServiceTest, DestroyingItCutsOffClientsAndWaitsForTheService) {
  threads = 1;
  start();
  const RawConnection held = held_client();
  const RawConnection queued(port());
  queued.send(request_text("GET", "/x"));
  std::atomic<bool> destroyed{false};
  std::thread destroyer([&] {
    server.reset();
    destroyed = true;
  });
  EXPECT_THAT(held.read_to_end(), IsEmpty());
  EXPECT_THAT(queued.read_to_end(), IsEmpty());
  EXPECT_FALSE(destroyed);
  open_gate();
  destroyer.join();
  EXPECT_EQ(last_seen().path, "/wait");
}

TEST_F(HttpServiceTest, ASecondServerMayBeStartedBesideItAndAfterIt) {
  start();
  auto first = std::move(server);
  start();
  EXPECT_THAT(ask_raw(first->port(), request_text("GET", "/x")), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(ask(request_text("GET", "/x")), StartsWith("HTTP/1.1 200 "));
  first.reset();
  EXPECT_THAT(ask(request_text("GET", "/x")), StartsWith("HTTP/1.1 200 "));
}

TEST(HttpServiceScopeTest, NothingWiderThanLoopbackIsServedWithoutTls) {
  const auto started = serve({.listen = {"0.0.0.0", 0}}, {});
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().kind, ErrorKind::Rejected);
  EXPECT_EQ(started.error().message,
            "cannot listen on 0.0.0.0:0: only loopback addresses are served without TLS");
}

}  // namespace
}  // namespace sconverge::test
