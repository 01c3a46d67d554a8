// Google credentials, from the file to a job: the real binary, Google's servers on the loopback, a
// gateway and a real Slurm.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/e2e/end_to_end.h"
#include "tests/e2e/front_door.h"

namespace sconverge::test {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

TimePoint now() { return std::chrono::floor<milliseconds>(std::chrono::system_clock::now()); }

class Credentials : public EndToEnd {
 protected:
  Credentials() {
    for (const char* flag : {"slurmrestd", "user", "token-file"}) flags_.erase(flag);
    flags_.merge(gateway_->controller_flags());
    flags_.erase("access-token-file");
    flags_["endpoint"] = door_.url();
    flags_["log-level"] = "debug";
    flags_["credentials"] = directory_ / "credentials.json";
  }
  ~Credentials() override { controller_.reset(); }  // before the door closes

  void credentials(const std::string& text) const {
    std::ofstream(directory_ / "credentials.json") << text;
  }

  GoogleServers google_{now};
  FrontDoor door_{*gateway_of_this(), &google_};

 private:
  GatewayProcess* gateway_of_this() {
    if (!gateway_) gateway_ = std::make_unique<GatewayProcess>(lab_, directory_ / "gateway");
    return gateway_.get();
  }
};

TEST_F(Credentials, OfAWorkloadIdentityThatActsAsAServiceAccountRunAJob) {
  std::ofstream(directory_ / "oidc") << google_.subject_token << "\n";
  credentials(google_.external_account(directory_ / "oidc"));
  write({"train", "exit 0"});
  start();
  ASSERT_TRUE(becomes("train", "Succeeded"));
  EXPECT_EQ(door_.refused, 0);
}

TEST_F(Credentials, OfAServiceAccountsKeyRunAJob) {
  credentials(google_.service_account());
  write({"train", "exit 0"});
  start();
  ASSERT_TRUE(becomes("train", "Succeeded"));
  EXPECT_EQ(door_.refused, 0);
}

TEST_F(Credentials, ThatExpireAllTheTimeSubmitEachSpecOnce) {
  google_.lifetime = seconds(2);
  flags_["service-account-flow"] = "jwtBearer";
  credentials(google_.service_account());
  std::vector<std::string> names;
  for (int i = 0; i < 6; ++i) names.push_back("job-" + std::to_string(i));
  for (const auto& name : names) write({name, "sleep 3"});
  start();
  for (const auto& name : names) ASSERT_TRUE(becomes(name, "Succeeded"));
  EXPECT_GT(google_.count("/token"), 1);
  for (const auto& name : names) EXPECT_THAT(queue_of(name), SizeIs(1)) << name;
}

TEST_F(Credentials, CheckTellsInASentenceWhatIsWrongWithThem) {
  const Ended none = verb({"check"});
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.err, HasSubstr(directory_ / "credentials.json"));
  credentials(R"({"type": "external_account_authorized_user"})");
  const Ended unsupported = verb({"check"});
  EXPECT_EQ(unsupported.code, 1);
  EXPECT_THAT(unsupported.err,
              AllOf(HasSubstr("external_account_authorized_user"), HasSubstr("service_account")));
}

TEST_F(Credentials, AndTokensScriptsAndEnvironmentsAreInNoLog) {
  std::ofstream(directory_ / "oidc") << google_.subject_token << "\n";
  credentials(google_.external_account(directory_ / "oidc"));
  write({"train", "# script-secret-4711\nexit 0", "", ""});
  std::string text = SpecText{"other", "exit 0"}.yaml();
  text.replace(text.find("{PATH: /bin:/usr/bin}"), 21,
               "{PATH: /bin, KEY: environment-secret-0815}");
  write("other.yaml", text);
  start();
  ASSERT_TRUE(becomes("train", "Succeeded"));
  ASSERT_TRUE(becomes("other", "Succeeded"));
  // Refusals are told, too.
  gateway_->accept_another_token();
  google_.subject_token = "eyJ-subject-token.second";
  ASSERT_TRUE(looks_again(2));

  std::vector<std::string> secrets = google_.secrets();
  secrets.insert(secrets.end(), {gateway_->token(), "script-secret", "environment-secret"});
  std::ifstream file(lab_.token_file());
  std::string slurm_token;
  file >> slurm_token;
  secrets.push_back(slurm_token);
  const std::string logs = controller_->log() + gateway_->log();
  ASSERT_THAT(logs, HasSubstr("train"));
  for (const auto& secret : secrets) {
    ASSERT_FALSE(secret.empty());
    EXPECT_EQ(logs.find(secret), std::string::npos) << "a secret is in a log";
  }
}

// The documented Python way.

TEST_F(Credentials, PythonsGoogleAuthSubmitsWatchesAndCancels) {
  credentials(google_.service_account());
  const std::string url = door_.url() + gateway_->call_url().substr(gateway_->url().size());
  const Ended ended =
      run({{"/usr/bin/python3", SCONVERGE_SOURCE_DIR "/tests/e2e/documented_calls.py", url, "main",
            "/home/alice"},
           std::vector<std::string>{
               "PATH=/bin:/usr/bin", "HOME=" + directory_.path(),
               "GOOGLE_APPLICATION_CREDENTIALS=" + (directory_ / "credentials.json")}});
  ASSERT_EQ(ended.code, 0) << ended.out << ended.err;
  const Json told = Json::parse(ended.out);
  EXPECT_GT(told.at("job").get<int>(), 0);
  // It may still be completing.
  EXPECT_THAT(told.at("cancelled").get<std::vector<std::string>>(), testing::Contains("CANCELLED"));
  EXPECT_EQ(door_.refused, 0);
  EXPECT_EQ(google_.count("/token"), 1);
}

}  // namespace
}  // namespace sconverge::test
