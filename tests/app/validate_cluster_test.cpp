// `validate --cluster`, against an HTTP server that gives the recorded answers of a real
// slurmrestd.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "controller/app/exit_code.h"
#include "tests/app/console_world.h"
#include "tests/support/stub_http_server.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string recorded(const std::string& name) {
  const std::ifstream file(SCONVERGE_SOURCE_DIR "/tests/data/slurmrestd/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct ValidateCluster : testing::Test, ConsoleWorld {
  bool has_openapi{true};

  ValidateCluster() {
    write("token", "secret");
    write("sconverge.yaml",
          "clusters:\n  lab: {slurmrestd: {url: '" + server_.url() +
              "', user: alice, tokenFile: token}}\n"
              "  other: {slurmrestd: {url: 'http://127.0.0.1:1', user: alice, tokenFile: token}}\n"
              "defaultCluster: lab\n");
  }

  void declare(const std::string& job, const std::string& cluster = "") const {
    write("jobs/train.yaml",
          "apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: train}\nspec:\n" +
              (cluster.empty() ? "" : "  cluster: " + cluster + "\n") + "  job: {" + job +
              "}\n  script: |\n    #!/bin/sh\n");
  }
  int validate(const std::string& cluster) {
    return type(
        {"validate", specs(), "--cluster", cluster, "--config", directory / "sconverge.yaml"});
  }

 private:
  StubAnswer answer(const std::string& path) const {
    if (path == "/openapi/v3" && has_openapi) return {.body = recorded("openapi.json")};
    if (path == "/slurm/v0.0.42/ping/") return {.body = recorded("ping.json")};
    for (const std::string name : {"partitions", "nodes", "licenses", "reservations"}) {
      if (path == "/slurm/v0.0.42/" + name + "/") return {.body = recorded(name + ".json")};
    }
    if (path == "/slurmdb/v0.0.42/associations/") return {.body = recorded("associations.json")};
    if (path == "/slurmdb/v0.0.42/qos/") return {.body = recorded("qos.json")};
    return {.status = 404, .body = recorded("version_not_served_404.txt"), .type = "text/plain"};
  }

  StubHttpServer server_{[this](const StubRequest& request) { return answer(request.path); }};
};

TEST_F(ValidateCluster, TellsWhatTheClusterWouldRefuseOrNeverStart) {
  declare("partition: debug, time_limit: 2h, account: lap");
  EXPECT_EQ(validate("lab"), static_cast<int>(ExitCode::Invalid));
  EXPECT_THAT(out.str(),
              AllOf(HasSubstr("train.yaml:1: job.time_limit: partition debug allows"),
                    HasSubstr("job.account: \"lap\" is no account"), HasSubstr("2 problems")));
}

TEST_F(ValidateCluster, IsContentWithWhatFits) {
  declare("partition: debug, time_limit: 1h, account: lab, qos: normal");
  EXPECT_EQ(validate("lab"), static_cast<int>(ExitCode::Ok)) << out.str() << err.str();
  EXPECT_EQ(err.str(), "");
}

TEST_F(ValidateCluster, TellsWhatTheClusterDoesNotHaveAtTheLineOfTheDirective) {
  write("jobs/train.sbatch",
        "#!/bin/sh\n#SCONVERGE --name=train\n#SBATCH -C rack3 -w n99\n#SBATCH --gres=gpu:two\n"
        "#SBATCH -L matlab:5\n#SBATCH --reservation=nowhere\n#SBATCH --deadline=2020-01-01\n"
        "true\n");
  EXPECT_EQ(validate("lab"), static_cast<int>(ExitCode::Invalid));
  for (const char* told :
       {"train.sbatch:3: job.constraints: no node has the feature \"rack3\" (did you mean rack1?)",
        "train.sbatch:3: job.required_nodes: this cluster has no node \"n99\"",
        "train.sbatch:4: job.tres_per_node: no node has gpu of the type \"two\"",
        "train.sbatch:5: job.licenses: this cluster has 4 of \"matlab\"",
        "train.sbatch:6: job.reservation: this cluster has no reservation \"nowhere\"",
        "train.sbatch:7: job.deadline: the deadline is past", "6 problems"}) {
    EXPECT_THAT(out.str(), HasSubstr(told));
  }
}

TEST_F(ValidateCluster, LeavesSpecsOfOtherClustersAlone) {
  declare("partition: nowhere", "other");
  EXPECT_EQ(validate("lab"), static_cast<int>(ExitCode::Ok)) << out.str();
}

TEST_F(ValidateCluster, SaysWhatTheClusterDoesNotTell) {
  has_openapi = false;
  declare("partition: debug");
  EXPECT_EQ(validate("lab"), static_cast<int>(ExitCode::Ok));
  EXPECT_THAT(err.str(), HasSubstr("cluster lab does not tell the fields of its API"));
}

TEST_F(ValidateCluster, WithoutAnAnswerIsNoSuccess) {
  declare("partition: debug", "other");
  EXPECT_EQ(validate("other"), static_cast<int>(ExitCode::SlurmUnreachable));
  EXPECT_THAT(err.str(), HasSubstr("nobody listens"));
  EXPECT_EQ(validate("nope"), static_cast<int>(ExitCode::Error));
  EXPECT_THAT(err.str(), HasSubstr("no such cluster"));
}

TEST_F(ValidateCluster, TellsTheFilesOwnProblemsTogetherWithTheClusters) {
  write("jobs/broken.yaml", "apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: b}\nspec: {}\n");
  declare("partition: mian");
  EXPECT_EQ(validate("lab"), static_cast<int>(ExitCode::Invalid));
  EXPECT_THAT(out.str(), AllOf(HasSubstr("broken.yaml"), HasSubstr("did you mean main?")));
}

}  // namespace
}  // namespace sconverge::test
