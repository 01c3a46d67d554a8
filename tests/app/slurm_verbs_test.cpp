// The verbs that speak to Slurm, up to the wire: against an HTTP server that behaves as a small,
// quick slurmrestd does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "controller/app/exit_code.h"
#include "controller/app/system_clock.h"
#include "tests/app/console_world.h"
#include "tests/support/stub_http_server.h"

namespace sconverge::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

/// Serves v0.0.42 and ends every job at once.
class QuickSlurm {
 public:
  [[nodiscard]] std::string url() const { return server_.url(); }
  [[nodiscard]] std::vector<json> submitted() const {
    const std::lock_guard guard(mutex_);
    return submitted_;
  }
  void end_jobs_with(int exit_code) { exit_code_ = exit_code; }
  void refuse_tokens() { refuses_tokens_ = true; }

 private:
  StubAnswer answer(const StubRequest& request) {
    const std::lock_guard guard(mutex_);
    if (!request.path.starts_with("/slurm/v0.0.42/")) {
      return {.status = 404, .body = "Unable find requested URL", .type = "text/plain"};
    }
    json body{{"errors", json::array()}, {"warnings", json::array()}};
    body["meta"]["slurm"] = {{"release", "24.11.5"}, {"cluster", "lab"}};
    const std::string path = request.path.substr(std::string("/slurm/v0.0.42/").size());
    if (path.starts_with("ping")) {
      body["pings"] = {{{"pinged", "UP"}, {"responding", true}}};
    } else if (refuses_tokens_) {
      body["errors"] = {{{"error_number", 1007}, {"error", "Protocol authentication error"}}};
      return {.status = 511, .body = body.dump()};
    } else if (path.starts_with("jobs/state")) {
      body["jobs"] = json::array();
      for (const json& job : jobs_) {
        body["jobs"].push_back(
            {{"job_id", std::to_string(job["job_id"].get<int>())}, {"state", job["job_state"]}});
      }
    } else if (path.starts_with("jobs")) {
      body["jobs"] = jobs_;
    } else if (path.starts_with("job/submit")) {
      body["job_id"] = take(json::parse(request.body));
    } else if (path.starts_with("job/")) {
      const auto id = static_cast<std::size_t>(std::stoi(path.substr(std::string("job/").size())));
      body["jobs"] = json::array({jobs_.at(id - 1)});
    } else if (path.starts_with("diag")) {
      body["statistics"] = json::object();
    }
    return {.body = body.dump()};
  }

  int take(const json& submission) {
    submitted_.push_back(submission);
    const int id = static_cast<int>(submitted_.size());
    const auto set = [](std::int64_t number) {
      return json{{"set", true}, {"infinite", false}, {"number", number}};
    };
    jobs_.push_back({{"job_id", id},
                     {"name", submission["job"]["name"]},
                     {"user_name", "alice"},
                     {"comment", submission["job"]["comment"]},
                     {"job_state", {exit_code_ == 0 ? "COMPLETED" : "FAILED"}},
                     {"exit_code", {{"return_code", set(exit_code_)}}},
                     {"submit_time", set(1796026447)},
                     {"restart_cnt", 0}});
    return id;
  }

  mutable std::mutex mutex_{};
  std::vector<json> submitted_{};
  json jobs_ = json::array();
  std::atomic<int> exit_code_{0};
  std::atomic<bool> refuses_tokens_{false};
  StubHttpServer server_{[this](const StubRequest& request) { return answer(request); }};
};

struct SlurmVerbsTest : testing::Test, ConsoleWorld {
  QuickSlurm slurm{};
  std::string url = slurm.url();
  SystemClock system_clock{};

  SlurmVerbsTest() {
    console.variables["SLURM_JWT"] = "s3cret";
    ::setenv("SLURM_JWT", "s3cret", 1);
    declare("train");
  }
  ~SlurmVerbsTest() override { ::unsetenv("SLURM_JWT"); }

  void declare(const std::string& name) const {
    write("jobs/" + name + ".yaml",
          "apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: " + name +
              "}\nspec:\n  job: {partition: main}\n  script: |\n    #!/bin/sh\n    true\n");
  }
  int go(std::vector<std::string> arguments) {
    if (arguments[0] != "check") arguments.insert(arguments.end(), {"--specs", specs()});
    arguments.insert(arguments.end(), {"--state", state(), "--slurmrestd", url, "--user", "alice"});
    return type(arguments);
  }
  /// With a clock that goes on by itself.
  int wait_for(std::vector<std::string> arguments) {
    out.str("");
    err.str("");
    arguments.insert(arguments.end(), {"--specs", specs(), "--state", state(), "--slurmrestd", url,
                                       "--user", "alice", "--interval", "100ms"});
    return run_cli(arguments, {in, out, err, system_clock, false, false, false, console.variables});
  }
};

TEST_F(SlurmVerbsTest, PlanShowsWhatAFirstStartWouldDoAndLeavesNothingBehind) {
  EXPECT_EQ(go({"plan"}), 0) << err.str();
  EXPECT_THAT(out.str(), AllOf(HasSubstr("+ submit default/train\n"), HasSubstr("(default)"),
                               HasSubstr("Plan: 1 to submit")));
  EXPECT_THAT(slurm.submitted(), SizeIs(0));
  EXPECT_FALSE(std::filesystem::exists(state()));
}

TEST_F(SlurmVerbsTest, PlanTellsChangesByItsExitCodeOnlyWhenAsked) {
  EXPECT_EQ(go({"plan", "--detailed-exitcode"}), 2);
  EXPECT_EQ(go({"apply", "--once"}), 0) << err.str();
  EXPECT_EQ(go({"plan", "--detailed-exitcode"}), 0);
  EXPECT_THAT(out.str(), HasSubstr("No changes"));
}

TEST_F(SlurmVerbsTest, PlanGivesItselfAsData) {
  EXPECT_EQ(go({"plan", "-o", "json"}), 0);
  const json plan = json::parse(out.str());
  EXPECT_EQ(plan["clusters"][0]["actions"][0]["action"], "submit");
  EXPECT_EQ(plan["clusters"][0]["actions"][0]["name"], "train");
}

TEST_F(SlurmVerbsTest, PlanRefusesInvalidSpecs) {
  write("jobs/bad.yaml", "a: b: c\n");
  EXPECT_EQ(go({"plan"}), 3);
  EXPECT_THAT(out.str(), HasSubstr("! refused: bad.yaml:1:"));
}

TEST_F(SlurmVerbsTest, ApplyOnceSubmitsAndSaysSo) {
  EXPECT_EQ(go({"apply", "--once"}), 0) << err.str();
  ASSERT_THAT(slurm.submitted(), SizeIs(1));
  EXPECT_EQ(slurm.submitted()[0]["job"]["partition"], "main");
  EXPECT_THAT(out.str(), HasSubstr("default/train: Pending (Queued), job 1\n"));
  EXPECT_THAT(out.str() + err.str(), Not(HasSubstr("s3cret")));
}

TEST_F(SlurmVerbsTest, ApplyWaitsUntilEveryJobHasSucceeded) {
  declare("other");
  EXPECT_EQ(wait_for({"apply", "--once", "--wait", "--timeout", "60s"}), 0) << err.str();
  EXPECT_THAT(out.str(), AllOf(HasSubstr("default/train: Succeeded (Completed)"),
                               HasSubstr("default/other: Succeeded (Completed)"),
                               HasSubstr("cluster default: 2/2 settled\n")));
  EXPECT_THAT(slurm.submitted(), SizeIs(2));
}

TEST_F(SlurmVerbsTest, ApplyWaitTellsJobsThatDidNotSucceed) {
  slurm.end_jobs_with(7);
  EXPECT_EQ(wait_for({"apply", "--once", "--wait", "--timeout", "60s"}), 1);
  EXPECT_THAT(err.str(), HasSubstr("default/train Failed (NonZeroExitCode)"));
}

TEST_F(SlurmVerbsTest, ApplyWaitGivesUpInTime) {
  write("jobs/train.yaml",
        "apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: train}\nspec:\n  cluster: default\n"
        "  job: {partition: main}\n  script: |\n    #!/bin/sh\n");
  std::filesystem::rename(specs(), directory / "moved");
  EXPECT_EQ(wait_for({"apply", "--once", "--wait", "--timeout", "300ms"}), 5);
  EXPECT_THAT(err.str(), AllOf(HasSubstr("cannot be read whole"),
                               HasSubstr("not everything stands still in time")));
}

TEST_F(SlurmVerbsTest, ApplyDoesNotRunBesideAController) {
  const auto lock = lock_state(state());
  EXPECT_EQ(go({"apply", "--once"}), 1);
  EXPECT_THAT(err.str(), HasSubstr("is in use by process"));
  EXPECT_THAT(slurm.submitted(), SizeIs(0));
}

TEST_F(SlurmVerbsTest, PlanLooksBesideAController) {
  const auto lock = lock_state(state());
  EXPECT_EQ(go({"plan"}), 0) << err.str();
}

TEST_F(SlurmVerbsTest, TellsWhichAddressDoesNotAnswer) {
  url = url_nobody_listens_on();
  for (const std::vector<std::string>& verb :
       {std::vector<std::string>{"check"}, {"plan"}, {"apply", "--once"}}) {
    EXPECT_EQ(go(verb), 7) << verb[0];
    EXPECT_THAT(err.str(), HasSubstr(url)) << verb[0];
  }
}

TEST_F(SlurmVerbsTest, TellsRefusedCredentialsFromAnUnreachableSlurm) {
  slurm.refuse_tokens();
  for (const std::vector<std::string>& verb :
       {std::vector<std::string>{"check"}, {"plan"}, {"apply", "--once"}}) {
    EXPECT_EQ(go(verb), 1) << verb[0] << err.str();
    EXPECT_THAT(err.str(), Not(HasSubstr("s3cret"))) << verb[0];
  }
}

TEST_F(SlurmVerbsTest, CheckTellsWhatItFound) {
  EXPECT_EQ(go({"check"}), 0) << err.str();
  EXPECT_THAT(out.str(), AllOf(HasSubstr("default:  can be used"), HasSubstr(url),
                               HasSubstr("24.11.5, API v0.0.42"), HasSubstr("alice")));
  EXPECT_THAT(err.str(), HasSubstr("accounting does not answer"));
  EXPECT_EQ(go({"check", "-o", "json"}), 0);
  EXPECT_EQ(json::parse(out.str())["clusters"][0]["slurmVersion"], "24.11.5");
}

TEST_F(SlurmVerbsTest, RunSaysInOneLineThatItsPortIsInUse) {
  const std::string address = url.substr(std::string("http://").size());
  EXPECT_EQ(go({"run", "--listen", address}), 1);
  EXPECT_EQ(err.str(), "sconverge: cannot listen on " + address + ": address already in use\n");
}

TEST_F(SlurmVerbsTest, RefusesTheStateOfAnotherControllerId) {
  EXPECT_EQ(go({"apply", "--once", "--controller-id", "prod"}), 0) << err.str();
  EXPECT_EQ(go({"apply", "--once"}), 0) << err.str();  // the kept one
  EXPECT_EQ(go({"apply", "--once", "--controller-id", "test"}), 1);
  EXPECT_THAT(err.str(), HasSubstr("belongs to controller prod, not test"));
}

TEST_F(SlurmVerbsTest, MarksJobsWithTheControllerId) {
  EXPECT_EQ(go({"apply", "--once", "--controller-id", "prod"}), 0);
  EXPECT_THAT(slurm.submitted()[0]["job"]["comment"].get<std::string>(), HasSubstr("c=prod"));
}

}  // namespace
}  // namespace sconverge::test
