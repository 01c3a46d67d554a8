// Batch scripts as specs, and specs made of scripts and jobs, on a real Slurm.
#include <gmock/gmock.h>

#include <fstream>
#include <set>

#include "tests/e2e/end_to_end.h"

namespace sconverge::test {
namespace {

using testing::HasSubstr;

class SbatchSpecs : public EndToEnd {
 protected:
  /// A file of the lab's /tmp.
  [[nodiscard]] std::string lab_file(const std::string& name) const {
    std::ifstream file(lab_.root() + "/tmp/" + id_ + "-" + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] std::string path_in_lab(const std::string& name) const {
    return "/tmp/" + id_ + "-" + name;
  }
  [[nodiscard]] Ended import_job(std::uint32_t job, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"import", "--job", std::to_string(job)});
    static const std::set<std::string> kOfRun{"interval", "listen", "log-format", "prune-grace",
                                              "specs"};
    for (const auto& [flag, value] : flags_) {
      if (kOfRun.contains(flag)) continue;
      more.push_back("--" + flag);
      more.push_back(value);
    }
    return sconverge(more, user_);
  }
  /// What `scontrol show job` says of a field.
  [[nodiscard]] static std::string shown(const std::string& text, const std::string& field) {
    const std::string start = " " + field + "=";
    const auto at = (" " + text).find(start);
    if (at == std::string::npos) return "";
    const auto begin = at + start.size() - 1;
    return text.substr(begin, text.find_first_of(" \n", begin) - begin);
  }
  /// The job of a held script, given to the real sbatch.
  std::uint32_t sbatch_held(const std::string& script) {
    const std::string path = path_in_lab("held.sh");
    std::ofstream(lab_.root() + path) << script;
    return static_cast<std::uint32_t>(
        std::stoul(lab_.exec("alice", {"sbatch", "--parsable", "--hold", path})));
  }
};

TEST_F(SbatchSpecs, AMarkedScriptRunsAsSbatchWouldRunIt) {
  write(
      "train.sbatch",
      "#!/bin/bash\n"
      "#SBATCH --job-name=resnet --ntasks=2 --cpus-per-task=3 --time=5\n"
      "#SBATCH --export=ALL,MODE='fast'\n"
      "#SBATCH --output=" +
          path_in_lab("out") +
          "\n"
          "#SCONVERGE --name=train --labels-team=vision\n"
          "echo \"$SLURM_JOB_NAME $SLURM_NTASKS $SLURM_CPUS_PER_TASK $MODE $SLURM_SUBMIT_DIR\"\n");
  write("somebodys.sbatch", "#!/bin/bash\n#SBATCH --nonsense\ntrue\n");
  start();
  ASSERT_TRUE(becomes("train", "Succeeded"));
  ASSERT_TRUE(wait_until([&] { return !lab_file("out").empty(); }));
  EXPECT_EQ(lab_file("out"), "resnet 2 3 fast /tmp\n");
  EXPECT_EQ(rows().size(), 1U);
}

TEST_F(SbatchSpecs, AScriptAndItsImportAreTheSameWork) {
  write("train.sbatch", "#!/bin/bash\n#SBATCH -n 2 --gpus=2 -t 5\n#SCONVERGE --name=train\ntrue\n");
  start();
  ASSERT_TRUE(becomes("train", "Succeeded"));
  const Ended imported = look({"import", "--script", specs_ + "/train.sbatch", "--name", "train"});
  ASSERT_EQ(imported.code, 0) << imported.err;
  controller_.reset();
  remove("train.sbatch");
  write("train.yaml", imported.out);
  const Ended plan = verb({"plan", "--detailed-exitcode"});
  EXPECT_EQ(plan.code, 0) << plan.out;
}

TEST_F(SbatchSpecs, TheImportOfASubmittedJobPlansNoChange) {
  write({"train", "true", std::string("time_limit: 90m\ncomment: night run\n") + kNotBefore2037});
  start();
  ASSERT_TRUE(becomes("train", "Pending"));
  const auto job = row("train").job;
  ASSERT_TRUE(job);
  const Ended imported = import_job(*job);
  ASSERT_EQ(imported.code, 0) << imported.err;
  controller_.reset();
  write("train.yaml", imported.out);
  const Ended plan = verb({"plan", "--detailed-exitcode"});
  EXPECT_EQ(plan.code, 0) << plan.out;
}

TEST_F(SbatchSpecs, TheImportOfSomebodysJobMakesTheSameJobWhenItIsResumed) {
  const std::string script =
      "#!/bin/bash\n"
      "#SBATCH --job-name=theirs --nodes=2 --ntasks=4 --cpus-per-task=2 --mem=1G --time=30\n"
      "#SBATCH --gres=gpu:1 --constraint=lab --comment='by hand' --mail-type=END\n"
      "#SBATCH --begin=2037-01-01 --array=1-3%2 --output=/tmp/x-%A.out\n"
      "true\n";
  const std::uint32_t theirs = sbatch_held(script);
  std::ofstream(directory_ / "held.sh") << script;
  const Ended imported = import_job(theirs, {"--script", directory_ / "held.sh"});
  ASSERT_EQ(imported.code, 0) << imported.err;
  EXPECT_THAT(imported.out, HasSubstr("\n  suspend: true\n"));
  write("theirs.yaml", imported.out);
  start();
  ASSERT_TRUE(becomes("theirs", "Suspended"));
  EXPECT_TRUE(queue_of("theirs").empty());
  std::string resumed = imported.out;
  resumed.erase(resumed.find("  suspend: true\n"), std::string("  suspend: true\n").size());
  write("theirs.yaml", resumed);
  ASSERT_TRUE(becomes("theirs", "Pending"));
  const auto ours = row("theirs").job;
  ASSERT_TRUE(ours);
  for (const char* field :
       {"JobName", "NumNodes", "NumTasks", "CPUs/Task", "MinMemoryNode", "TimeLimit", "Features",
        "ArrayTaskId", "ArrayTaskThrottle", "TresPerNode", "TresPerTask", "MailType",
        "EligibleTime", "WorkDir", "Partition", "Requeue", "OverSubscribe"}) {
    const std::string theirs_has = shown(scontrol(theirs), field);
    EXPECT_NE(theirs_has, "") << field;
    EXPECT_EQ(shown(scontrol(*ours), field), theirs_has) << field;
  }
  lab_.exec("alice", {"scancel", std::to_string(theirs)});
}

}  // namespace
}  // namespace sconverge::test
