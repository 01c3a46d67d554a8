#include "tests/specs/sbatch_asked.h"

namespace sconverge::test {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Row {
  std::vector<std::string_view> options;
  std::string_view what;
};

TEST(SbatchRequestRules, RefuseWhatSbatchRefusesBetweenOptions) {
  for (const auto& [options, what] : std::vector<Row>{
           {{"mem=1G", "mem-per-cpu=1G"}, "--mem and --mem-per-cpu exclude each other"},
           {{"mem=1G", "mem-per-gpu=1G", "gpus=1"}, "--mem and --mem-per-gpu exclude each other"},
           {{"exclusive", "oversubscribe"}, "--exclusive and --oversubscribe exclude each other"},
           {{"core-spec=1", "thread-spec=1"}, "--core-spec and --thread-spec exclude each other"},
           {{"cpus-per-task=2", "tres-per-task=cpu=3"}, "--cpus-per-task exclude each other"},
           {{"gpus-per-task=1", "tres-per-task=gres/gpu=2", "ntasks=2"},
            "--gpus-per-task exclude each other"},
           {{"cpus-per-gpu=2", "gpus=2", "cpus-per-task=2"}, "exclude each other"},
           {{"cpus-per-gpu=2", "gpus=2", "tres-per-task=cpu=2"}, "exclude each other"},
           {{"ntasks-per-gpu=2", "ntasks-per-tres=3", "gpus=2"}, "say different numbers"},
           {{"ntasks-per-gpu=2", "gpus-per-task=1", "ntasks=2"}, "exclude each other"},
           {{"ntasks-per-gpu=2", "tres-per-task=cpu=1", "gpus=2"}, "exclude each other"},
           {{"ntasks-per-gpu=2", "ntasks-per-node=2", "gpus=2"}, "exclude each other"},
           {{"ntasks-per-tres=2", "gpus-per-socket=1", "sockets-per-node=1"}, "exclude each other"},
           {{"tres-per-task=mem=3"}, "mem cannot be asked for by task"},
           {{"tres-per-task=cpu=1,Node=3"}, "node cannot be asked for by task"},
           {{"tres-per-task=cpu"}, "cpu has no number"},
           {{"tres-per-task=gres/gpu=", "ntasks=1"}, "is no generic resource"},
           {{"distribution=arbitrary"}, "arbitrary needs a list of nodes"},
           {{"distribution=arbitrary", "nodelist=n1", "nodes=1"}, "exclude each other"},
           {{"distribution=plane=4", "nodes=3", "ntasks=8"}, "leave nodes without tasks"},
           {{"distribution=plane=4", "nodes=2"}, "leave nodes without tasks"},
           {{"ntasks-per-core=2", "threads-per-core=1"}, "more than the threads of a core"},
           {{"begin=uts1900000001", "deadline=uts1900000000"}, "--deadline is before --begin"},
           {{"begin=uts1900000000", "deadline=uts1900000600", "time=60"},
            "--deadline is before the end of a job"},
           {{"begin=uts1900000000", "deadline=uts1900000600", "time=60", "time-min=11"},
            "--deadline is before the end of a job"},
           {{"batch=rack1"}, "\"rack1\" is not among the features of --constraint"},
           {{"batch=rack1&rack2", "constraint=rack1"}, "\"rack2\" is not among"},
           {{"batch=rack1|rack2", "constraint=rack2"}, "\"rack1\" is not among"},
           {{"tres-per-task=mood=4", "ntasks=1"}, "\"mood=4\" cannot be asked for by task"},
           {{"tres-per-task=gpu=1", "ntasks=1"}, "\"gpu=1\" cannot be asked for by task"},
           {{"time=10", "time-min=20"}, "--time-min is more than --time"},
           {{"time=10", "time-min=UNLIMITED"}, "--time-min is more than --time"},
       }) {
    const Asked asked(options);
    EXPECT_THAT(asked.problems(), Contains(HasSubstr(what))) << options.front();
  }
}

TEST(SbatchRequestRules, TakeWhatSbatchTakes) {
  for (const auto& options : std::vector<std::vector<std::string_view>>{
           {"mem=1G", "mem=2G"},
           {"begin=uts1900000000", "deadline=uts1900003600", "time=60"},
           {"begin=uts1900000000", "deadline=uts1900000600", "time=60", "time-min=10"},
           {"deadline=uts1900000600", "time=60"},
           {"batch=rack1", "constraint=[rack1*2&rack2*4]"},
           {"batch=rack1&rack2", "constraint=rack1|rack2"},
           {"batch=rack1|rack3", "constraint=rack1"},
           {"ntasks-per-gpu=2", "ntasks-per-tres=2", "gpus=2"},
           {"distribution=plane=4", "nodes=2", "ntasks=8"},
           {"distribution=plane=4", "nodes=2", "ntasks=5"},
           {"distribution=arbitrary", "nodelist=n1,n1,n2"},
           {"ntasks-per-core=1", "threads-per-core=2"},
           {"begin=uts1900000000", "deadline=uts1900000000"},
           {"time=UNLIMITED", "time-min=20"},
           {"time=20", "time-min=20"},
           {"tres-per-task=cpu=2,gres/gpu=1", "ntasks=2"},
           {"tres-per-task=gres:gpu:1", "ntasks=2"},
           {"gpus-per-task=2", "tres-per-task=gres/nic=1", "nodes=1"},
       }) {
    EXPECT_THAT(Asked(options).problems(), IsEmpty()) << options.front();
  }
}

TEST(SbatchRequestRules, PointAtTheLaterOfTheTwo) {
  const Asked asked({"mem=1G", "nodes=2", "mem-per-cpu=1G", "ntasks=2"});
  ASSERT_THAT(asked.request.problems, testing::SizeIs(1));
  EXPECT_EQ(asked.request.problems[0].line, 4);
  EXPECT_EQ(asked.request.problems[0].option, "mem-per-cpu");
}

TEST(SbatchRequestRules, LeaveAHintOutBesideWhatItWouldSet) {
  for (const std::string_view other :
       {"threads-per-core=2", "ntasks-per-core=1", "extra-node-info=2"}) {
    const Asked asked({"hint=nomultithread", other});
    EXPECT_THAT(asked.problems(), IsEmpty());
    EXPECT_THAT(asked.notes(), ElementsAre(HasSubstr("--hint: sbatch leaves it out beside")))
        << other;
    EXPECT_EQ(asked.variable("SLURM_HINT"), "<none>");
    EXPECT_THAT(asked.field("threads_per_core"), AnyOf("<none>", "2"));
  }
}

TEST(SbatchRequestRules, RefuseGenericResourcesThatDoNotFitTogether) {
  for (const auto& [options, what] : std::vector<Row>{
           {{"gpus=2", "nodes=4"}, "fewer of gpu are asked for than nodes"},
           {{"gpus=2", "gpus-per-node=4"}, "more of gpu are asked for on a node"},
           {{"gpus=5", "gpus-per-node=2"}, "not a multiple of that on a node"},
           {{"gpus=4", "gpus-per-node=2", "nodes=4"}, "make 2 nodes, which --nodes does not allow"},
           {{"gpus=8", "gpus-per-node=2", "nodes=2"}, "make 4 nodes, which --nodes does not allow"},
           {{"gpus-per-socket=1"}, "--gpus-per-socket needs --sockets-per-node"},
           {{"gpus-per-socket=2", "gpus-per-node=3", "sockets-per-node=2"},
            "not a multiple of that on a socket"},
           {{"gpus-per-socket=1", "gpus-per-node=4", "sockets-per-node=2"}, "make 4 sockets"},
           {{"gpus-per-task=1"}, "gpu for each task needs --ntasks or --gpus"},
           {{"tres-per-task=gres/nic=1"}, "nic for each task needs --ntasks"},
           {{"gpus-per-task=2", "gpus=5"}, "not a multiple of that of a task"},
           {{"gpus-per-task=2", "gpus=4", "ntasks=3"}, "make 2 tasks, and --ntasks says otherwise"},
           {{"gpus-per-task=2", "gpus-per-node=3", "ntasks=2"}, "on a node is not a multiple"},
           {{"gpus-per-task=1", "gpus-per-node=4", "ntasks=8", "ntasks-per-node=2"},
            "make 4 tasks, and --ntasks-per-node says otherwise"},
           {{"mem-per-gpu=1G"}, "--mem-per-gpu needs GPUs"},
           {{"cpus-per-gpu=2"}, "--cpus-per-gpu needs GPUs"},
           {{"ntasks-per-gpu=2"}, "need GPUs, or a number of tasks or nodes"},
           {{"ntasks-per-gpu=2", "ntasks=3"}, "not a multiple of --ntasks-per-gpu"},
           {{"gres=gpu:1,gpu:a100:1"}, "both with a type and without"},
           {{"gpus-per-node=a100:2", "gres=gpu:1"}, "both with a type and without"},
           {{"gres=gpu:1,shard:1"}, "gpu excludes shard and mps"},
           {{"gres=shard:1", "gpu-freq=low"}, "--gpu-freq excludes shard and mps"},
       }) {
    const Asked asked(options);
    EXPECT_THAT(asked.problems(), Contains(HasSubstr(what)))
        << options.front() << " " << options.back();
  }
}

TEST(SbatchRequestRules, MergeAGenericCpuCountIntoATypedResource) {
  EXPECT_THAT(Asked({"gpus=a100:2", "cpus-per-gpu=3"}).problems(), IsEmpty());
  EXPECT_THAT(Asked({"gpus=a100:2", "mem-per-gpu=3G"}).problems(), IsEmpty());
}

TEST(SbatchRequestRules, RefuseTooManyResourcesInsteadOfComparingThemAll) {
  std::string gres = "gres=";
  for (int i = 0; i < 100; ++i) gres += "a" + std::to_string(i) + ",";
  EXPECT_THAT(Asked({gres}).problems(), Contains(HasSubstr("too many generic resources")));
}

TEST(SbatchRequestRules, SayThatAGpuTypeWithoutANumberAsksForNothing) {
  const Asked asked({"gpus-per-task=a100", "ntasks=2"});
  EXPECT_THAT(asked.problems(), IsEmpty());
  EXPECT_THAT(asked.notes(), ElementsAre(HasSubstr("sbatch asks for no GPU")));
  EXPECT_EQ(asked.field("tres_per_task"), "<none>");
}

}  // namespace
}  // namespace sconverge::test
