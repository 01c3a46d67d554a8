#include "specs/sbatch_lines.h"

#include <gtest/gtest.h>

#include "tests/specs/sbatch_text.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(SbatchLines, BeginAtColumnOneInCapitalsAndNeedNoBlankBehind) {
  EXPECT_THAT(options_of("#SBATCH -N4"), ElementsAre("nodes=4"));
  EXPECT_THAT(options_of("#SBATCH-N4"), ElementsAre("nodes=4"));
  EXPECT_THAT(options_of("#SBATCH--nodes=4"), ElementsAre("nodes=4"));
  EXPECT_THAT(options_of("#SBATCH\t-N4"), ElementsAre("nodes=4"));
  EXPECT_THAT(options_of("#SBATCH"), IsEmpty());
  EXPECT_THAT(problems_in("#SBATCHX"), ElementsAre(HasSubstr("2:8: \"X\" is no option")));
}

TEST(SbatchLines, AreNotReadInAnyOtherSpelling) {
  for (const char* line : {" #SBATCH -N4", "# SBATCH -N4", "#sbatch -N4", "##SBATCH -N4",
                           "##  SBATCH -N4", "# #SBATCH -N4", "echo '#SBATCH -N4'", "#SBACTH -N4",
                           "#BATCH -N4", "#SBATCHER", "# sbatch reads this"}) {
    const SbatchOptions read = read_lines(line);
    if (std::string_view(line) == "#SBATCHER") continue;  // its word is refused
    EXPECT_THAT(read.options, IsEmpty()) << line;
    EXPECT_THAT(read.problems, IsEmpty()) << line;
  }
}

TEST(SbatchLines, ThatLookLikeAMistakeAreNoted) {
  EXPECT_THAT(notes_in(" #SBATCH -N4"),
              ElementsAre("2:2: \"#SBATCH -N4\" is a remark to sbatch, not a directive (begin the "
                          "line with `#SBATCH`, or with `##` if it is to stay a remark)"));
  EXPECT_THAT(notes_in("#sbatch --nodes=4"), ElementsAre(HasSubstr("2:1: ")));
  EXPECT_THAT(notes_in("# SBATCH -N4"), ElementsAre(HasSubstr("2:1: ")));
  EXPECT_THAT(notes_in("#SBACTH -N4"), ElementsAre(HasSubstr("2:1: ")));
}

TEST(SbatchLines, ThatAreMeantAsRemarksAreNotNoted) {
  for (const char* line : {"##SBATCH -N4", "# #SBATCH -N4", "## SBATCH -N4", "# sbatch reads this",
                           "# SBATCH", "# BATCH size", "#PBSX", "#", "#-N4", "# -N4"}) {
    EXPECT_THAT(notes_in(line), testing::Not(testing::Contains(HasSubstr("is a remark")))) << line;
  }
}

TEST(SbatchLines, EndAtTheFirstLineThatIsNeitherBlankNorARemark) {
  EXPECT_THAT(options_of("\n \t\n# remark\n   # remark\n#SBATCH -N4\n\n#SBATCH -n8"),
              ElementsAre("nodes=4", "ntasks=8"));
  EXPECT_THAT(given(read_lines("#SBATCH -N4\nset -e\n#SBATCH -n8")), ElementsAre("nodes=4"));
  EXPECT_THAT(given(read_lines("  true # x\n#SBATCH -n8")), IsEmpty());
}

TEST(SbatchLines, BehindTheFirstCommandAreNotedEach) {
  EXPECT_THAT(notes_in("true\n#SBATCH -n8\n #SBATCH -n9\n#SBATCH-c2"),
              ElementsAre("3:1: sbatch does not read \"#SBATCH -n8\": it stands behind the first "
                          "command (move it up, before the first line that is neither blank nor a "
                          "remark)",
                          HasSubstr("5:1: sbatch does not read \"#SBATCH-c2\"")));
}

TEST(SbatchLines, MayBeginWithSlurmWhichIsNotedOnce) {
  const SbatchOptions read = read_lines("#SLURM -N4\n#SLURM -n8\n#SBATCH -c2");
  EXPECT_THAT(given(read), ElementsAre("nodes=4", "ntasks=8", "cpus-per-task=2"));
  EXPECT_THAT(
      told(read.notes),
      ElementsAre("2:1: sbatch reads `#SLURM` like `#SBATCH`, but complains about it (write "
                  "`#SBATCH`)"));
  EXPECT_THAT(problems_in("#SLURMS"), ElementsAre(HasSubstr("2:7: \"S\" is no option")));
}

TEST(SbatchLines, HaveNoContinuation) {
  const SbatchOptions read = read_lines("#SBATCH -N4 \\\n#SBATCH -n8");
  EXPECT_THAT(given(read), ElementsAre("nodes=4", "ntasks=8"));
  EXPECT_THAT(told(read.notes),
              ElementsAre("2:13: a backslash at the end of a line continues nothing "
                          "for sbatch (repeat `#SBATCH` on each line)"));
}

TEST(SbatchLines, EndAtALoneCarriageReturnNowhere) {
  EXPECT_THAT(options_of("#SBATCH -N4\r-n8"), ElementsAre("nodes=4", "ntasks=8"));
}

TEST(SbatchLines, AreCutAtANul) {
  EXPECT_THAT(options_of(std::string_view("#SBATCH -N4\0 -n8\n#SBATCH -c2", 28)),
              ElementsAre("nodes=4", "cpus-per-task=2"));
}

TEST(SbatchLines, MayEndWithoutANewline) {
  EXPECT_THAT(given(read_sbatch_options("#!/bin/sh\n#SBATCH -N4")), ElementsAre("nodes=4"));
  EXPECT_THAT(given(read_sbatch_options("")), IsEmpty());
}

TEST(HeterogeneousJobs, AreRefusedAtTheFirstSeparator) {
  for (const char* line : {"#SBATCH hetjob", "#SBATCH HetJob", "#SBATCHhetjob", "#SBATCH packjob",
                           "#SBATCH hetjob # remark", "#SBATCH hetjob -N9", "#SLURM hetjob"}) {
    const SbatchOptions read = read_lines("#SBATCH -N4\n" + std::string(line) +
                                          "\n#SBATCH -N8\n#SBATCH hetjob\n#SBATCH -c2");
    EXPECT_THAT(
        told(read.problems),
        ElementsAre(testing::AllOf(testing::StartsWith("3:"),
                                   HasSubstr("heterogeneous jobs are not yet supported (write "
                                             "one spec for each component)"))))
        << line;
    EXPECT_EQ(read.problems[0].kind, ProblemKind::Policy);
    EXPECT_THAT(given(read), ElementsAre("nodes=4")) << line;
  }
}

TEST(HeterogeneousJobs, HaveTheProblemsOfEachComponent) {
  EXPECT_THAT(
      problems_in("#SBATCH --comment\n#SBATCH hetjob\n#SBATCH --shar\n#SBATCH -J"),
      ElementsAre(HasSubstr("2:9: \"--comment\" has no value"), HasSubstr("3:9: heterogeneous"),
                  HasSubstr("4:9: \"--shar\""), HasSubstr("5:9: \"-J\" has no value")));
}

TEST(HeterogeneousJobs, AreNoneWhereTheWordHasAnother) {
  EXPECT_THAT(problems_in("#SBATCH hetjobs"), ElementsAre(HasSubstr("\"hetjobs\" is no option")));
  EXPECT_THAT(options_of("#SBATCH --comment=hetjob"), ElementsAre("comment=hetjob"));
}

TEST(HeterogeneousJobs, SeparatedWithinALineLoseTheRestOfIt) {
  const SbatchOptions read = read_lines("#SBATCH -N2 hetjob -n5\n#SBATCH -J b");
  EXPECT_THAT(given(read), ElementsAre("nodes=2", "job-name=b"));
  EXPECT_THAT(told(read.notes),
              ElementsAre(HasSubstr("2:13: sbatch drops \"hetjob\" and what stands "
                                    "behind it on the line")));
  EXPECT_THAT(given(read_lines("#SBATCH -J hetjob -N2\n#SBATCH nameb")),
              ElementsAre("job-name=nameb"));
}

TEST(SbatchLines, GiveOptionsTheirLineAndColumn) {
  const SbatchOptions read = read_lines("\n#SBATCH  -N4 --ntasks 8\n#SBATCH -Hc2");
  ASSERT_THAT(read.options, SizeIs(4));
  EXPECT_EQ(read.options[0], (SbatchOption{"nodes", "4", 3, 10, "-N4"}));
  EXPECT_EQ(read.options[1], (SbatchOption{"ntasks", "8", 3, 14, "--ntasks 8"}));
  EXPECT_EQ(read.options[2], (SbatchOption{"hold", std::nullopt, 4, 9, "-H"}));
  EXPECT_EQ(read.options[3], (SbatchOption{"cpus-per-task", "2", 4, 9, "-c2"}));
}

}  // namespace
}  // namespace sconverge::test
