// Google's Slurm Job API as our gateway serves it before a real Slurm: the documented calls, made
// with the programs that people make them with.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/e2e/end_to_end.h"
#include "tests/e2e/front_door.h"

namespace sconverge::test {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// An answer to curl.
struct Called {
  int http{0};
  Json body{};

  [[nodiscard]] const Json& slurm() const { return body.at("structuredBody"); }
};

/// The job of Google's documentation.
Json documented_job(const std::string& script) {
  return {{"job",
           {{"name", "my-run"},
            {"partition", "main"},
            {"current_working_directory", "/home/alice"},
            {"minimum_nodes", 1},
            {"tasks_per_node", 1},
            {"environment", {"PATH=/bin:/usr/bin"}},
            {"time_limit", {{"set", true}, {"number", 120}}}}},
          {"script", script}};
}

class DocumentedCalls : public EndToEnd {
 protected:
  DocumentedCalls() {
    if (!gateway_) gateway_ = std::make_unique<GatewayProcess>(lab_, directory_ / "gateway");
  }

  void go_through_gateway() {
    for (const char* flag : {"slurmrestd", "user", "token-file"}) flags_.erase(flag);
    flags_.merge(gateway_->controller_flags());
  }

  Called curl(const std::string& envelope) const {
    const std::string file = directory_ / "envelope.json";
    std::ofstream(file) << envelope;
    const Ended ended =
        run({{"/usr/bin/curl", "-sS", "-X", "POST", "-H",
              "Authorization: Bearer " + gateway_->token(), "-H", "Content-Type: application/json",
              gateway_->call_url(), "-d", "@" + file, "-w", "\n%{http_code}"}});
    const auto line = ended.out.rfind('\n');
    if (ended.code != 0 || line == std::string::npos) {
      ADD_FAILURE() << "curl: " << ended.code << " " << ended.err;
      return {};
    }
    return {std::atoi(ended.out.c_str() + line + 1),
            Json::parse(ended.out.substr(0, line), nullptr, false)};
  }
  Called call(const std::string& method, const std::string& path) const {
    return curl(Json{{"method", "HTTP_METHOD_" + method}, {"path", path}}.dump());
  }
  Called submit(const std::string& script) const {
    return curl(Json{{"method", "HTTP_METHOD_POST"},
                     {"path", "/slurm/v0.0.42/job/submit"},
                     {"body", documented_job(script)}}
                    .dump());
  }

  std::vector<std::string> states(const std::string& job) const {
    const Called called = call("GET", "/slurm/v0.0.42/job/" + job);
    return called.slurm().at("jobs").at(0).at("job_state").get<std::vector<std::string>>();
  }
  bool comes_to(const std::string& job, const std::string& state) {
    return wait_until([&] { return states(job) == std::vector<std::string>{state}; });
  }
};

TEST_F(DocumentedCalls, SubmitIsAnsweredWithTheJobsId) {
  const Called called = submit("#!/bin/bash\necho hello\nsleep 5\necho done\n");
  EXPECT_EQ(called.http, 200);
  EXPECT_EQ(called.body.at("status"), 200);
  EXPECT_GT(called.slurm().at("job_id").get<int>(), 0);
  EXPECT_THAT(called.slurm().at("errors"), IsEmpty());
}

TEST_F(DocumentedCalls, JobIsWatchedToItsEndListedAndFoundInAccountingAfterwards) {
  const Called submitted = submit("#!/bin/bash\necho hello\nsleep 2\necho done\n");
  const auto id = submitted.slurm().at("job_id").get<int>();
  const std::string job = std::to_string(id);

  const Called list = call("GET", "/slurm/v0.0.42/jobs/");
  ASSERT_EQ(list.body.at("status"), 200);
  std::vector<int> listed;
  for (const auto& row : list.slurm().at("jobs")) listed.push_back(row.at("job_id"));
  EXPECT_THAT(listed, Contains(id));

  ASSERT_TRUE(comes_to(job, "COMPLETED"));
  ASSERT_TRUE(wait_until([&] {
    const Called ended = call("GET", "/slurmdb/v0.0.42/job/" + job);
    const Json& jobs = ended.slurm().at("jobs");
    return !jobs.empty() && jobs.at(0).at("state").at("current") == Json{"COMPLETED"};
  }));
}

TEST_F(DocumentedCalls, RunningJobIsCancelledAndAFinishedOneSafelyToo) {
  const std::string job =
      std::to_string(submit("#!/bin/bash\nsleep 300\n").slurm().at("job_id").get<int>());
  for (int i = 0; i < 2; ++i) {
    const Called cancelled = call("DELETE", "/slurm/v0.0.42/job/" + job);
    EXPECT_EQ(cancelled.http, 200);
    EXPECT_EQ(cancelled.body.at("status"), 200);
    EXPECT_THAT(cancelled.slurm().at("errors"), IsEmpty());
    ASSERT_TRUE(comes_to(job, "CANCELLED"));
  }
}

TEST_F(DocumentedCalls, MalformedCallsAreInvalidArguments) {
  for (const std::string& envelope :
       {std::string("{"), std::string(R"({"method":"GET","path":"/slurm/v0.0.42/jobs/"})"),
        std::string(R"({"method":"HTTP_METHOD_GET","path":"/etc/passwd"})"),
        std::string(R"({"method":"HTTP_METHOD_POST","path":"/slurm/v0.0.42/job/submit"})")}) {
    const Called called = curl(envelope);
    EXPECT_EQ(called.http, 400) << envelope;
    EXPECT_EQ(called.body.at("error").at("code"), 400) << envelope;
    EXPECT_EQ(called.body.at("error").at("status"), "INVALID_ARGUMENT") << envelope;
    EXPECT_FALSE(called.body.at("error").at("message").get<std::string>().empty()) << envelope;
  }
}

TEST_F(DocumentedCalls, CallOfAMegabyteIsAnInvalidArgumentThatTellsTheWayOut) {
  const Called called = submit("#!/bin/bash\n# " + std::string(1'100'000, 'x') + "\n");
  EXPECT_EQ(called.http, 400);
  EXPECT_EQ(called.body.at("error").at("status"), "INVALID_ARGUMENT");
  EXPECT_THAT(called.body.at("error").at("message").get<std::string>(), HasSubstr("script"));
}

TEST_F(DocumentedCalls, JobOfSomebodyElseIsNotCancelled) {
  const std::string job = lab_.exec("bob", {"sbatch", "--parsable", "--hold", "--chdir", "/tmp",
                                            "--output", "/dev/null", "--wrap", "sleep 1"});
  const Called called = call("DELETE", "/slurm/v0.0.42/job/" + job);
  EXPECT_EQ(called.http, 403);
  EXPECT_EQ(called.body.at("error").at("status"), "PERMISSION_DENIED");
  EXPECT_THAT(lab_.exec("root", {"squeue", "--noheader", "--format=%T", "--jobs=" + job}),
              "PENDING");
  lab_.exec("root", {"scancel", job});
}

// People who use sconverge.

TEST_F(DocumentedCalls, ApiVerbPrintsWhatSlurmAnswers) {
  const auto flags = gateway_->controller_flags();
  const auto api = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "api");
    for (const auto& [flag, value] : flags) {
      words.push_back("--" + flag);
      words.push_back(value);
    }
    return sconverge(words);
  };
  const std::string file = directory_ / "job.json";
  std::ofstream(file) << documented_job("#!/bin/bash\nsleep 300\n");
  const Ended submitted = api({"POST", "/slurm/v0.0.42/job/submit", "@" + file});
  ASSERT_EQ(submitted.code, 0) << submitted.err;
  const std::string job = std::to_string(Json::parse(submitted.out).at("job_id").get<int>());
  EXPECT_EQ(api({"DELETE", "/slurm/v0.0.42/job/" + job}).code, 0);
  const Ended missing = api({"GET", "/slurm/v0.0.42/job/4000000"});
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.err, HasSubstr("Slurm answered HTTP 404"));
  EXPECT_THAT(missing.out, HasSubstr("2017"));
  const Ended no_path = api({"GET", "/nonsense"});
  EXPECT_EQ(no_path.code, 1);
  EXPECT_THAT(no_path.err, AllOf(HasSubstr("INVALID_ARGUMENT"), Not(HasSubstr("Slurm answered"))));
  EXPECT_EQ(no_path.out, "");
}

TEST_F(DocumentedCalls, CheckExplainsATokenThatIsNotAccepted) {
  auto flags = gateway_->controller_flags();
  std::ofstream(directory_ / "wrong") << "not-the-token-it-wants";
  flags["access-token-file"] = directory_ / "wrong";
  std::vector<std::string> words{"check"};
  for (const auto& [flag, value] : flags) {
    words.push_back("--" + flag);
    words.push_back(value);
  }
  const Ended check = sconverge(words);
  EXPECT_EQ(check.code, 1);
  EXPECT_THAT(check.err, AllOf(HasSubstr("does not accept the token"), HasSubstr("UNAUTHENTICATED"),
                               Not(HasSubstr("not-the-token"))));
}

// Faults between the controller and the gateway.

class GatewayFaults : public DocumentedCalls {
 protected:
  GatewayFaults() { go_through_gateway(); }
};

TEST_F(GatewayFaults, LostAnswerToAnAcceptedSubmitLeavesOneJob) {
  FrontDoor door(*gateway_);
  door.answers_to_lose = 1;
  flags_["endpoint"] = door.url();
  write({"train", gate("end")});
  start();
  ASSERT_TRUE(becomes("train", "Running"));
  ASSERT_TRUE(looks_again(8));
  EXPECT_EQ(door.answers_to_lose, 0);
  EXPECT_EQ(door.submits, 1);
  open("end");
  ASSERT_TRUE(becomes("train", "Succeeded"));
  ASSERT_TRUE(looks_again());
  EXPECT_THAT(queue_of("train"), SizeIs(1));
  controller_.reset();  // before the door closes
}

TEST_F(GatewayFaults, KillAndRestartWhileJobsConvergeLeavesOneJobEach) {
  std::vector<std::string> names;
  for (int i = 0; i < 12; ++i) names.push_back("job-" + std::to_string(i));
  for (const auto& name : names) write({name, "exit 0"});
  start();
  ASSERT_TRUE(comes_true([&] { return !queue().empty(); }));
  gateway_->kill();
  write({"later", "exit 0"});
  ASSERT_TRUE(comes_true([&] { return !cluster().error.empty(); }));
  gateway_->start();
  names.emplace_back("later");
  for (const auto& name : names) ASSERT_TRUE(becomes(name, "Succeeded"));
  ASSERT_TRUE(looks_again());
  for (const auto& name : names) EXPECT_THAT(queue_of(name), SizeIs(1)) << name;
}

TEST_F(GatewayFaults, StopEndsItOrderlyWithinTheRequestTimeout) { EXPECT_EQ(gateway_->stop(), 0); }

}  // namespace
}  // namespace sconverge::test
