// The servers that our tests trust must take what Google's own library sends. google-auth is run
// against them where Debian's version (1.5) knows the credentials; of what only newer ones know,
// the requests of google-auth 2.48 were recorded and are sent again here. To record anew:
//   SCONVERGE_ACCEPT=1 SCONVERGE_GOOGLE_AUTH_PYTHON=PYTHON google_test --gtest_filter='Recorded*'
// where PYTHON has that version and requests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "controller/http/http_client.h"
#include "tests/support/google_servers.h"
#include "tests/support/json_edit.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {
namespace {

using nlohmann::json;
using testing::SizeIs;

constexpr const char* kFolder = SCONVERGE_SOURCE_DIR "/tests/google/";

std::string variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

class GoogleAuth : public testing::Test {
 protected:
  /// What the library prints, or fails with.
  static std::string run(const std::string& arguments, const std::string& variables = "") {
    const std::string command = variables + " " +
                                variable("SCONVERGE_GOOGLE_AUTH_PYTHON", "/usr/bin/python3") + " " +
                                kFolder + "google_auth.py " + arguments + " 2>&1";
    FILE* output = popen(command.c_str(), "r");  // NOLINT(cert-env33-c): words of our own only
    if (output == nullptr) return "cannot be run";
    std::string text;
    std::array<char, 4096> buffer{};
    while (fgets(buffer.data(), buffer.size(), output) != nullptr) text += buffer.data();
    pclose(output);
    return text.substr(0, text.find_last_not_of('\n') + 1);
  }
  std::string write(const std::string& text) {
    const std::string path = directory_ / "credentials.json";
    std::ofstream(path) << text;
    return path;
  }
  std::string principal_of(const std::string& token) {
    const auto whose = servers_.whose(token);
    return whose ? whose->principal : token;
  }

  TempDirectory directory_{};
  GoogleServers servers_{
      [] { return std::chrono::floor<milliseconds>(std::chrono::system_clock::now()); }};
};

TEST_F(GoogleAuth, GetsATokenForAServiceAccountsKey) {
  EXPECT_EQ(principal_of(run("key " + write(servers_.service_account()))), GoogleServers::kAccount);
  EXPECT_EQ(servers_.count("/token"), 1);
}

TEST_F(GoogleAuth, GetsATokenForAUser) {
  EXPECT_EQ(
      principal_of(run("user " + write(servers_.authorized_user()) + " " + servers_.token_url())),
      GoogleServers::kUser);
}

TEST_F(GoogleAuth, GetsATokenForAMachine) {
  EXPECT_EQ(principal_of(run("metadata", "GCE_METADATA_ROOT=" + servers_.metadata_host())),
            GoogleServers::kMachine);
}

/// Credentials that only newer versions know.
struct Recording {
  const char* name;
  std::string (*credentials)(const GoogleServers& servers, const std::string& subject_file);
  const char* principal;
  std::size_t requests;
};

std::string with_impersonation(const GoogleServers& servers, const std::string& account) {
  return edited_text(account, "/service_account_impersonation_url",
                     servers.impersonation_url(GoogleServers::kTarget));
}

const Recording kRecordings[] = {
    {"external_account_file",
     [](const GoogleServers& servers, const std::string& file) {
       return servers.external_account(file);
     },
     GoogleServers::kWorkload, 1},
    {"external_account_file_impersonating",
     [](const GoogleServers& servers, const std::string& file) {
       return with_impersonation(servers, servers.external_account(file));
     },
     GoogleServers::kTarget, 2},
    {"external_account_url_impersonating",
     [](const GoogleServers& servers, const std::string&) {
       return with_impersonation(servers, servers.external_account_of_url());
     },
     GoogleServers::kTarget, 3},
    {"external_account_client",
     [](const GoogleServers& servers, const std::string& file) {
       return servers.external_account(file);
     },
     GoogleServers::kWorkload, 1},
    {"external_account_workforce",
     [](const GoogleServers& servers, const std::string& file) {
       return edited_text(edited_text(servers.external_account(file), "/audience",
                                      GoogleServers::kWorkforceAudience),
                          "/workforce_pool_user_project", "user-project");
     },
     GoogleServers::kWorkload, 1},
};

class Recorded : public GoogleAuth, public testing::WithParamInterface<Recording> {
 protected:
  Recorded() { servers_.needs_client = std::string_view(GetParam().name).ends_with("_client"); }
  static std::string file() {
    return std::string(SCONVERGE_SOURCE_DIR "/tests/data/google/google_auth_2_48_") +
           GetParam().name + ".json";
  }
  /// Runs the library itself and keeps what it sends.
  void record() {
    const std::string subject_file = directory_ / "token";
    std::ofstream(subject_file) << servers_.subject_token;
    const std::string token =
        run("workload " + write(GetParam().credentials(servers_, subject_file)));
    ASSERT_EQ(principal_of(token), GetParam().principal);
    json kept = json::array();
    const std::set<std::string> kDropped{"host", "content-length", "connection", "user-agent",
                                         "accept-encoding"};
    for (const StubRequest& request : servers_.requests()) {
      json headers = json::object();
      for (const auto& [name, value] : request.headers) {
        if (!kDropped.contains(name)) headers[name] = value;
      }
      kept.push_back({{"method", request.method},
                      {"path", request.path},
                      {"headers", headers},
                      {"body", request.body}});
    }
    std::ofstream(file()) << kept.dump(2) << "\n";
  }
};

TEST_P(Recorded, RequestsOfANewerVersionAreTaken) {
  if (variable("SCONVERGE_ACCEPT", "") == "1") return record();
  std::ifstream text(file());
  const json recorded = json::parse(text, nullptr, false);
  ASSERT_TRUE(recorded.is_array()) << file();
  ASSERT_THAT(recorded, SizeIs(GetParam().requests));
  const auto http = make_http_client({});
  ASSERT_THAT(http, Works());
  std::string last;
  for (const json& request : recorded) {
    HttpCall call;
    call.method = request["method"] == "POST" ? HttpMethod::Post : HttpMethod::Get;
    call.url = servers_.url() + request["path"].get<std::string>();
    call.headers = request["headers"].get<std::map<std::string, std::string>>();
    call.body = request["body"].get<std::string>();
    const auto reply = exchange_whole(**http, call, 100'000);
    ASSERT_THAT(reply, Works());
    ASSERT_EQ(reply->head.status, 200) << reply->body;
    last = reply->body;
  }
  const json answer = json::parse(last);
  const bool impersonated = answer.contains("accessToken");
  EXPECT_EQ(principal_of(answer[impersonated ? "accessToken" : "access_token"].get<std::string>()),
            GetParam().principal);
}

INSTANTIATE_TEST_SUITE_P(ExternalAccounts, Recorded, testing::ValuesIn(kRecordings),
                         [](const auto& one) {
                           std::string name;
                           for (const char c : std::string_view(one.param.name)) {
                             if (c != '_') name.push_back(c);
                           }
                           return name;
                         });

}  // namespace
}  // namespace sconverge::test
