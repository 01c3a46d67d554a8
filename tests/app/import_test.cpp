// `import`, up to the wire: against an HTTP server that gives the recorded answers of a real
// slurmrestd.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/app/exit_code.h"
#include "specs/read.h"
#include "tests/app/console_world.h"
#include "tests/support/stub_http_server.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string recorded(const std::string& name) {
  const std::ifstream file(SCONVERGE_SOURCE_DIR "/tests/data/slurmrestd/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

JobSpec only_spec(const std::string& text, const std::string& file) {
  SpecFile read = read_spec_file(text, file, {});
  for (const Problem& problem : read.problems) ADD_FAILURE() << to_text(problem) << "\n" << text;
  return read.specs.size() == 1 ? read.specs[0] : JobSpec{.name = {}};
}

struct Import : testing::Test, ConsoleWorld {
  int import_script(const std::string& text, std::vector<std::string> more = {}) {
    write("Train_1.sbatch", text);
    more.insert(more.begin(), {"import", "--script", directory / "Train_1.sbatch"});
    return type(more);
  }
  int import_job(const std::string& id, std::vector<std::string> more = {}) {
    write("token", "secret");
    more.insert(more.begin(), {"import", "--job", id, "--slurmrestd", server_.url(), "--user",
                               "alice", "--token-file", directory / "token"});
    return ask(more);
  }
  std::string job_answer{recorded("job_many_options.json")};
  std::string accounting_answer{recorded("accounting_many_options.json")};

 private:
  StubAnswer answer(const std::string& path) const {
    if (path.starts_with("/slurm/v0.0.42/ping")) return {.body = recorded("ping.json")};
    if (path == "/slurm/v0.0.42/job/64") return {.body = job_answer};
    if (path.starts_with("/slurm/v0.0.42/job/")) {
      return {.status = 404, .body = recorded("job_unknown_404.json")};
    }
    if (path.starts_with("/slurmdb/v0.0.42/jobs/?step=64")) return {.body = accounting_answer};
    return {.status = 404, .body = "Unable find requested URL", .type = "text/plain"};
  }

  StubHttpServer server_{[this](const StubRequest& request) { return answer(request.path); }};
};

TEST_F(Import, OfAScriptSaysItsDirectivesAsFields) {
  ASSERT_EQ(import_script("#!/bin/bash\n#SBATCH -p main -t 120 --mem=64G\ntrue\n"), 0);
  EXPECT_EQ(out.str(),
            "# from Train_1.sbatch\n"
            "apiVersion: sconverge/v1\n"
            "kind: Job\n"
            "metadata:\n"
            "  name: train-1\n"
            "spec:\n"
            "  job:\n"
            "    memory_per_node: \"64G\"\n"
            "    partition: main\n"
            "    time_limit: \"2h\"\n"
            "  script: |\n"
            "    #!/bin/bash\n"
            "    #SBATCH -p main -t 120 --mem=64G\n"
            "    true\n");
}

TEST_F(Import, OfAScriptIsTheSameWorkAsTheScript) {
  for (const char* lines :
       {"", "#SBATCH -n 4 -c 2 --gpus=8\n", "#SBATCH --export=NONE\n", "#SBATCH --export=A,B=1\n",
        "#SBATCH -N 2-4 --ntasks-per-node=4\n#SBATCH --hold -D out\n", "#PBS -N other\n",
        "#SBATCH --array=3,1,2%1 --signal=B:USR1@90 -J 'a b'\n", "#SBATCH -t UNLIMITED\n"}) {
    SCOPED_TRACE(lines);
    const std::string script = std::string("#!/bin/bash\n#SCONVERGE\n") + lines + "true\n";
    ASSERT_EQ(import_script(script), 0) << err.str();
    const JobSpec before = only_spec(script, "train-1.sbatch");
    const JobSpec after = only_spec(out.str(), "train.yaml");
    EXPECT_EQ(generation_of(after), generation_of(before)) << out.str();
    EXPECT_EQ(after.name, before.name);
    EXPECT_EQ(after.suspend, before.suspend);
    EXPECT_THAT(out.str(), Not(HasSubstr("#SCONVERGE")));
  }
}

TEST_F(Import, OfABrokenScriptTellsEveryLineAndWritesNothing) {
  EXPECT_EQ(import_script("#!/bin/bash\n#SBATCH --nope\n#SBATCH --time=2hh\ntrue\n"),
            static_cast<int>(ExitCode::Invalid));
  EXPECT_THAT(err.str(),
              AllOf(HasSubstr("Train_1.sbatch:2:9: "), HasSubstr("Train_1.sbatch:3:9: ")));
  EXPECT_THAT(out.str(), IsEmpty());
}

TEST_F(Import, TakesTheNameThatIsGiven) {
  ASSERT_EQ(import_script("#!/bin/sh\n", {"--name", "big", "--namespace", "vision"}), 0);
  EXPECT_THAT(out.str(), HasSubstr("  name: big\n  namespace: vision\n"));
  EXPECT_EQ(import_script("#!/bin/sh\n", {"--name", "Big"}), static_cast<int>(ExitCode::Usage));
}

TEST_F(Import, WithANameTakesAFileWhoseNameMakesNone) {
  write("--.sbatch", "#!/bin/bash\ntrue\n");
  const std::string file = directory / "--.sbatch";
  EXPECT_EQ(type({"import", "--script", file}), static_cast<int>(ExitCode::Invalid));
  ASSERT_EQ(type({"import", "--script", file, "--name", "train"}), 0);
  EXPECT_EQ(only_spec(out.str(), "a.yaml").name, (SpecName{"default", "train"}));
}

TEST_F(Import, OfAnIdThatNoJobHasIsWrongUsage) {
  for (const char* id : {"0", "-1", "4294967294", "12_3", "x"}) {
    EXPECT_EQ(import_job(id), static_cast<int>(ExitCode::Usage)) << id;
    EXPECT_THAT(err.str(), HasSubstr("--job")) << id;
  }
}

TEST_F(Import, NeedsAScriptOrAJob) {
  EXPECT_EQ(type({"import"}), static_cast<int>(ExitCode::Usage));
  EXPECT_THAT(err.str(), HasSubstr("--script"));
  EXPECT_EQ(type({"import", "--script", directory / "none"}), static_cast<int>(ExitCode::Error));
}

TEST_F(Import, OfALiveJobOfSomebodyElseIsSuspendedAndSaysWhy) {
  write("job.sh", "#!/bin/sh\ntrue\n");
  ASSERT_EQ(import_job("64", {"--script", directory / "job.sh"}), 0) << err.str();
  const JobSpec spec = only_spec(out.str(), "a.yaml");
  EXPECT_TRUE(spec.suspend);
  EXPECT_THAT(out.str(), HasSubstr("# job 64 is alive, and no job of this spec"));
  EXPECT_EQ(spec.name, (SpecName{"default", "imp"}));
  EXPECT_EQ(spec.script, "#!/bin/sh\ntrue\n");
  EXPECT_EQ(spec.job.at("tres_per_job"), FieldValue("gres/gpu:4"));
  EXPECT_EQ(spec.job.at("standard_output"), FieldValue("/tmp/o-%j"));
  EXPECT_FALSE(spec.job.contains("name"));
}

TEST_F(Import, OfAJobWhoseScriptNobodyKeepsAsksForIt) {
  EXPECT_EQ(import_job("64"), static_cast<int>(ExitCode::Error));
  EXPECT_THAT(err.str(), AllOf(HasSubstr("script of job 64"), HasSubstr("--script FILE")));
}

TEST_F(Import, OfAJobUsesTheScriptThatAccountingKeeps) {
  accounting_answer = R"({"jobs": [{"job_id": 64, "script": "#!/bin/sh\nkept\n"}], "errors": []})";
  ASSERT_EQ(import_job("64"), 0) << err.str();
  EXPECT_THAT(out.str(), HasSubstr("  script: |\n    #!/bin/sh\n    kept\n"));
}

TEST_F(Import, OfAJobThatSlurmDoesNotKnowSaysSo) {
  EXPECT_EQ(import_job("65"), static_cast<int>(ExitCode::Error));
  EXPECT_THAT(err.str(), HasSubstr("Slurm has no job 65"));
}

TEST_F(Import, OfOurOwnJobIsTheSpecItWasSubmittedFrom) {
  JobSpec spec = a_spec("train");
  spec.job["time_limit"] = std::int64_t{90};
  SpecHistory entry;
  entry.submitted = std::make_shared<const JobSpec>(spec);
  leave_state(published_with({}), {{spec.name, entry}});
  const Mark mark{"prod", spec.name, generation_of(spec), 1, 1, "0123456789abcdef"};
  job_answer = R"({"jobs": [{"job_id": 64, "job_state": ["RUNNING"], "comment": ")" +
               comment_with_mark("", mark) + R"("}], "errors": []})";
  ASSERT_EQ(import_job("64", {"--controller-id", "prod"}), 0) << err.str();
  const JobSpec imported = only_spec(out.str(), "a.yaml");
  EXPECT_EQ(generation_of(imported), generation_of(spec));
  EXPECT_EQ(imported.name, spec.name);
  EXPECT_FALSE(imported.suspend);
}

}  // namespace
}  // namespace sconverge::test
