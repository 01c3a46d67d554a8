#include "controller/slurm/slurmrestd_transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <set>

#include "controller/http/http_client.h"
#include "tests/slurm/tls_server.h"
#include "tests/support/matchers.h"
#include "tests/support/stub_http_server.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using Manner = StubAnswer::Manner;

constexpr const char* kSecret = "secret-token";

std::shared_ptr<HttpClient> http(const std::string& ca_file = "") {
  return make_http_client({ca_file}).value();
}

class SlurmrestdTransportTest : public testing::Test {
 protected:
  SlurmrestdTransportTest() { write_token(kSecret); }

  void write_token(const std::string& token) const { std::ofstream(token_file_) << token; }

  std::unique_ptr<Transport> to(const std::string& url, int timeout = 20) {
    auto transport = make_slurmrestd_transport(
        {.url = url, .user = "alice", .token_file = token_file_, .timeout = seconds(timeout)},
        http());
    return std::move(transport.value());
  }

  /// The body ends up in `body_`.
  Result<AnswerHead> exchange(Transport& transport, const SlurmCall& call) {
    body_.clear();
    return transport.exchange(call, [this](ByteSource& bytes) {
      for (auto part = bytes.next(); !part.empty(); part = bytes.next()) body_ += part;
    });
  }

  static SlurmCall get(const std::string& path = "/slurm/v0.0.42/jobs/") {
    return {HttpMethod::Get, path};
  }
  static SlurmCall submit() {
    return {HttpMethod::Post, "/slurm/v0.0.42/job/submit", R"({"job":{}})", true};
  }

  TempDirectory directory_;
  std::string token_file_ = directory_ / "token";
  std::string body_;
};

TEST_F(SlurmrestdTransportTest, SendsPathQueryBodyAndIdentity) {
  StubHttpServer server([](const auto&) { return StubAnswer{.body = "{}"}; });
  const auto transport = to(server.url());
  ASSERT_TRUE(exchange(*transport, get("/slurmdb/v0.0.42/jobs/?job_name=a%20b&users=alice")));
  ASSERT_TRUE(exchange(*transport, submit()));
  const auto requests = server.requests();
  ASSERT_THAT(requests, SizeIs(2));
  EXPECT_EQ(requests[0].method, "GET");
  EXPECT_EQ(requests[0].path, "/slurmdb/v0.0.42/jobs/?job_name=a%20b&users=alice");
  EXPECT_EQ(requests[0].headers.at("x-slurm-user-name"), "alice");
  EXPECT_EQ(requests[0].headers.at("x-slurm-user-token"), kSecret);
  EXPECT_EQ(requests[1].method, "POST");
  EXPECT_EQ(requests[1].body, R"({"job":{}})");
  EXPECT_EQ(requests[1].headers.at("content-type"), "application/json");
  EXPECT_FALSE(requests[1].headers.contains("transfer-encoding"));
}

TEST_F(SlurmrestdTransportTest, KeepsAPathInTheUrl) {
  StubHttpServer server([](const auto&) { return StubAnswer{.body = "{}"}; });
  const auto transport = to(server.url() + "/proxy/slurm1/");
  ASSERT_TRUE(exchange(*transport, get("/slurm/v0.0.42/ping/")));
  EXPECT_EQ(server.requests().front().path, "/proxy/slurm1/slurm/v0.0.42/ping/");
}

TEST_F(SlurmrestdTransportTest, LeavesOutTheUserNameIfThereIsNone) {
  StubHttpServer server([](const auto&) { return StubAnswer{.body = "{}"}; });
  auto transport =
      make_slurmrestd_transport({.url = server.url(), .token_file = token_file_}, http());
  ASSERT_TRUE(exchange(**transport, get()));
  EXPECT_FALSE(server.requests().front().headers.contains("x-slurm-user-name"));
}

TEST_F(SlurmrestdTransportTest, BringsStatusBodyAndRetryAfter) {
  StubHttpServer server([](const auto&) {
    return StubAnswer{.status = 503, .body = "busy", .headers = {{"Retry-After", "17"}}};
  });
  const auto transport = to(server.url());
  const auto head = exchange(*transport, get());
  ASSERT_TRUE(head);
  EXPECT_EQ(head->status, 503);
  EXPECT_EQ(head->retry_after, seconds(17));
  EXPECT_EQ(body_, "busy");
}

TEST_F(SlurmrestdTransportTest, EmptyBodyIsAnAnswer) {
  for (const int status : {200, 204, 304}) {
    StubHttpServer server([status](const auto&) { return StubAnswer{.status = status}; });
    const auto transport = to(server.url());
    const auto head = exchange(*transport, get());
    ASSERT_TRUE(head) << status;
    EXPECT_EQ(head->status, status);
  }
}

TEST_F(SlurmrestdTransportTest, BringsALargeBodyWhole) {
  const std::string large(20'000'000, 'x');
  StubHttpServer server([&](const auto&) { return StubAnswer{.body = large}; });
  const auto transport = to(server.url());
  ASSERT_TRUE(exchange(*transport, get()));
  EXPECT_EQ(body_.size(), large.size());
}

TEST_F(SlurmrestdTransportTest, ReaderMayStopEarly) {
  StubHttpServer server(
      [](const auto&) { return StubAnswer{.body = std::string(3'000'000, 'x')}; });
  const auto transport = to(server.url());
  for (int i = 0; i < 3; ++i) {
    const auto head = transport->exchange(get(), [](ByteSource& bytes) { bytes.next(); });
    ASSERT_TRUE(head);
    EXPECT_EQ(head->status, 200);
  }
}

// A submit is sent once.

TEST_F(SlurmrestdTransportTest, SubmitReachesAServerThatHangsUpExactlyOnce) {
  std::atomic<bool> hangs_up{false};
  StubHttpServer server([&](const auto&) {
    return StubAnswer{.body = "{}", .manner = hangs_up ? Manner::HangUp : Manner::Whole};
  });
  const auto transport = to(server.url());
  // Connections that could be reused.
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(exchange(*transport, get()));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(exchange(*transport, submit()));
  hangs_up = true;
  const auto before = server.requests().size();
  const auto head = exchange(*transport, submit());
  ASSERT_FALSE(head);
  EXPECT_EQ(head.error().kind, ErrorKind::Unknown);
  EXPECT_EQ(server.requests().size(), before + 1);
}

TEST_F(SlurmrestdTransportTest, EverySubmitHasAConnectionOfItsOwn) {
  StubHttpServer server([](const auto&) { return StubAnswer{.body = "{}"}; });
  const auto transport = to(server.url());
  std::set<int> connections;
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(exchange(*transport, get()));
    ASSERT_TRUE(exchange(*transport, submit()));
    connections.insert(server.requests().back().connection);
  }
  EXPECT_THAT(connections, SizeIs(4));
}

TEST_F(SlurmrestdTransportTest, SubmitsFromManyThreadsAllArriveOnce) {
  StubHttpServer server([](const auto&) { return StubAnswer{.body = "{}"}; });
  const auto transport = to(server.url());
  std::vector<std::future<bool>> sent;
  for (int i = 0; i < 32; ++i) {
    sent.push_back(std::async(std::launch::async, [&] {
      return transport->exchange(submit(), [](ByteSource&) {}).ok();
    }));
  }
  for (auto& one : sent) EXPECT_TRUE(one.get());
  EXPECT_THAT(server.requests(), SizeIs(32));
}

// What is known after a failure.

TEST_F(SlurmrestdTransportTest, NothingHappenedIfNobodyListens) {
  const auto transport = to(url_nobody_listens_on());
  for (const auto& call :
       {get(), submit(), SlurmCall{HttpMethod::Delete, "/slurm/v0.0.42/job/1"}}) {
    const auto head = exchange(*transport, call);
    ASSERT_FALSE(head);
    EXPECT_EQ(head.error().kind, ErrorKind::Unavailable);
    EXPECT_EQ(head.error().message,
              "slurmrestd at " + transport->endpoint() + ": nobody listens there");
  }
}

TEST_F(SlurmrestdTransportTest, NothingHappenedIfTheConnectionDoesNotOpenInTime) {
  const FullServer server;
  const auto transport = to(server.url(), 1);
  const auto head = exchange(*transport, submit());
  ASSERT_FALSE(head);
  EXPECT_EQ(head.error().kind, ErrorKind::Unavailable);
  EXPECT_THAT(head.error().message, HasSubstr("within 1 s"));
}

TEST_F(SlurmrestdTransportTest, AnswerThatBreaksOffLeavesDoubt) {
  StubHttpServer server([](const auto&) {
    return StubAnswer{.body = R"({"job_id":12})", .manner = Manner::BreakOff};
  });
  const auto transport = to(server.url());
  EXPECT_EQ(exchange(*transport, submit()).error().kind, ErrorKind::Unknown);
  EXPECT_EQ(exchange(*transport, get()).error().kind, ErrorKind::Unknown);
}

TEST_F(SlurmrestdTransportTest, SilenceEndsAtTheTimeoutAndLeavesDoubt) {
  StubHttpServer server([](const auto&) { return StubAnswer{.manner = Manner::Silent}; });
  const auto transport = to(server.url(), 1);
  const auto began = std::chrono::steady_clock::now();
  const auto head = exchange(*transport, submit());
  const auto took = std::chrono::steady_clock::now() - began;
  ASSERT_FALSE(head);
  EXPECT_EQ(head.error().kind, ErrorKind::Unknown);
  EXPECT_THAT(head.error().message, HasSubstr("no whole answer within 1 s"));
  EXPECT_GE(took, seconds(1));
  EXPECT_LT(took, seconds(30));
  EXPECT_THAT(server.requests(), SizeIs(1));
}

TEST_F(SlurmrestdTransportTest, DrippingDoesNotOutlastTheTimeout) {
  StubHttpServer server([](const auto&) {
    return StubAnswer{.body = std::string(100'000, 'x'), .manner = Manner::Drip};
  });
  const auto transport = to(server.url(), 1);
  const auto began = std::chrono::steady_clock::now();
  EXPECT_FALSE(exchange(*transport, get()));
  EXPECT_LT(std::chrono::steady_clock::now() - began, seconds(30));
}

TEST_F(SlurmrestdTransportTest, ConnectionClosedAtOnceIsAnError) {
  StubHttpServer server([](const auto&) { return StubAnswer{}; });
  server.close_connections_at_once();
  const auto transport = to(server.url());
  ASSERT_FALSE(exchange(*transport, submit()));
  EXPECT_THAT(server.requests(), SizeIs(0));
}

TEST_F(SlurmrestdTransportTest, BytesThatAreNoHttpAreAnError) {
  StubHttpServer server([](const auto&) {
    return StubAnswer{.status = 99999, .headers = {{"Transfer-Encoding", "chunked"}}};
  });
  const auto transport = to(server.url());
  EXPECT_FALSE(exchange(*transport, get()));
}

TEST_F(SlurmrestdTransportTest, RedirectIsNotFollowed) {
  StubHttpServer other([](const auto&) { return StubAnswer{.body = "{}"}; });
  StubHttpServer server([&](const auto&) {
    return StubAnswer{.status = 307, .headers = {{"Location", other.url() + "/steal"}}};
  });
  const auto transport = to(server.url());
  EXPECT_EQ(exchange(*transport, get())->status, 307);
  EXPECT_THAT(other.requests(), SizeIs(0));
}

// TLS.

TEST_F(SlurmrestdTransportTest, TlsServerIsBelievedForACertificateOfTheCaFile) {
  const TlsServer server("IP:127.0.0.1");
  auto transport = make_slurmrestd_transport({.url = server.url(), .token_file = token_file_},
                                             http(server.certificate()));
  const auto head = exchange(**transport, get("/answer"));
  ASSERT_TRUE(head) << head.error().message;
  EXPECT_EQ(head->status, 200);
  EXPECT_EQ(body_, "{}");
}

TEST_F(SlurmrestdTransportTest, TlsServerWithACertificateOfItsOwnMakingGetsNothing) {
  const TlsServer server("IP:127.0.0.1");
  const auto transport = to(server.url());
  for (const auto& call : {get("/answer"), submit()}) {
    const auto head = exchange(*transport, call);
    ASSERT_FALSE(head);
    EXPECT_EQ(head.error().kind, ErrorKind::Unavailable);
    EXPECT_EQ(head.error().transport, TransportFailure::Tls);
    EXPECT_THAT(head.error().message, HasSubstr("not trusted"));
  }
}

TEST_F(SlurmrestdTransportTest, TlsServerWithACertificateForAnotherNameGetsNothing) {
  const TlsServer server("IP:127.0.0.2");
  auto transport = make_slurmrestd_transport({.url = server.url(), .token_file = token_file_},
                                             http(server.certificate()));
  const auto head = exchange(**transport, get("/answer"));
  ASSERT_FALSE(head);
  EXPECT_EQ(head.error().kind, ErrorKind::Unavailable);
}

// Credentials.

TEST_F(SlurmrestdTransportTest, DeniedWithoutAToken) {
  StubHttpServer server([](const auto&) { return StubAnswer{}; });
  const auto transport = to(server.url());
  std::filesystem::remove(token_file_);
  const auto head = exchange(*transport, get());
  ASSERT_FALSE(head);
  EXPECT_EQ(head.error().kind, ErrorKind::Denied);
  EXPECT_THAT(server.requests(), SizeIs(0));
}

TEST_F(SlurmrestdTransportTest, SendsTheReplacedToken) {
  StubHttpServer server([](const auto&) { return StubAnswer{.body = "{}"}; });
  const auto transport = to(server.url());
  const auto first = exchange(*transport, get());
  EXPECT_FALSE(transport->renew_credentials(first->credentials));
  write_token("another-token");
  EXPECT_TRUE(transport->renew_credentials(first->credentials));
  ASSERT_TRUE(exchange(*transport, get()));
  EXPECT_EQ(server.requests().back().headers.at("x-slurm-user-token"), "another-token");
}

TEST_F(SlurmrestdTransportTest, ErrorsNeverHoldTheToken) {
  StubHttpServer server([](const auto&) { return StubAnswer{.manner = Manner::HangUp}; });
  for (const std::string& url : {server.url(), url_nobody_listens_on()}) {
    const auto transport = to(url);
    EXPECT_THAT(exchange(*transport, submit()).error().message, Not(HasSubstr(kSecret)));
  }
}

// Options.

TEST(SlurmrestdOptionsTest, UrlsThatAreNoneAreRejected) {
  for (const char* url :
       {"", "localhost:6820", "ftp://host", "http://", "https://:6820", "http://host:port",
        "http://host:0", "http://host:65536", "http://host/?x=1", "http://ho st",
        "http://[::1]:6820", "http://host/#x", "unix:/run/slurmrestd.socket"}) {
    const auto transport = make_slurmrestd_transport({.url = url}, http());
    ASSERT_FALSE(transport) << url;
    EXPECT_EQ(transport.error().kind, ErrorKind::Rejected) << url;
    EXPECT_THAT(transport.error().message, HasSubstr("write http://HOST:PORT")) << url;
  }
}

TEST(SlurmrestdOptionsTest, UrlsThatAreSomeAreTaken) {
  for (const char* url : {"http://localhost", "http://127.0.0.1:6820", "https://host:65535/a/b/"}) {
    EXPECT_TRUE(make_slurmrestd_transport({.url = url}, http())) << url;
  }
}

TEST(SlurmrestdOptionsTest, PasswordInAUrlIsRejectedAndNotShown) {
  const auto transport =
      make_slurmrestd_transport({.url = "http://alice:hidden@host:6820"}, http());
  ASSERT_FALSE(transport);
  EXPECT_THAT(transport.error().message, Not(HasSubstr("hidden")));
}

TEST(SlurmrestdOptionsTest, MissingCaFileIsRejectedByName) {
  const auto transport = make_http_client({.ca_file = "/nowhere/ca.pem"});
  ASSERT_FALSE(transport);
  EXPECT_THAT(transport.error().message, HasSubstr("/nowhere/ca.pem"));
}

TEST(SlurmrestdOptionsTest, CaFileWithoutACertificateIsRejectedByName) {
  const TempDirectory directory;
  std::ofstream(directory / "ca.pem") << "-----BEGIN CERTIFICATE-----\nhalf";
  const auto transport = make_http_client({.ca_file = directory / "ca.pem"});
  ASSERT_FALSE(transport);
  EXPECT_THAT(transport.error().message,
              AllOf(HasSubstr(directory / "ca.pem"), HasSubstr("no certificate")));
}

TEST(SlurmrestdOptionsTest, NameThatWouldEndAHeaderIsRejected) {
  EXPECT_FALSE(make_slurmrestd_transport({.url = "http://host", .user = "alice\r\nX: y"}, http()));
}

}  // namespace
}  // namespace sconverge::test
