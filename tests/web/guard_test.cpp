// What guards the pages of the real `sconverge run`: TLS, tokens, and the refusal to do without.
#include <gmock/gmock.h>

#include <algorithm>

#include "controller/http/listen_address.h"
#include "tests/web/run_under_test.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kToken = "0123456789abcdef";
const std::string kBearer = std::string("Authorization: Bearer ") + kToken;

struct Guard : RunUnderTest {
  std::vector<std::string> tls() const {
    make_identity("certificate.pem", "key.pem");
    return {"--tls-cert", directory / "certificate.pem", "--tls-key", directory / "key.pem"};
  }
  std::vector<std::string> tls_and_token() const {
    auto flags = tls();
    write("tokens", std::string(kToken) + "\n");
    flags.insert(flags.end(), {"--listen-token-file", directory / "tokens"});
    return flags;
  }
  /// One line, this code, and these words.
  template <typename Matcher>
  void expect_refusal(const std::vector<std::string>& flags, int code, const Matcher& words) const {
    const Ended ended = refused(flags);
    EXPECT_EQ(ended.code, code) << ended.err;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    EXPECT_THAT(ended.err, words);
  }
};

TEST_F(Guard, PagesAreServedWithTlsToWhoHasAToken) {
  start(tls_and_token(), "0.0.0.0:0");
  const std::string metrics = "https://127.0.0.1:" + std::to_string(process->port()) + "/metrics";
  EXPECT_THAT(curl(metrics, {"--header", kBearer}), HasSubstr("sconverge_build_info"));
  EXPECT_EQ(status(metrics), "401");
  EXPECT_THAT(
      curl(metrics, {"--include"}),
      AllOf(HasSubstr("WWW-Authenticate: Bearer realm=\"sconverge\"\r\n"),
            HasSubstr("WWW-Authenticate: Basic realm=\"sconverge: the password"),
            HasSubstr("Authorization: Bearer TOKEN"), Not(HasSubstr("sconverge_build_info"))));
  EXPECT_EQ(status(metrics, {"--header", "Authorization: Bearer 0123456789abcdeX"}), "401");
  EXPECT_EQ(status(metrics.substr(0, metrics.rfind('/')) + "/livez"), "200");
  EXPECT_EQ(process->log().find(kToken), std::string::npos);
  EXPECT_EQ(process->stop(), 0);
}

TEST_F(Guard, ATokenThatIsReplacedHoldsFromTheNextRequestOn) {
  start(tls_and_token(), "0.0.0.0:0");
  const std::string metrics = "https://127.0.0.1:" + std::to_string(process->port()) + "/metrics";
  write("fresh", "another-0123456789\n");
  std::filesystem::rename(directory / "fresh", directory / "tokens");
  EXPECT_EQ(status(metrics, {"--header", kBearer}), "401");
  EXPECT_EQ(status(metrics, {"--header", "Authorization: Bearer another-0123456789"}), "200");
  write("tokens", "");
  EXPECT_EQ(status(metrics, {"--header", "Authorization: Bearer another-0123456789"}), "200");
  EXPECT_THAT(process->log(), HasSubstr("tokens stay as they were"));
}

TEST_F(Guard, TheProbesHaveAnAddressOfTheirOwnWithoutTlsAndTokens) {
  auto flags = tls_and_token();
  flags.insert(flags.end(), {"--health-listen", "0.0.0.0:0"});
  start(flags, "0.0.0.0:0");
  const std::string health = url("health");
  ASSERT_THAT(health, StartsWith("http://0.0.0.0:"));
  EXPECT_EQ(curl(health + "/livez"), "ok\n");
  EXPECT_EQ(status(health + "/healthz"), "200");
  EXPECT_EQ(status(health + "/metrics"), "404");
  EXPECT_EQ(status(health + "/api/v1/specs"), "404");
  EXPECT_EQ(status(health + "/"), "404");
}

TEST_F(Guard, WiderThanTheLoopbackNeedsTlsAndATokenOrAWord) {
  expect_refusal({"--listen", "0.0.0.0:0"}, 64,
                 AllOf(HasSubstr("needs TLS and a token"), HasSubstr("--tls-cert"),
                       HasSubstr("--listen-token-file"), HasSubstr("--insecure-listen true")));
  auto flags = tls();
  flags.insert(flags.end(), {"--listen", "0.0.0.0:0"});
  expect_refusal(flags, 64, AllOf(HasSubstr("needs a token"), Not(HasSubstr("--tls-cert"))));
  write("tokens", kToken);
  expect_refusal({"--listen", "0.0.0.0:0", "--listen-token-file", directory / "tokens"}, 64,
                 AllOf(HasSubstr("needs TLS,"), Not(HasSubstr("--listen-token-file FILE"))));
  start({"--insecure-listen", "true"}, "0.0.0.0:0");
  EXPECT_EQ(process->get("/metrics").status, 200);
}

TEST_F(Guard, FilesThatCannotBeUsedAreOneLine) {
  write("tokens", std::string(kToken) + "\n");
  auto with = tls();
  const auto flags = [&](const std::string& certificate, const std::string& key,
                         const std::string& tokens) {
    return std::vector<std::string>{
        "--listen",  "0.0.0.0:0",     "--tls-cert",          directory / certificate,
        "--tls-key", directory / key, "--listen-token-file", directory / tokens};
  };
  expect_refusal(flags("none.pem", "key.pem", "tokens"), 1,
                 HasSubstr("none.pem\" cannot be read: No such file"));
  expect_refusal(flags("certificate.pem", "none.pem", "tokens"), 1,
                 HasSubstr("none.pem\" cannot be read: No such file"));
  expect_refusal(flags("jobs", "key.pem", "tokens"), 1, HasSubstr("is not a regular file"));
  make_identity("other.pem", "other-key.pem");
  expect_refusal(flags("certificate.pem", "other-key.pem", "tokens"), 1,
                 HasSubstr("is not the key of the certificate"));
  expect_refusal(flags("certificate.pem", "key.pem", "none"), 1,
                 AllOf(HasSubstr("tokens file"), HasSubstr("cannot be read: No such file")));
  write("tokens", "\n");
  expect_refusal(flags("certificate.pem", "key.pem", "tokens"), 1,
                 HasSubstr("tokens:1: the file holds no token; make one with"));
  write("tokens", "short\n");
  expect_refusal(flags("certificate.pem", "key.pem", "tokens"), 1,
                 AllOf(HasSubstr("tokens:1: the token is shorter than 16 characters"),
                       Not(HasSubstr("short\n"))));
  expect_refusal({"--tls-cert", directory / "certificate.pem"}, 64,
                 HasSubstr("tlsKey: a certificate and a key belong together"));
}

TEST_F(Guard, TokensThatEverybodyCanReadAreWarnedAbout) {
  write("tokens", std::string(kToken) + "\n", 0644);
  start({"--listen-token-file", directory / "tokens"});
  EXPECT_THAT(process->log(), HasSubstr("run chmod o-r on it"));
}

TEST_F(Guard, AddressesThatCannotBeHadAreOneLine) {
  const auto taken = ListeningSocket::open({"127.0.0.1", 0});
  ASSERT_TRUE(taken.ok());
  const std::string address = to_text(taken->address());
  expect_refusal({"--listen", address}, 1,
                 HasSubstr("cannot listen on " + address + ": address already in use"));
  expect_refusal({"--health-listen", address}, 1,
                 HasSubstr("cannot listen on " + address + ": address already in use"));
  // TEST-NET-1 of RFC 5737: nobody has such an address.
  expect_refusal({"--listen", "192.0.2.1:9810", "--insecure-listen", "true"}, 1,
                 HasSubstr("cannot listen on 192.0.2.1:9810: cannot assign requested address"));
  expect_refusal({"--listen", "no-such-host.invalid:9810", "--insecure-listen", "true"}, 1,
                 HasSubstr("no address is known of this name"));
  expect_refusal({"--listen", "[::]:9810"}, 64, HasSubstr("IPv6 addresses are not served"));
  expect_refusal({"--listen", "127.0.0.1:9810", "--health-listen", "*:9810"}, 64,
                 HasSubstr("are one address"));
}

}  // namespace
}  // namespace sconverge::test
