#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "controller/google/credentials.h"
#include "controller/http/http_client.h"
#include "tests/support/fake_clock.h"
#include "tests/support/google_servers.h"
#include "tests/support/json_edit.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {

/// Google's servers on the loopback, our HTTP client, and clocks that move when told. No file of
/// credentials is there, and no metadata server but where a test says so.
class GoogleWorld : public testing::Test {
 protected:
  GoogleWorld() {
    options_.steady_now = [this] { return steady_; };
    options_.sleep = [this](milliseconds pause) {
      pauses_.push_back(pause);
      pass(pause);
    };
    options_.chance = [] { return 0.5; };
    options_.user_token_url = servers_.token_url();
    options_.variables["NO_GCE_CHECK"] = "true";
  }

  /// Time, for us and for the servers.
  void pass(milliseconds time) {
    clock_.advance(time);
    steady_ += time;
  }

  std::string write(const std::string& name, const std::string& text) {
    const std::string path = directory_ / name;
    std::ofstream(path) << text;
    return path;
  }

  /// With the credentials in a file of this text.
  std::unique_ptr<AccessTokens> tokens_of(const std::string& text) {
    options_.file = write("credentials.json", text);
    return tokens();
  }
  std::unique_ptr<AccessTokens> tokens() {
    return make_google_credentials(options_, http_, clock_);
  }

  /// What is said when there is no token.
  static std::string message_of(AccessTokens& tokens) {
    const auto token = tokens.current();
    return token ? "a token" : token.error().message;
  }
  /// Whom an API takes us for; else what is said.
  std::string principal_of(AccessTokens& tokens) {
    const auto token = tokens.current();
    if (!token) return token.error().message;
    const auto whose = servers_.whose(token->text);
    return whose ? whose->principal : "nobody";
  }

  TempDirectory directory_{};
  FakeClock clock_{};
  GoogleServers servers_{[this] { return clock_.world(); }};
  std::chrono::steady_clock::time_point steady_{std::chrono::hours{1}};
  std::vector<milliseconds> pauses_{};
  CredentialOptions options_{};
  std::shared_ptr<HttpClient> http_{*make_http_client({})};
};

}  // namespace sconverge::test
