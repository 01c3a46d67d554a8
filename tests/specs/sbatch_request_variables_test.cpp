#include <algorithm>

#include "specs/sbatch_environment.h"
#include "tests/specs/sbatch_asked.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Row {
  std::vector<std::string_view> options;
  std::string_view name;
  std::string_view value;
};

TEST(SbatchRequestVariables, AreThoseOfSbatch) {
  for (const auto& [options, name, value] : std::vector<Row>{
           {{"ntasks=4"}, "SLURM_NTASKS", "4"},
           {{"ntasks=4"}, "SLURM_NPROCS", "4"},
           {{"nodes=4"}, "SLURM_NTASKS", "<none>"},
           {{"nodes=4", "ntasks=2"}, "SLURM_NTASKS", "2"},
           {{"extra-node-info=2:*:2"}, "SLURM_NTASKS", "4"},
           {{"gpus=4", "ntasks-per-gpu=2"}, "SLURM_NTASKS", "<none>"},
           {{"ntasks-per-node=2"}, "SLURM_NTASKS_PER_NODE", "2"},
           {{"ntasks-per-socket=2"}, "SLURM_NTASKS_PER_SOCKET", "2"},
           {{"ntasks-per-core=2"}, "SLURM_NTASKS_PER_CORE", "2"},
           {{"ntasks-per-gpu=2", "ntasks=2"}, "SLURM_NTASKS_PER_GPU", "2"},
           {{"ntasks-per-tres=2", "ntasks=2"}, "SLURM_NTASKS_PER_TRES", "2"},
           {{"cpus-per-task=3"}, "SLURM_CPUS_PER_TASK", "3"},
           {{"cpus-per-task=3"}, "SLURM_TRES_PER_TASK", "cpu=3"},
           {{"tres-per-task=cpu=3"}, "SLURM_CPUS_PER_TASK", "3"},
           {{"gpus-per-task=1", "ntasks=1"}, "SLURM_TRES_PER_TASK", "gres/gpu=1"},
           {{"gpus-per-task=1", "ntasks=1"}, "SLURM_TRES_BIND", "gres/gpu:per_task:1"},
           {{"gpus=a100:2"}, "SLURM_GPUS", "a100:2"},
           {{"gpus-per-node=2"}, "SLURM_GPUS_PER_NODE", "2"},
           {{"gpus-per-socket=1", "sockets-per-node=1"}, "SLURM_GPUS_PER_SOCKET", "1"},
           {{"gpu-freq=low"}, "SLURM_GPU_FREQ", "low"},
           {{"cpus-per-gpu=2", "gpus=1"}, "SLURM_CPUS_PER_GPU", "2"},
           {{"mem-per-gpu=1G", "gpus=1"}, "SLURM_MEM_PER_GPU", "1024"},
           {{"gres=gpu:2"}, "SLURM_GPUS", "<none>"},
           {{"hint=nomultithread"}, "SLURM_HINT", "nomultithread"},
           {{"hint=nomultithread"}, "SLURM_THREADS_PER_CORE", "1"},
           {{"hint=multithread"}, "SLURM_NTASKS_PER_CORE", "65535"},
           {{"threads-per-core=2"}, "SLURM_THREADS_PER_CORE", "2"},
           {{"distribution=block:*,pack"}, "SLURM_DISTRIBUTION", "block:cyclic,pack"},
           {{"distribution=plane=4", "ntasks=4"}, "SLURM_DISTRIBUTION", "plane"},
           {{"distribution=plane=4", "ntasks=4"}, "SLURM_DIST_PLANESIZE", "4"},
           {{"distribution=arbitrary", "nodelist=n1,n[1-2]"},
            "SLURM_ARBITRARY_NODELIST",
            "n1,n[1-2]"},
           {{"mem-bind=sort,map_mem:0,1"}, "SLURM_MEM_BIND", "sort,map_mem:0,1"},
           {{"mem-bind=sort,map_mem:0,1"}, "SLURM_MEM_BIND_SORT", "sort"},
           {{"mem-bind=local"}, "SLURM_MEM_BIND_VERBOSE", "quiet"},
           {{"mem-bind=v,local"}, "SLURM_MEM_BIND_VERBOSE", "verbose"},
           {{"mem-bind=local"}, "SLURM_MEM_BIND_SORT", "<none>"},
           {{"dependency=afterok:7"}, "SLURM_JOB_DEPENDENCY", "afterok:7"},
           {{"container=/oci"}, "SLURM_CONTAINER", "/oci"},
           {{"container-id=x"}, "SLURM_CONTAINER_ID", "x"},
           {{"export=NONE"}, "SLURM_EXPORT_ENV", "NONE"},
           {{"export=ALL"}, "SLURM_EXPORT_ENV", "<none>"},
           {{"get-user-env"}, "SLURM_GET_USER_ENV", "1"},
           {{}, "OMPI_MCA_plm_slurm_args", "--external-launcher"},
           {{}, "PRTE_MCA_plm_slurm_args", "--external-launcher"},
           {{}, "HYDRA_BOOTSTRAP", "slurm"},
           {{}, "HYDRA_LAUNCHER_EXTRA_ARGS", "--external-launcher"},
           {{}, "I_MPI_HYDRA_BOOTSTRAP", "slurm"},
           {{}, "I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS", "--external-launcher"},
           {{"export=HYDRA_BOOTSTRAP=ssh"}, "HYDRA_BOOTSTRAP", "ssh"},
           {{"export=SLURM_NTASKS=9", "ntasks=2"}, "SLURM_NTASKS", "2"},
       }) {
    EXPECT_EQ(Asked(options).variable(name), value)
        << name << (options.empty() ? "" : std::string(options.front()));
  }
}

TEST(SbatchRequestVariables, OfTheSubmittingMachineAreNotThere) {
  const Asked asked({"ntasks=2", "export=NONE", "propagate=ALL"});
  for (const std::string& line : asked.request.environment) {
    for (const char* name : {"SLURM_RLIMIT", "SLURM_SUBMIT", "SLURM_PRIO", "SLURM_UMASK"}) {
      EXPECT_FALSE(line.starts_with(name)) << line;
    }
  }
}

TEST(SbatchRequestVariables, AreSortedByName) {
  const Asked asked({"export=Z=1,A=2", "ntasks=2", "hint=nomultithread"});
  std::vector<std::string> names;
  for (const std::string& line : asked.request.environment) {
    names.push_back(line.substr(0, line.find('=')));
  }
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

struct ExportRow {
  std::string_view text;
  bool inherits;
  std::vector<std::string> names;
  std::vector<std::string> variables;
};

TEST(SbatchExports, AreReadAsSbatchReadsThem) {
  const std::string login = "SLURM_GET_USER_ENV=1";
  for (const auto& [text, inherits, names, variables] : std::vector<ExportRow>{
           {"ALL", true, {}, {}},
           {"all", true, {}, {}},
           {"NIL", false, {}, {"SLURM_EXPORT_ENV=NIL"}},
           {"NONE", false, {}, {"SLURM_EXPORT_ENV=NONE", login}},
           {"", false, {}, {"SLURM_EXPORT_ENV=", login}},
           {"X", false, {"X"}, {"SLURM_EXPORT_ENV=X", login}},
           {"B,A,B", false, {"A", "B"}, {"SLURM_EXPORT_ENV=B,A,B", login}},
           {"ALL,X=1", true, {}, {"SLURM_EXPORT_ENV=ALL,X=1", login, "X=1"}},
           {"A,ALL", true, {}, {"SLURM_EXPORT_ENV=A,ALL", login}},
           {"X=a=b", false, {}, {"SLURM_EXPORT_ENV=X=a=b", login, "X=a=b"}},
           {"X=", false, {}, {"SLURM_EXPORT_ENV=X=", login, "X="}},
           {"ALL,LIST=a,b", true, {}, {"LIST=a", "SLURM_EXPORT_ENV=ALL,LIST=a,b", login}},
           {"ALL,LIST='a,b'", true, {}, {"LIST='a,b'", "SLURM_EXPORT_ENV=ALL,LIST='a,b'", login}},
           {"'LIST=a,b'", false, {}, {"LIST=a,b", "SLURM_EXPORT_ENV='LIST=a,b'", login}},
           {",X=1,,", false, {}, {"SLURM_EXPORT_ENV=,X=1,,", login, "X=1"}},
       }) {
    SCOPED_TRACE(text);
    const auto exported = sbatch_export(text);
    ASSERT_TRUE(exported.value);
    EXPECT_EQ(exported.value->inherits, inherits);
    EXPECT_THAT(exported.value->names, testing::ElementsAreArray(names));
    std::vector<std::string> lines;
    for (const auto& [name, value] : exported.value->variables) lines.push_back(name + "=" + value);
    EXPECT_THAT(lines, testing::ElementsAreArray(variables));
  }
}

TEST(SbatchExports, ThatAreMostLikelyNotMeantAreNotedWithoutShowingAValue) {
  for (const std::string_view option :
       {"export==geheim", "export=X='geheim", "export=X=geheim,ALL"}) {
    const Asked asked({option});
    EXPECT_THAT(asked.problems(), IsEmpty()) << option;
    EXPECT_THAT(asked.notes(), ElementsAre(testing::Not(HasSubstr("geheim")))) << option;
  }
}

TEST(SbatchExports, ReachTheRequest) {
  const Asked asked({"export=A,X=1"});
  EXPECT_FALSE(asked.request.inherits_environment);
  EXPECT_THAT(asked.request.inherited_names, ElementsAre("A"));
  EXPECT_EQ(asked.variable("X"), "1");
  EXPECT_TRUE(Asked({"export=ALL,X=1"}).request.inherits_environment);
}

}  // namespace
}  // namespace sconverge::test
