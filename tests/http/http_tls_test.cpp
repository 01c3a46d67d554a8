#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "controller/http/http_server.h"
#include "tests/http/raw_connection.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// What a shell command writes, errors included.
std::string output_of(const std::string& command) {
  std::string output;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) std::abort();
  char buffer[4096];
  while (const auto got = std::fread(buffer, 1, sizeof(buffer), pipe)) output.append(buffer, got);
  pclose(pipe);
  return output;
}

// A certificate for 127.0.0.1 and its key, and a service behind them.
struct HttpTlsTest : testing::Test {
  HttpTlsTest() { make_identity("certificate.pem", "key.pem"); }

  [[nodiscard]] std::string path(const std::string& name) const { return directory / name; }

  void make_identity(const std::string& certificate, const std::string& key) const {
    output_of(
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
        " -subj /CN=test -addext subjectAltName=IP:127.0.0.1 -out " +
        path(certificate) + " -keyout " + path(key));
    if (!std::filesystem::exists(path(certificate))) std::abort();
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::trunc) << text;
  }
  void move(const std::string& from, const std::string& to) const {
    std::filesystem::rename(path(from), path(to));
  }

  Result<std::unique_ptr<HttpServer>> serve_with(const std::string& certificate,
                                                 const std::string& key) {
    Service service;
    service.answer = [](const HttpRequest& request) {
      if (request.body_too_large) return HttpAnswer{413, kPlainText, "too much", {}};
      return HttpAnswer{200, kPlainText, request.method + " " + request.body, {}};
    };
    service.most_body_bytes = 3'000'000;
    return serve({.listen = listen,
                  .tls = TlsFiles{path(certificate), path(key)},
                  .service = service,
                  .on_tls_failure =
                      [this](const std::string& why) {
                        const std::lock_guard lock(mutex);
                        failures.push_back(why);
                      },
                  .patience = patience},
                 {});
  }
  void start() {
    auto started = serve_with("certificate.pem", "key.pem");
    ASSERT_TRUE(started.ok()) << started.error().message;
    server = std::move(*started);
  }
  std::string why_not(const std::string& certificate, const std::string& key) {
    const auto started = serve_with(certificate, key);
    if (started) return "it is served";
    EXPECT_EQ(started.error().kind, ErrorKind::Rejected);
    return started.error().message;
  }

  /// What curl gets, verifying the server by the certificate file `trusted`.
  [[nodiscard]] std::string curl(const std::string& arguments,
                                 const std::string& trusted = "certificate.pem") const {
    return output_of("curl --silent --show-error --max-time 20 --noproxy '*' --cacert " +
                     path(trusted) + " " + arguments +
                     " https://127.0.0.1:" + std::to_string(server->port()) + "/x");
  }

  TempDirectory directory;
  ListenAddress listen{"127.0.0.1", 0};
  milliseconds patience{60'000};
  std::mutex mutex;
  std::vector<std::string> failures;
  std::unique_ptr<HttpServer> server;
};

TEST_F(HttpTlsTest, AClientThatVerifiesIsAnswered) {
  start();
  EXPECT_EQ(curl("--data hello"), "POST hello");
  EXPECT_EQ(curl("--data @-  < /dev/null"), "POST ");
  EXPECT_THAT(curl("--head"), StartsWith("HTTP/1.1 200 OK"));
}

TEST_F(HttpTlsTest, WiderThanLoopbackIsServed) {
  listen.host = "0.0.0.0";
  start();
  EXPECT_EQ(curl("--data hello"), "POST hello");
}

TEST_F(HttpTlsTest, LargeBodiesComeThroughWhole) {
  start();
  write("large", std::string(2'500'000, 'x'));
  EXPECT_EQ(curl("--data @" + path("large")), "POST " + std::string(2'500'000, 'x'));
  EXPECT_EQ(curl("--header 'Transfer-Encoding: chunked' --data @" + path("large")),
            "POST " + std::string(2'500'000, 'x'));
}

TEST_F(HttpTlsTest, WhoSendsTooMuchGetsItsAnswer) {
  start();
  write("large", std::string(8'000'000, 'x'));
  EXPECT_EQ(curl("--data @" + path("large")), "too much");
  EXPECT_EQ(curl("--header 'Expect:' --data @" + path("large")), "too much");
}

TEST_F(HttpTlsTest, OlderVersionsThanOneDotTwoAreRefused) {
  start();
  // A ClientHello of TLS 1.1 with one cipher suite, ECDHE-ECDSA-AES128-SHA (RFC 4346, 7.4.1.2).
  const std::string hello = std::string("\x03\x02", 2) + std::string(32, 'r') +
                            std::string("\x00\x00\x02\xc0\x09\x01\x00", 7);
  const auto length = static_cast<char>(hello.size());
  const RawConnection client(server->port());
  client.send(std::string("\x16\x03\x01\x00", 4) + static_cast<char>(length + 4) +
              std::string("\x01\x00\x00", 3) + length + hello);
  const std::string protocol_version_alert("\x02\x46", 2);  // fatal, 70 (RFC 4346, 7.2)
  EXPECT_THAT(client.read_to_end(), EndsWith(protocol_version_alert));
}

TEST_F(HttpTlsTest, FiveHundredHalfDoneHandshakesDelayNobody) {
  start();
  std::vector<RawConnection> slow;
  for (int i = 0; i < 500; ++i) {
    slow.emplace_back(server->port());
    ASSERT_TRUE(slow.back().connected());
    if (i % 2 == 1) slow.back().send(std::string("\x16\x03\x01\x02\x00\x01", 6));
  }
  EXPECT_EQ(curl("--data hello"), "POST hello");
}

TEST_F(HttpTlsTest, WhoDoesNotFinishTheHandshakeIsHungUpOn) {
  patience = milliseconds{50};
  start();
  EXPECT_EQ(ask_raw(server->port(), ""), "");
}

TEST_F(HttpTlsTest, PlainHttpIsNotAnswered) {
  start();
  EXPECT_THAT(ask_raw(server->port(), request_text("GET", "/x")),
              testing::Not(HasSubstr("HTTP/1.1")));
  EXPECT_EQ(curl("--data hello"), "POST hello");
}

TEST_F(HttpTlsTest, RenewedFilesTakeEffectForTheNextConnection) {
  start();
  make_identity("renewed.pem", "renewed-key.pem");
  std::filesystem::copy(path("renewed.pem"), path("trusted.pem"));
  EXPECT_THAT(curl("--data hello", "trusted.pem"), HasSubstr("curl: (60)"));
  move("renewed.pem", "certificate.pem");
  move("renewed-key.pem", "key.pem");
  EXPECT_EQ(curl("--data hello", "trusted.pem"), "POST hello");
  EXPECT_THAT(failures, testing::IsEmpty());
}

TEST_F(HttpTlsTest, ABrokenRenewalKeepsTheLastGoodFilesAndIsToldOnce) {
  start();
  std::filesystem::copy(path("certificate.pem"), path("trusted.pem"));
  make_identity("renewed.pem", "renewed-key.pem");
  move("renewed.pem", "certificate.pem");
  EXPECT_EQ(curl("--data hello", "trusted.pem"), "POST hello");
  EXPECT_EQ(curl("--data hello", "trusted.pem"), "POST hello");
  {
    const std::lock_guard lock(mutex);
    EXPECT_THAT(failures, ElementsAre(AllOf(HasSubstr(path("key.pem")),
                                            HasSubstr("is not the key of the certificate"))));
  }
  std::filesystem::remove(path("key.pem"));
  EXPECT_EQ(curl("--data hello", "trusted.pem"), "POST hello");
  move("renewed-key.pem", "key.pem");
  EXPECT_EQ(curl("--data hello"), "POST hello");
}

TEST_F(HttpTlsTest, FilesThatCannotBeUsedAreNamed) {
  EXPECT_EQ(why_not("none.pem", "key.pem"), "TLS certificate file \"" + path("none.pem") +
                                                "\" cannot be read: No such file or directory");
  EXPECT_EQ(why_not("certificate.pem", "none.pem"),
            "TLS key file \"" + path("none.pem") + "\" cannot be read: No such file or directory");
  write("empty", "");
  write("text", "not a certificate\n");
  for (const char* bad : {"empty", "text", "key.pem"}) {
    EXPECT_EQ(why_not(bad, "key.pem"),
              "TLS certificate file \"" + path(bad) +
                  "\" holds no certificate; write it there as PEM, with its chain");
  }
  for (const char* bad : {"empty", "text", "certificate.pem"}) {
    EXPECT_EQ(why_not("certificate.pem", bad),
              "TLS key file \"" + path(bad) +
                  "\" holds no key that can be read; write it there as PEM, without a passphrase");
  }
}

TEST_F(HttpTlsTest, AKeyOfAnotherCertificateIsRefused) {
  make_identity("other.pem", "other-key.pem");
  EXPECT_EQ(why_not("certificate.pem", "other-key.pem"),
            "TLS key file \"" + path("other-key.pem") +
                "\" is not the key of the certificate in \"" + path("certificate.pem") +
                "\"; give the two that belong together");
}

TEST_F(HttpTlsTest, AKeyWithAPassphraseIsRefusedAndNobodyIsAskedForIt) {
  output_of("openssl pkey -aes128 -passout pass:secret -in " + path("key.pem") + " -out " +
            path("locked.pem"));
  ASSERT_TRUE(std::filesystem::exists(path("locked.pem")));
  EXPECT_THAT(why_not("certificate.pem", "locked.pem"), EndsWith("without a passphrase"));
}

TEST_F(HttpTlsTest, AChainIsServedAndABrokenOneIsRefused) {
  make_identity("issuer.pem", "issuer-key.pem");
  const auto text = [&](const std::string& name) {
    std::ifstream file(path(name));
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  write("chain.pem", text("certificate.pem") + text("issuer.pem"));
  auto started = serve_with("chain.pem", "key.pem");
  ASSERT_TRUE(started.ok());
  server = std::move(*started);
  const std::string shown =
      output_of("openssl s_client -showcerts -connect 127.0.0.1:" + std::to_string(server->port()) +
                " < /dev/null");
  const auto first = shown.find("-----BEGIN CERTIFICATE-----");
  EXPECT_NE(shown.find("-----BEGIN CERTIFICATE-----", first + 1), std::string::npos);
  write("broken.pem", text("certificate.pem") + text("issuer.pem").substr(0, 200));
  EXPECT_THAT(why_not("broken.pem", "key.pem"), HasSubstr("holds a broken certificate"));
}

}  // namespace
}  // namespace sconverge::test
