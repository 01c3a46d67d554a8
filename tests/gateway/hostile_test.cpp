// Whatever arrives, the answer is an envelope or an error in Google's form, and only what may reach
// Slurm does.
#include <nlohmann/json.hpp>

#include "tests/gateway/gateway_world.h"
#include "tests/support/dice.h"

namespace sconverge::test {
namespace {

using nlohmann::json;

struct HostileRequests : GatewayWorld {
  void expect_well_formed(const HttpAnswer& answer, const std::string& sent) {
    const json body = json::parse(answer.body, nullptr, false);
    ASSERT_TRUE(body.is_object()) << sent << "\n" << answer.body;
    if (answer.status == 200) {
      EXPECT_TRUE(body.contains("status") && body["status"].is_number_integer()) << sent;
      EXPECT_TRUE(body.contains("structuredBody") && body["structuredBody"].is_object()) << sent;
    } else {
      ASSERT_TRUE(body.size() == 1 && body.contains("error")) << sent << "\n" << answer.body;
      EXPECT_EQ(body["error"]["code"], answer.status) << sent;
      EXPECT_FALSE(body["error"]["message"].get<std::string>().empty()) << sent;
      EXPECT_FALSE(body["error"]["status"].get<std::string>().empty()) << sent;
    }
  }

  void expect_allowed(const std::vector<SlurmCall>& calls, const std::string& sent) {
    for (const SlurmCall& one : calls) {
      EXPECT_TRUE(one.path.starts_with("/slurm/v") || one.path.starts_with("/slurmdb/v")) << sent;
      EXPECT_EQ(one.path.substr(0, one.path.find('?')).find(".."), std::string::npos) << sent;
      for (const char c : one.path) EXPECT_TRUE(c > ' ' && c < 0x7F) << sent;
      if (one.method == HttpMethod::Get) continue;
      EXPECT_TRUE(one.path.starts_with("/slurm/v")) << sent;
      EXPECT_NE(one.path.find("/job/"), std::string::npos) << sent;
    }
  }
};

std::string mutated(std::string text, Dice& dice) {
  static const std::vector<std::string> pieces{"\"",
                                               "{",
                                               "}",
                                               "[",
                                               "]",
                                               ":",
                                               ",",
                                               "\\",
                                               "\\u0000",
                                               "/",
                                               "..",
                                               "%2f",
                                               "?",
                                               "#",
                                               "\n",
                                               "null",
                                               "1e999",
                                               "HTTP_METHOD_DELETE",
                                               "HTTP_METHOD_GET",
                                               "\"path\"",
                                               "\"body\":{},",
                                               "user_id",
                                               "/slurmdb/",
                                               "job/8",
                                               "\xFF",
                                               "\xC3",
                                               "0",
                                               "\xEF\xBB\xBF"};
  const int changes = dice.between(1, 4);
  for (int i = 0; i < changes; ++i) {
    const auto at = static_cast<std::size_t>(dice.between(0, static_cast<int>(text.size())));
    const auto length = static_cast<std::size_t>(dice.between(0, 12));
    if (dice.chance(0.4)) text.erase(at, length);
    if (dice.chance(0.5)) text.insert(std::min(at, text.size()), dice.one_of(pieces));
    if (dice.chance(0.2) && at < text.size()) text[at] = static_cast<char>(dice.between(0, 255));
    if (dice.chance(0.05)) text.insert(std::min(at, text.size()), text.substr(0, 40));
  }
  return text;
}

TEST_F(HostileRequests, MutatedOnesAreAnsweredInFormAndReachNothingForbidden) {
  const std::vector<std::string> seeds{
      R"({"method":"HTTP_METHOD_POST","path":"/slurm/v0.0.42/job/submit","body":{"job":{"name":"a"},"script":"#!/bin/sh\n"}})",
      R"({"method":"HTTP_METHOD_GET","path":"/slurm/v0.0.42/job/7"})",
      R"({"method":"HTTP_METHOD_DELETE","path":"/slurm/v0.0.42/job/7?signal=TERM"})",
      R"({"method":"HTTP_METHOD_POST","path":"/slurm/v0.0.42/job/7","body":{"comment":"x"}})",
      R"({"method":"HTTP_METHOD_GET","path":"/slurmdb/v0.0.42/jobs/?start_time=1","body":null})"};
  Dice dice(20261130);
  int passed = 0;
  for (int i = 0; i < 8'000; ++i) {
    const std::string sent = mutated(dice.one_of(seeds), dice);
    slurm.calls.clear();
    const HttpAnswer answer = send(sent);
    expect_well_formed(answer, sent);
    expect_allowed(slurm.calls, sent);
    if (answer.status == 200) ++passed;
    if (HasFailure()) return;
  }
  EXPECT_GT(passed, 80) << "the mutations are too wild to test anything";
}

TEST_F(HostileRequests, MutatedAnswersOfSlurmsAreEnvelopedInForm) {
  Dice dice(7);
  const std::string good =
      R"({"jobs":[{"job_id":7,"user_name":"alice","name":"caf\u00e9"}],"errors":[],"warnings":[]})";
  for (int i = 0; i < 2'000; ++i) {
    const std::string body = mutated(good, dice);
    slurm.answers["GET /slurm/v0.0.42/job/7"] = {SlurmSays{200, body}};
    expect_well_formed(call("GET", "/slurm/v0.0.42/job/7"), body);
    expect_well_formed(call("DELETE", "/slurm/v0.0.42/job/7"), body);
    if (HasFailure()) return;
  }
}

TEST_F(HostileRequests, MutatedUrlsAndHeadersNeverPass) {
  Dice dice(11);
  const std::string body = R"({"method":"HTTP_METHOD_GET","path":"/slurm/v0.0.42/job/7"})";
  for (int i = 0; i < 2'000; ++i) {
    HttpRequest bad = request(body);
    bad.path = mutated(kUrlPath, dice);
    if (bad.path == kUrlPath) continue;
    EXPECT_EQ(gateway().answer(bad).status, 404) << bad.path;
    bad = request(body);
    bad.authorization = mutated(bad.authorization, dice);
    if (bad.authorization == "Bearer " + kRunToken) continue;
    EXPECT_EQ(gateway().answer(bad).status, 401) << bad.authorization;
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace sconverge::test
