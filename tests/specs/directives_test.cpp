#include "specs/directives.h"

#include "tests/specs/spec_text.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using Variables = std::vector<std::string>;

// A document whose script has `directives`, with lines of `job:` (four blanks) and `spec:` (two).
std::string document(const std::string& directives, const std::string& job_lines = "",
                     const std::string& spec_lines = "") {
  std::string script;
  for (std::size_t at = 0; at < directives.size();) {
    const std::size_t end = directives.find('\n', at);
    script += "    " + directives.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return "apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: train}\nspec:\n" +
         (job_lines.empty() ? "" : "  job:\n" + job_lines) + spec_lines +
         "  script: |\n    #!/bin/bash\n" + script + "    srun train\n";
}

JobSpec spec_of(const std::string& directives, const std::string& job_lines = "",
                const std::string& spec_lines = "") {
  return read_one(document(directives, job_lines, spec_lines));
}

std::vector<std::string> notes_of(const std::string& text) {
  std::vector<std::string> lines;
  for (const Problem& note : read_text(text).notes) lines.push_back(to_text(note));
  return lines;
}

TEST(Directives, AskForWhatSbatchWouldAskFor) {
  const JobSpec spec = spec_of("#SBATCH --partition=main -t 2:00:00\n#SBATCH --mem=4G\n");
  EXPECT_EQ(spec.job, (JobFields{{"partition", "main"},
                                 {"time_limit", std::int64_t{120}},
                                 {"memory_per_node", std::int64_t{4096}},
                                 {"environment", spec.job.at("environment")}}));
}

TEST(Directives, StayInTheScript) {
  EXPECT_THAT(spec_of("#SBATCH -n 4\n").script, HasSubstr("#SBATCH -n 4\n"));
}

TEST(Directives, AreBeatenByTheFieldOfJob) {
  const JobSpec spec = spec_of("#SBATCH -t 60 -p debug\n", "    time_limit: 2h\n");
  EXPECT_EQ(spec.job.at("time_limit"), FieldValue(std::int64_t{120}));
  EXPECT_EQ(spec.job.at("partition"), FieldValue("debug"));
}

TEST(Directives, ThatAreBeatenLeaveNothingDerivedBehind) {
  const JobSpec four = spec_of("#SBATCH -c 4\n");
  EXPECT_EQ(four.job.at("tres_per_task"), FieldValue("cpu=4"));
  const JobSpec two = spec_of("#SBATCH -c 4\n", "    cpus_per_task: 2\n");
  EXPECT_EQ(two.job.at("cpus_per_task"), FieldValue(std::int64_t{2}));
  EXPECT_FALSE(two.job.contains("tres_per_task"));
}

TEST(Directives, OfAGroupAreBeatenTogether) {
  const JobSpec memory = spec_of("#SBATCH --mem=4G\n", "    memory_per_cpu: 1G\n");
  EXPECT_FALSE(memory.job.contains("memory_per_node"));
  const JobSpec nodes = spec_of("#SBATCH -N 4\n", "    minimum_nodes: 2\n");
  EXPECT_FALSE(nodes.job.contains("nodes"));
}

TEST(Directives, ForSpecialisedCoresAndThreadsAreBeatenByEitherField) {
  const JobSpec spec = spec_of("#SBATCH --thread-spec=4\n", "    core_specification: 2\n");
  EXPECT_EQ(spec.job.at("core_specification"), FieldValue(std::int64_t{2}));
  EXPECT_FALSE(spec.job.contains("thread_specification"));
}

TEST(Directives, OfSeveralFieldsAreBeatenByAnyOfThem) {
  const JobSpec spec = spec_of("#SBATCH --hint=nomultithread\n", "    threads_per_core: 2\n");
  EXPECT_EQ(spec.job.at("threads_per_core"), FieldValue(std::int64_t{2}));
  EXPECT_THAT(std::get<Variables>(spec.job.at("environment")),
              Not(AnyOf(Contains(StartsWith("SLURM_HINT")),
                        Contains(StartsWith("SLURM_THREADS_PER_CORE")))));
  const JobSpec same = spec_of("#SBATCH --hint=nomultithread\n", "    threads_per_core: 1\n");
  EXPECT_THAT(std::get<Variables>(same.job.at("environment")),
              Contains("SLURM_HINT=nomultithread"));
}

TEST(Directives, ThatAreBeatenAreNoted) {
  EXPECT_THAT(notes_of(document("#SBATCH --mem=4G\n", "    memory_per_node: 8G\n")),
              ElementsAre(AllOf(HasSubstr("a.yaml:9:13: spec.script: "),
                                HasSubstr("`--mem=4G` has no effect"))));
  EXPECT_THAT(notes_of(document("#SBATCH --mem=4G\n", "    memory_per_node: 4096\n")), IsEmpty());
}

TEST(Directives, WithoutAnyTheScriptAsksForNothing) {
  const JobSpec spec = spec_of("# a remark\n");
  EXPECT_THAT(spec.job, IsEmpty());
  EXPECT_THAT(spec.inherit_environment, IsEmpty());
}

TEST(Directives, AddTheirVariablesToTheConfiguredEnvironment) {
  const JobSpec spec = spec_of("#SBATCH -n 4\n");
  EXPECT_THAT(spec.inherit_environment, ElementsAre("*"));
  EXPECT_THAT(std::get<Variables>(spec.job.at("environment")), Contains("SLURM_NTASKS=4"));
}

TEST(Directives, AddTheirVariablesBeneathThoseOfJob) {
  const JobSpec spec =
      spec_of("#SBATCH -n 4 --export=ALL,A=1,B=1\n", "    environment: {A: 2, PATH: /bin}\n");
  EXPECT_THAT(spec.inherit_environment, IsEmpty());
  EXPECT_THAT(std::get<Variables>(spec.job.at("environment")),
              AllOf(Contains("A=2"), Contains("B=1"), Contains("PATH=/bin"), Not(Contains("A=1")),
                    Contains("SLURM_NTASKS=4")));
}

TEST(Directives, MayPickVariablesOfTheConfiguredEnvironment) {
  const JobSpec spec = spec_of("#SBATCH --export=PATH,X=1\n");
  EXPECT_THAT(spec.inherit_environment, ElementsAre("PATH", "SLURM_SUBMIT_DIR"));
  EXPECT_THAT(std::get<Variables>(spec.job.at("environment")), Contains("X=1"));
  EXPECT_THAT(spec_of("#SBATCH --export=NONE\n").inherit_environment,
              ElementsAre("SLURM_SUBMIT_DIR"));
}

TEST(Directives, AreBeatenByInheritEnvironment) {
  const JobSpec spec = spec_of("#SBATCH --export=ALL\n", "", "  inheritEnvironment: [HOME]\n");
  EXPECT_THAT(spec.inherit_environment, ElementsAre("HOME"));
}

TEST(Directives, ThatHoldSuspendUnlessTheSpecSaysOtherwise) {
  EXPECT_TRUE(spec_of("#SBATCH --hold\n").suspend);
  EXPECT_FALSE(spec_of("#SBATCH --hold\n", "", "  suspend: false\n").suspend);
}

TEST(Directives, AreReadWhereverTheScriptStandsInTheDocument) {
  const JobSpec spec = read_one(
      "apiVersion: sconverge/v1\nkind: Job\nmetadata: {name: a}\nspec:\n"
      "  script: |\n    #!/bin/sh\n    #SBATCH -t 60\n  job: {time_limit: 2h}\n");
  EXPECT_EQ(spec.job.at("time_limit"), FieldValue(std::int64_t{120}));
}

TEST(Directives, InAnyNotationAreTheSameWork) {
  const JobSpec one = spec_of("#SBATCH --time=2:00:00 --mem=1G\n");
  EXPECT_EQ(generation_of(spec_of("#SBATCH  -t120\n#SBATCH --mem 1024M # a remark\n")),
            generation_of(one));
  EXPECT_NE(generation_of(spec_of("#SBATCH -t121 --mem=1G\n")), generation_of(one));
}

TEST(Directives, AllOfWhoseProblemsAreToldAtTheirPlaces) {
  const SpecFile file = read_text(document("#SBATCH --time=2hh --mem=1X\n#SBATCH --nope\n"));
  EXPECT_THAT(file.specs, IsEmpty());
  ASSERT_THAT(file.problems, SizeIs(3));
  EXPECT_EQ(file.problems[0].line, 7);
  EXPECT_EQ(file.problems[0].column, 13);
  EXPECT_EQ(file.problems[1].column, 24);
  EXPECT_EQ(file.problems[2].line, 8);
}

TEST(InheritedEnvironment, IsAFlagOrAListOfNames) {
  const auto inherited = [](const std::string& value) {
    return read_one(spec_text("    environment: {A: 1}\n", "  inheritEnvironment: " + value + "\n"))
        .inherit_environment;
  };
  EXPECT_THAT(inherited("true"), ElementsAre("*"));
  EXPECT_THAT(inherited("false"), IsEmpty());
  EXPECT_THAT(inherited("[PATH, HOME, PATH]"), ElementsAre("HOME", "PATH"));
  for (const char* bad : {"PATH", "{PATH: 1}", "[1A]", "['*']", "[[PATH]]", "1"}) {
    EXPECT_THAT(problems_of(spec_text("", "  inheritEnvironment: " + std::string(bad) + "\n")),
                HasSubstr("spec.inheritEnvironment"))
        << bad;
  }
}

// The canonical form has no words for it: it would be read as "all of it".
TEST(InheritedEnvironment, ThatLeavesNoVariableAtAllIsRefused) {
  for (const char* nothing : {"false", "[]"}) {
    const std::string line = "  inheritEnvironment: " + std::string(nothing) + "\n";
    EXPECT_THAT(problems_of(spec_text("", line)),
                HasSubstr("spec.inheritEnvironment: leaves the job without any variable"))
        << nothing;
    const JobSpec spec = spec_of("#SBATCH -n 4\n", "", line);
    EXPECT_THAT(spec.inherit_environment, IsEmpty());
    EXPECT_THAT(std::get<Variables>(spec.job.at("environment")), Contains("SLURM_NTASKS=4"));
  }
  EXPECT_THAT(problems_of(spec_text("    environment: {1: 2}\n", "  inheritEnvironment: false\n")),
              Not(HasSubstr("without any variable")));
}

}  // namespace
}  // namespace sconverge::test
