#include "specs/sbatch_getopt.h"

#include <gtest/gtest.h>

#include "specs/sbatch_option_table.h"
#include "tests/specs/sbatch_text.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Row {
  std::string_view line;  // behind `#SBATCH `
  std::vector<std::string> options;
};

TEST(SbatchGetopt, TakesWhatGetoptLongTakes) {
  const std::vector<Row> rows = {
      // A value that is required stands attached or behind.
      {"-N4", {"nodes=4"}},
      {"-N 4", {"nodes=4"}},
      {"--nodes=4", {"nodes=4"}},
      {"--nodes 4", {"nodes=4"}},
      {"--nodes=2-4", {"nodes=2-4"}},
      {"--comment=", {"comment="}},
      {"--comment=a=b", {"comment=a=b"}},
      {"--comment -", {"comment=-"}},
      {"--nice=-5 -t -1", {"nice=-5", "time=-1"}},
      // One that is optional only attached.
      {"--nice", {"nice"}},
      {"--nice=", {"nice="}},
      {"--exclusive --exclusive=user", {"exclusive", "exclusive=user"}},
      {"-k -k5", {"no-kill", "no-kill=5"}},
      {"--propagate --resv-ports=2 --oom-kill-step=1 --get-user-env",
       {"propagate", "resv-ports=2", "oom-kill-step=1", "get-user-env"}},
      // Clusters of letters, of which the last may take a value.
      {"-HO", {"hold", "overcommit"}},
      {"-HN4", {"hold", "nodes=4"}},
      {"-HN 4", {"hold", "nodes=4"}},
      {"-sk", {"oversubscribe", "no-kill"}},
      // Abbreviations, if there is only one option that they can be.
      {"--part=main", {"partition=main"}},
      {"--ntasks-per-n=2", {"ntasks-per-node=2"}},
      {"--job=a --req --chd=/a --depend=b --mem-per-c=1",
       {"job-name=a", "requeue", "chdir=/a", "dependency=b", "mem-per-cpu=1"}},
      {"--hol", {"hold"}},
      // A whole name is that option, even if others begin with it.
      {"--mem=1 --time=2 --gpus=3 --wait --gres=4 --bb=5 --export=6",
       {"mem=1", "time=2", "gpus=3", "wait", "gres=4", "bb=5", "export=6"}},
      // Aliases have the name of their option.
      {"--tasks-per-node=2 --cluster=a --tasks=3",
       {"ntasks-per-node=2", "clusters=a", "ntasks-per-node=3"}},
      {"--mem-bind=local --ntasks-per-gpu=1 --gpu-bind=none --tres-bind=b",
       {"mem-bind=local", "ntasks-per-gpu=1", "gpu-bind=none", "tres-bind=b"}},
      // `--` with nothing behind it ends nothing.
      {"-N2 --", {"nodes=2"}},
      // Each repeat is kept, in order.
      {"-n1 -c2 --ntasks=3", {"ntasks=1", "cpus-per-task=2", "ntasks=3"}},
      // Options for a command line are options, too.
      {"--wrap=x --test-only --parsable --uid=0 -Q -v -V -h",
       {"wrap=x", "test-only", "parsable", "uid=0", "quiet", "verbose", "version", "help"}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.line);
    EXPECT_EQ(options_of("#SBATCH " + std::string(row.line)), row.options);
  }
}

TEST(SbatchGetopt, TakesTheFirstWordOfTheNextDirectiveForAMissingValueWhichIsNoted) {
  const SbatchOptions read = read_lines("#SBATCH --comment\n# remark\n#SBATCH -N2 -n3");
  EXPECT_THAT(given(read), ElementsAre("comment=-N2", "ntasks=3"));
  EXPECT_THAT(told(read.notes),
              ElementsAre("2:9: \"--comment\" takes \"-N2\" for its value, from line 4 (write "
                          "`--comment=` with its value behind it)"));
  EXPECT_EQ(read.notes[0].option, "comment");
  EXPECT_EQ(read.options[0].text, "--comment -N2");
}

TEST(SbatchGetopt, NotesAnOptionThatIsTakenForAValue) {
  const SbatchOptions read = read_lines("#SBATCH --comment --nodes=2");
  EXPECT_THAT(given(read), ElementsAre("comment=--nodes=2"));
  EXPECT_THAT(told(read.notes),
              ElementsAre(HasSubstr("\"--comment\" takes \"--nodes=2\" for its value")));
}

TEST(SbatchGetopt, RefusesTheLastOptionIfItsValueIsMissing) {
  EXPECT_THAT(
      problems_in("#SBATCH -N2 -x"),
      ElementsAre("2:13: \"-x\" has no value (write `--exclude=` with its value behind it)"));
  EXPECT_THAT(problems_in("#SBATCH --comment \"\""),
              ElementsAre(HasSubstr("\"--comment\" has no value")));
  EXPECT_EQ(read_lines("#SBATCH -x").problems.at(0).option, "exclude");
}

TEST(SbatchGetopt, RefusesAValueForAnOptionWithoutOne) {
  EXPECT_THAT(
      problems_in("#SBATCH --hold=yes"),
      ElementsAre("2:9: `--hold` takes no value (leave out `=` and what stands behind it)"));
  EXPECT_THAT(problems_in("#SBATCH --hol=yes"), ElementsAre(HasSubstr("`--hold` takes no value")));
}

TEST(SbatchGetopt, RefusesAnAbbreviationOfMoreThanOneOption) {
  EXPECT_THAT(problems_in("#SBATCH --acc=a"),
              ElementsAre("2:9: \"--acc\" is an abbreviation of more than one option (write "
                          "`--account`, `--acctg-freq`)"));
  EXPECT_THAT(problems_in("#SBATCH --node=4"),
              ElementsAre(HasSubstr("write `--nodefile`, `--nodelist`, `--nodes`")));
  EXPECT_THAT(problems_in("#SBATCH --clus=a"), ElementsAre(HasSubstr("`--cluster`, ")));
  EXPECT_THAT(problems_in("#SBATCH --=a"), ElementsAre(HasSubstr(", ...)")));
}

TEST(SbatchGetopt, RefusesUnknownOptionsWithWhatWasMeant) {
  const std::vector<std::pair<std::string_view, std::string_view>> rows = {
      {"--shar", "\"--shar\" is no option of #SBATCH lines (correct it or leave it out)"},
      {"--share", "\"--share\" is no option of #SBATCH lines (write `--oversubscribe`)"},
      {"--workdir=/a", "(write `--chdir`)"},
      {"--power=x", "Slurm has no such option any more"},
      {"--immediate", "srun"},
      {"--jobid=5", "srun"},
      {"--x11", "srun"},
      {"--cpu-bind=none", "srun"},
      {"--mpi=pmix", "srun"},
      {"--label", "srun"},
      {"--umask=022", "(write `umask` in the script)"},
      {"--mem_bind=local", "(write `--mem-bind`)"},
      {"--ntask=4", ""},  // an abbreviation of several
      {"--Nodes=4", "(did you mean `--nodes`?)"},
      {"--cpus-per-tsak=4", "(did you mean `--cpus-per-task`?)"},
      {"--walltime=1", "(write `--time`)"},
      {"-K", "srun"},
      {"-HK", "\"-K\" is no option"},
      {"-gres=gpu:1", "\"-g\" is no option of #SBATCH lines (write `--gres`)"},
      {"-requeue", "(write `--requeue`)"},
      {"-y", "(correct it or leave it out)"},
  };
  for (const auto& [line, text] : rows) {
    EXPECT_THAT(
        problems_in("#SBATCH " + std::string(line)),
        ElementsAre(testing::AllOf(testing::StartsWith("2:9: "), HasSubstr(std::string(text)))))
        << line;
  }
}

TEST(SbatchGetopt, GoesOnBehindWhatItRefuses) {
  const SbatchOptions read = read_lines(
      "#SBATCH --shar yes -N2 --acc lab -n3 --hold=1 -c2 word more words\n#SBATCH -y 5 -t 1");
  EXPECT_THAT(given(read), ElementsAre("nodes=2", "ntasks=3", "cpus-per-task=2", "time=1"));
  EXPECT_THAT(told(read.problems),
              ElementsAre(HasSubstr("--shar"), HasSubstr("--acc"), HasSubstr("--hold"),
                          HasSubstr("\"word\" is no option"), HasSubstr("\"-y\"")));
}

TEST(SbatchGetopt, RefusesWordsThatAreNoOptions) {
  const std::vector<std::pair<std::string_view, std::string_view>> rows = {
      {"--job-name=Big simulation",
       "2:24: \"simulation\" is no option (quote a value that holds blanks"},
      {"x", "2:9: \"x\" is no option (begin options with `-` or `--`"},
      {"-", "2:9: \"-\" is no option"},
      {"--exclusive user",
       "2:21: \"user\" is no option (write the value of `--exclusive` behind a `=`)"},
      {"-k 5", "2:12: \"5\" is no option (write the value of `--no-kill` behind a `=`)"},
      {"--begin=now + 1hour", "2:21: \"+\" is no option (quote a value"},
      {"\xE2\x80\x93N4", "(write `--`: the word begins with a long dash)"},
      {"\xE2\x80\x94nodes=4", "long dash"},
      {"a\xC2\xA0-N4", "no-break space"},
  };
  for (const auto& [line, text] : rows) {
    EXPECT_THAT(problems_in("#SBATCH " + std::string(line)),
                ElementsAre(HasSubstr(std::string(text))))
        << line;
  }
}

TEST(SbatchGetopt, RefusesWhatStandsBehindTwoDashes) {
  const SbatchOptions read = read_lines("#SBATCH -N2 --\n#SBATCH -n3");
  EXPECT_THAT(
      told(read.problems),
      ElementsAre(
          "2:13: `--` ends the options, and \"-n3\" stands behind it (leave out the `--`)"));
  EXPECT_THAT(given(read), ElementsAre("nodes=2", "ntasks=3"));
}

TEST(SbatchGetopt, ReadsOneDashAsLettersWhichIsNoted) {
  const SbatchOptions read = read_lines("#SBATCH -nodes=2 -partition=main -time=10");
  EXPECT_THAT(given(read), ElementsAre("ntasks=odes=2", "partition=artition=main", "time=ime=10"));
  EXPECT_THAT(
      told(read.notes),
      ElementsAre("2:9: \"-nodes=2\" has one dash: it is read as \"-n odes=2\" (write `--nodes`)",
                  HasSubstr("(write `--partition`)"), HasSubstr("(write `--time`)")));
  EXPECT_THAT(options_of("#SBATCH -Jtime -n2"), ElementsAre("job-name=time", "ntasks=2"));
}

TEST(SbatchGetopt, KeepsAnEqualsSignBehindALetterWhichIsNoted) {
  const SbatchOptions read = read_lines("#SBATCH -J=name");
  EXPECT_THAT(given(read), ElementsAre("job-name==name"));
  EXPECT_THAT(told(read.notes),
              ElementsAre("2:9: the value of `-J` is \"=name\" (leave out the `=`, or write "
                          "`--job-name=` with its value behind it)"));
}

TEST(SbatchGetopt, TellsAtMostAHundredProblems) {
  std::string script = "#!/bin/sh\n";
  for (int i = 0; i < 150; ++i) script += "#SBATCH --shar -J=a\n";
  const SbatchOptions read = read_sbatch_options(script);
  EXPECT_EQ(read.problems.size(), kMaxFindings);
  EXPECT_EQ(read.notes.size(), kMaxFindings);
  EXPECT_EQ(read.options.size(), 150U);
}

TEST(SbatchGetopt, RefusesMoreOptionsThanFit) {
  const SbatchOptions read = read_lines("#SBATCH -" + std::string(30'000, 'v') + " -N2");
  EXPECT_THAT(told(read.problems),
              ElementsAre(HasSubstr("2:9: the directives have more than 20000 options")));
  EXPECT_EQ(read.options.size(), kMaxSbatchWords);
}

TEST(SbatchOptionTable, IsSortedWithoutRepeats) {
  const auto rows = sbatch_option_table();
  for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_LT(rows[i - 1].name, rows[i].name);
  for (const OptionRow& row : rows) {
    if (row.letter == '\0') continue;
    EXPECT_EQ(std::count_if(rows.begin(), rows.end(),
                            [&](const OptionRow& other) { return other.letter == row.letter; }),
              1)
        << row.letter;
  }
}

TEST(SbatchOptionTable, HasAnOptionForEachAlias) {
  const auto rows = sbatch_option_table();
  for (const OptionRow& row : rows) {
    if (row.alias_of.empty()) continue;
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const OptionRow& other) {
      return other.name == row.alias_of && other.alias_of.empty() && other.takes == row.takes;
    });
    EXPECT_NE(found, rows.end()) << row.name;
  }
}

TEST(SbatchOptionTable, KnowsOnlyReplacementsOfWhatIsNotInIt) {
  for (const OptionRow& row : sbatch_option_table()) {
    EXPECT_THAT(sbatch_option_replacement("--" + std::string(row.name)), IsEmpty()) << row.name;
    EXPECT_THAT(sbatch_option_replacement("-" + std::string(1, row.letter)), IsEmpty()) << row.name;
  }
}

}  // namespace
}  // namespace sconverge::test
