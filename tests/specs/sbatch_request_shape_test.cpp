#include "tests/specs/sbatch_asked.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;

struct Row {
  std::vector<std::string_view> options;
  std::vector<std::string> fields;
};

std::string name_of(const std::vector<std::string_view>& options) {
  std::string name;
  for (const std::string_view option : options) name += " --" + std::string(option);
  return name;
}

// What a real sbatch asked for; of its own notes the next tests tell.
TEST(SbatchRequestShape, IsDerivedAsSbatchDerivesIt) {
  for (const auto& [options, fields] : std::vector<Row>{
           {{"nodes=4", "ntasks=2"}, {"nodes: 2", "tasks: 2"}},
           {{"nodes=2-4", "ntasks=3"}, {"nodes: 2-3", "tasks: 3"}},
           {{"nodes=2-4"}, {"minimum_cpus: 1", "nodes: 2-4"}},
           {{"nodes=2-4", "ntasks=8"}, {"nodes: 2-4", "tasks: 8"}},
           {{"nodes=1-15:4"}, {"nodes: 1,5,9,13"}},
           {{"nodes=1,2,4"}, {"nodes: 1-2,4"}},
           {{"nodes=1-3:2"}, {"nodes: 1-3:2"}},
           {{"nodes=1-3:2", "ntasks=1"}, {"nodes: 1-3:2", "tasks: 1"}},
           {{"nodes=1,2,4", "ntasks=2"}, {"nodes: 1-2", "tasks: 2"}},
           {{"nodes=1,2,4,8", "ntasks=5"}, {"nodes: 1-2,4", "tasks: 5"}},
           {{"nodes=2,4", "ntasks=1"}, {"nodes: 1", "tasks: 1"}},
           {{"nodes=2", "cpus-per-task=2"},
            {"cpus_per_task: 2", "flags: [EXACT_CPU_COUNT_REQUESTED]", "minimum_cpus_per_node: 2",
             "nodes: 2", "tres_per_task: cpu=2"}},
           {{"cpus-per-task=2", "mincpus=8", "ntasks=1"},
            {"cpus_per_task: 2", "flags: [EXACT_CPU_COUNT_REQUESTED]", "minimum_cpus_per_node: 8",
             "tasks: 1", "tres_per_task: cpu=2"}},
           {{"ntasks=4", "ntasks-per-node=2"},
            {"minimum_nodes: 2", "tasks: 4", "tasks_per_node: 2"}},
           {{"ntasks=5", "ntasks-per-node=2"},
            {"minimum_nodes: 3", "tasks: 5", "tasks_per_node: 2"}},
           {{"nodes=2", "ntasks-per-node=2"}, {"nodes: 2", "tasks_per_node: 2"}},
           {{"nodes=2-4", "ntasks-per-node=2"}, {"nodes: 2-4", "tasks_per_node: 2"}},
           {{"extra-node-info=2"}, {"sockets_per_node: 2", "tasks: 2"}},
           {{"extra-node-info=*:*:2"}, {"tasks: 2", "threads_per_core: 2"}},
           {{"nodes=2", "extra-node-info=2:*:2"},
            {"nodes: 2", "sockets_per_node: 2", "tasks: 8", "threads_per_core: 2"}},
           {{"extra-node-info=2", "ntasks=3"}, {"sockets_per_node: 2", "tasks: 3"}},
           {{"nodes=2", "hint=nomultithread"}, {"nodes: 2", "tasks: 2", "threads_per_core: 1"}},
           {{"sockets-per-node=2", "hint=compute_bound"}, {"threads_per_core: 1"}},
           {{"nodelist=n[1-3]"}, {"minimum_nodes: 3", "required_nodes: [n[1-3]]"}},
           {{"nodelist=n[1-2],n1"}, {"minimum_nodes: 2", "required_nodes: [n[1-2], n1]"}},
           {{"nodelist=n[1-3]", "ntasks=2"}, {"nodes: 2", "required_nodes: [n[1-3]]", "tasks: 2"}},
           {{"nodelist=n1,n1,n2", "distribution=arbitrary"},
            {"distribution: arbitrary", "minimum_nodes: 2", "required_nodes: [n[1,1-2]]",
             "tasks: 3"}},
           {{"overcommit", "ntasks=4"}, {"overcommit: true", "tasks: 4"}},
           {{"overcommit", "ntasks=4", "ntasks-per-node=2"},
            {"minimum_cpus: 1", "minimum_nodes: 2", "overcommit: true", "tasks: 4",
             "tasks_per_node: 2"}},
           {{"gpus=4", "ntasks-per-gpu=2"},
            {"ntasks_per_tres: 2", "tasks: 8", "tres_per_job: gres/gpu:4"}},
           {{"ntasks-per-gpu=2", "ntasks=4"}, {"ntasks_per_tres: 2", "tasks: 4"}},
           {{"ntasks-per-gpu=2", "ntasks=4", "gpus=4"},
            {"ntasks_per_tres: 2", "tasks: 8", "tres_per_job: gres/gpu:4"}},
           {{"ntasks-per-tres=2", "nodes=2"}, {"nodes: 2", "ntasks_per_tres: 2", "tasks: 4"}},
           {{"gpus-per-task=1", "ntasks=2"},
            {"tasks: 2", "tres_bind: gres/gpu:per_task:1", "tres_per_task: gres/gpu=1"}},
           {{"gpus-per-task=1", "nodes=2"},
            {"nodes: 2", "tasks: 2", "tres_bind: gres/gpu:per_task:1",
             "tres_per_task: gres/gpu=1"}},
           {{"gpus-per-task=a100:2", "ntasks=2"},
            {"tasks: 2", "tres_bind: gres/gpu:per_task:2", "tres_per_task: gres/gpu:a100=2"}},
           {{"gpus-per-task=1", "ntasks=2", "gpu-bind=closest"},
            {"tasks: 2", "tres_bind: gres/gpu:closest", "tres_per_task: gres/gpu=1"}},
           {{"gpus-per-task=1", "ntasks=2", "cpus-per-task=3"},
            {"cpus_per_task: 3", "flags: [EXACT_CPU_COUNT_REQUESTED]", "minimum_cpus_per_node: 3",
             "tasks: 2", "tres_bind: gres/gpu:per_task:1", "tres_per_task: cpu=3,gres/gpu=1"}},
           {{"gpus-per-task=2", "gpus=4"},
            {"tasks: 2", "tres_bind: gres/gpu:per_task:2", "tres_per_job: gres/gpu:4",
             "tres_per_task: gres/gpu=2"}},
           {{"gpus-per-task=1", "gpus-per-node=2", "ntasks=4"},
            {"tasks: 4", "tasks_per_node: 2", "tres_bind: gres/gpu:per_task:1",
             "tres_per_node: gres/gpu:2", "tres_per_task: gres/gpu=1"}},
           {{"gpus=4", "gpus-per-node=2"},
            {"minimum_cpus: 1", "nodes: 2", "tres_per_job: gres/gpu:4",
             "tres_per_node: gres/gpu:2"}},
           {{"gpus=2", "nodes=1-4"}, {"nodes: 1-2", "tres_per_job: gres/gpu:2"}},
           {{"cpus-per-gpu=2", "gpus=2"},
            {"cpus_per_tres: gres/gpu:2", "tres_per_job: gres/gpu:2"}},
           {{"cpus-per-gpu=2", "gpus-per-task=3", "ntasks=2"},
            {"cpus_per_task: 6", "cpus_per_tres: gres/gpu:2", "tasks: 2",
             "tres_bind: gres/gpu:per_task:3", "tres_per_task: gres/gpu=3"}},
           {{"mem-per-gpu=1G", "gpus=2"},
            {"memory_per_tres: gres/gpu:1024", "tres_per_job: gres/gpu:2"}},
           {{"gpus-per-socket=1", "sockets-per-node=2"},
            {"sockets_per_node: 2", "tres_per_socket: gres/gpu:1"}},
           {{"gpus-per-node=2", "gres=nic:1"}, {"tres_per_node: gres/gpu:2,gres/nic:1"}},
           {{"gpus-per-node=2", "gres=none"}, {"tres_per_node: gres/gpu:2"}},
           {{"gres=gpu:two"}, {"tres_per_node: gres/gpu:two"}},
           {{"gres=gpu=2"}, {"tres_per_node: gres/gpu=2"}},
           {{"gpus=a100"}, {"tres_per_job: gres/gpu:a100"}},
           {{"gpus=0"}, {"tres_per_job: gres/gpu:0"}},
           {{"tres-per-task=gres:gpu=1", "ntasks=2"},
            {"tasks: 2", "tres_bind: gres/gpu:per_task:1", "tres_per_task: gres/gpu=1"}},
           {{"tres-per-task=license:matlab:1", "ntasks=2"},
            {"tasks: 2", "tres_per_task: license/matlab:1"}},
       }) {
    SCOPED_TRACE(name_of(options));
    const Asked asked(options);
    EXPECT_THAT(asked.fields(), ElementsAreArray(fields));
    EXPECT_THAT(asked.problems(), IsEmpty());
  }
}

TEST(SbatchRequestShape, ThatIsNotAsWrittenIsNoted) {
  EXPECT_THAT(Asked({"nodes=4", "ntasks=2"}).notes(),
              ElementsAre(HasSubstr("3: 4 nodes are more than the 2 tasks; as with sbatch, 2 are "
                                    "asked for (lower --nodes, or raise --ntasks)")));
  EXPECT_THAT(Asked({"nodes=2-4", "ntasks=3"}).notes(),
              ElementsAre(HasSubstr("no more nodes than the 3 tasks")));
  EXPECT_THAT(Asked({"nodes=2-3", "ntasks=3"}).notes(), IsEmpty());
  EXPECT_THAT(Asked({"nodelist=n[1-3]", "ntasks=3"}).notes(), IsEmpty());
}

TEST(SbatchRequestShape, HasTheLineOfTheOptionThatItComesFrom) {
  const Asked asked({"time=1", "gpus=4", "ntasks-per-gpu=2"});
  EXPECT_EQ(asked.request.lines.at("tasks"), 4);
  EXPECT_EQ(asked.request.lines.at("tres_per_job"), 3);
}

TEST(SbatchRequestShape, OfHugeNumbersIsRefusedNotWrong) {
  EXPECT_THAT(Asked({"nodes=2147483646", "extra-node-info=2147483646:*:2147483646"}).problems(),
              testing::Not(IsEmpty()));
  EXPECT_THAT(Asked({"ntasks=2147483646", "gpus-per-task=4294967293"}).problems(), IsEmpty());
  EXPECT_THAT(Asked({"gpus=9223372036854775807P", "ntasks-per-gpu=65533"}).problems(),
              testing::Not(IsEmpty()));
}

}  // namespace
}  // namespace sconverge::test
