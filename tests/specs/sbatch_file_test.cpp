#include "specs/sbatch_file.h"

#include "tests/specs/spec_text.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A script with the given lines between `#!` and its only command.
std::string script_with(const std::string& lines) {
  return "#!/bin/bash\n" + lines + "srun train\n";
}

JobSpec spec_of(const std::string& lines, const std::string& file = "team/Train.sbatch") {
  return read_one(script_with(lines), file);
}

std::string problems_with(const std::string& lines) {
  return problems_of(script_with(lines), "train.sbatch");
}

TEST(SbatchFile, IsTakenForOneByItsEnding) {
  EXPECT_TRUE(is_sbatch_name("a/b.sbatch"));
  EXPECT_TRUE(is_sbatch_name("b.slurm"));
  EXPECT_FALSE(is_sbatch_name("b.sh"));
  EXPECT_FALSE(is_sbatch_name("sbatch"));
}

TEST(SbatchFile, WithoutAMarkIsSomebodysScriptAndLeftAlone) {
  for (const char* lines : {"", "#SBATCH -N nonsense\n", "#SCONVERGENT --name=a\n", " #SCONVERGE\n",
                            "echo '#SCONVERGE'\n", "#sconverge --name=a\n"}) {
    const SpecFile file = read_text(script_with(lines), "train.sbatch");
    EXPECT_TRUE(file.ignored) << lines;
    EXPECT_THAT(file.specs, IsEmpty());
    EXPECT_THAT(file.problems, IsEmpty());
    EXPECT_TRUE(file.names_known);
  }
}

TEST(SbatchFile, WithTheMarkAloneIsASpecNamedAfterTheFile) {
  const JobSpec spec = spec_of("#SCONVERGE\n");
  EXPECT_EQ(spec.name, (SpecName{"default", "team-train"}));
  EXPECT_EQ(spec.script, script_with("#SCONVERGE\n"));
  EXPECT_EQ(spec.file, "team/Train.sbatch");
  EXPECT_EQ(spec.line, 1);
}

TEST(SbatchFile, TakesTheFieldsOfMetadataAndSpec) {
  const JobSpec spec = spec_of(
      "#SCONVERGE --name=train --namespace vision\n"
      "#SCONVERGE --cluster=lab --suspend --onDelete=Orphan\n"
      "#SCONVERGE --labels='{team: vision, tier: \"1\"}' # a remark\n",
      "a.slurm");
  EXPECT_EQ(spec.name, (SpecName{"vision", "train"}));
  EXPECT_EQ(spec.cluster, "lab");
  EXPECT_TRUE(spec.suspend);
  EXPECT_EQ(spec.on_delete, OnDelete::Orphan);
  EXPECT_EQ(spec.labels, (std::map<std::string, std::string>{{"team", "vision"}, {"tier", "1"}}));
}

TEST(SbatchFile, TakesFieldsWithinFieldsBehindADash) {
  const JobSpec spec = spec_of(
      "#SCONVERGE --labels-team=vision --labels-tier=1 --annotations-sconverge/protect=true\n"
      "#SCONVERGE --job-time_limit=2h --job-partition=12 --job-tasks=4 --job-mail_type='[END]'\n");
  EXPECT_EQ(spec.labels, (std::map<std::string, std::string>{{"team", "vision"}, {"tier", "1"}}));
  EXPECT_TRUE(is_protected(spec));
  EXPECT_EQ(spec.job.at("time_limit"), FieldValue(std::int64_t{120}));
  EXPECT_EQ(spec.job.at("partition"), FieldValue("12"));
  EXPECT_EQ(spec.job.at("tasks"), FieldValue(std::int64_t{4}));
  EXPECT_EQ(spec.job.at("mail_type"), FieldValue(std::vector<std::string>{"END"}));
}

TEST(SbatchFile, TakesDirectivesAsSbatchDoesBeneathItsOptions) {
  const JobSpec spec =
      spec_of("#SBATCH -p main -t 60\n#SCONVERGE --name=a --job-time_limit=2h\n#SBATCH -n 4\n");
  EXPECT_EQ(spec.job.at("partition"), FieldValue("main"));
  EXPECT_EQ(spec.job.at("time_limit"), FieldValue(std::int64_t{120}));
  EXPECT_EQ(spec.job.at("tasks"), FieldValue(std::int64_t{4}));
}

TEST(SbatchFile, MeansTheSameAsTheDocumentInYaml) {
  const JobSpec script = spec_of("#SCONVERGE --name=a --job-partition=main\n");
  JobSpec yaml = script;
  yaml.file = "a.yaml";
  EXPECT_EQ(generation_of(script), generation_of(yaml));
  yaml.script = "#!/bin/bash\nsrun train\n";
  EXPECT_EQ(generation_of(script), generation_of(yaml));
}

TEST(SbatchFile, IsTheSameWorkWhateverItsOptionsSayOfPolicyAndHowTheyAreWritten) {
  const Generation work = generation_of(spec_of("#SCONVERGE --job-tasks=4\n#SBATCH -t 60\n"));
  for (const char* lines :
       {"#SCONVERGE --job-tasks=4 --suspend --onDelete=Orphan\n#SBATCH -t 60\n",
        "#SCONVERGE --labels-team=vision\n#SBATCH -t 60\n#SCONVERGE --job-tasks 4 # a remark\n"}) {
    EXPECT_EQ(generation_of(spec_of(lines)), work) << lines;
  }
  EXPECT_NE(generation_of(spec_of("#SCONVERGE --job-tasks=5\n#SBATCH -t 60\n")), work);
}

TEST(SbatchFile, WithoutItsDirectivesIsTheRestOfTheScriptByteForByte) {
  EXPECT_EQ(without_directives("#!/bin/sh\n#SCONVERGE\n#SBATCH-N4\n\n#SCONVERGE --a\n#x\ntrue"),
            "#!/bin/sh\n\n#x\ntrue");
  for (const char* whole : {"", "#!/bin/sh\ntrue", "#!/bin/sh\n #SCONVERGE\n#SCONVERGENT\n\n",
                            "#!/bin/sh\n #SBATCH\n##SBATCH\n#PBS -N a\n",
                            "#!/bin/sh\ncat <<E\n#SCONVERGE\n#SBATCH -N 4\nE\n"}) {
    EXPECT_EQ(without_directives(whole), whole);
  }
}

TEST(SbatchFile, WithoutItsMarkedLinesStillHasItsDirectives) {
  EXPECT_EQ(without_marked_lines("#!/bin/sh\n#SCONVERGE --a\n#SBATCH -N4\ntrue\n#SCONVERGE\n"),
            "#!/bin/sh\n#SBATCH -N4\ntrue\n#SCONVERGE\n");
}

TEST(SbatchFile, TellsAnUnknownFieldAndTheNearestOne) {
  EXPECT_THAT(problems_with("#SCONVERGE --name=a --onChnge=Queue\n"),
              HasSubstr("train.sbatch:2:21: \"--onChnge\" is no field of `spec` or `metadata` (did "
                        "you mean `--onChange`?)"));
  EXPECT_THAT(problems_with("#SCONVERGE --partition=main\n"),
              HasSubstr("(options of sbatch stand in #SBATCH lines)"));
}

TEST(SbatchFile, TellsEveryProblemAtItsPlace) {
  const SpecFile file = read_text(
      script_with("#SCONVERGE --name=A_b stray --onDelete=Never\n#SBATCH --no-such-thing\n"),
      "train.sbatch");
  std::vector<std::string> places;
  for (const Problem& problem : file.problems) {
    places.push_back(std::to_string(problem.line) + ":" + std::to_string(problem.column));
  }
  EXPECT_THAT(places, ElementsAre("2:12", "2:23", "2:29", "3:9"));
  EXPECT_THAT(file.specs, IsEmpty());
}

TEST(SbatchFile, RefusesAFieldThatIsGivenTwice) {
  EXPECT_THAT(problems_with("#SCONVERGE --name=a\n#SCONVERGE --name=b\n"),
              HasSubstr("duplicate key, first given in line 2"));
  EXPECT_THAT(problems_with("#SCONVERGE --name=a --job='{tasks: 1}' --job-tasks=2\n"),
              HasSubstr("duplicate key, first given in line 2"));
}

TEST(SbatchFile, RefusesAMarkBehindTheFirstCommand) {
  EXPECT_THAT(problems_of("#!/bin/sh\ntrue\n#SCONVERGE --name=a\n", "train.sbatch"),
              HasSubstr("train.sbatch:3:1: a #SCONVERGE line behind the first command"));
}

TEST(SbatchFile, RefusesABrokenListAtItsPlace) {
  EXPECT_THAT(problems_with("#SCONVERGE --name=a --job-mail_type='[END'\n"),
              HasSubstr("train.sbatch:2:21: "));
}

TEST(SbatchFile, RefusesWhatSbatchRefusesOfAScript) {
  EXPECT_THAT(problems_of("#SCONVERGE\necho\n", "train.sbatch"),
              HasSubstr("train.sbatch:1: spec.script: the script does not begin with `#!`"));
  EXPECT_THAT(problems_of("#!/bin/sh\r\n#SCONVERGE --name=a\r\n", "train.sbatch"),
              HasSubstr("DOS line breaks"));
}

TEST(SbatchFile, RefusesTheScriptAsAnOption) {
  EXPECT_THAT(problems_with("#SCONVERGE --name=a --script=x\n"),
              HasSubstr("\"--script\" is no field"));
}

TEST(SbatchFile, WhoseNameMakesNoLabelMustSayOne) {
  EXPECT_THAT(problems_of(script_with("#SCONVERGE\n"), "___.sbatch"),
              HasSubstr("metadata.name: is missing"));
}

}  // namespace
}  // namespace sconverge::test
