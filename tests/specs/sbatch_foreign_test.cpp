// `#PBS` and `#BSUB` lines.
#include <gtest/gtest.h>

#include "specs/sbatch_option_table.h"
#include "tests/specs/sbatch_text.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Row {
  std::string_view line;  // behind `#PBS ` or `#BSUB `
  std::vector<std::string> options;
};

std::string repeated(std::string_view line, int times) {
  std::string lines;
  for (int i = 0; i < times; ++i) lines += line;
  return lines;
}

TEST(PbsLines, CountBehindCommandsAndInHereDocumentsWhichIsNoted) {
  const SbatchOptions read = read_lines("true\ncat <<END\n#PBS -N job\nEND\n#PBS -q main");
  EXPECT_THAT(given(read), ElementsAre("job-name=job", "partition=main"));
  EXPECT_THAT(
      told(read.notes),
      ElementsAre("4:1: sbatch reads \"#PBS -N job\" though it stands behind the first command "
                  "(begin the line otherwise if it is text, e.g. with a blank)",
                  HasSubstr("6:1: sbatch reads \"#PBS -q main\"")));
}

TEST(PbsLines, CountUntilMoreThanAHundredLinesThatAreNoRemarks) {
  EXPECT_THAT(given(read_lines(repeated("true\n", 100) + "#PBS -N job")),
              ElementsAre("job-name=job"));
  EXPECT_THAT(given(read_lines(repeated("\n", 100) + "#PBS -N job")), ElementsAre("job-name=job"));
  EXPECT_THAT(given(read_lines(repeated("# remark\n", 150) + "#PBS -N job")),
              ElementsAre("job-name=job"));
  const SbatchOptions read = read_lines(repeated("\n", 101) + "#PBS -N job\n#PBS -q main");
  EXPECT_THAT(given(read), IsEmpty());
  EXPECT_THAT(
      told(read.notes),
      ElementsAre(HasSubstr("103:1: sbatch does not read \"#PBS -N job\": more than 100 lines")));
}

TEST(PbsLines, StandAtColumnOne) {
  EXPECT_THAT(options_of(" #PBS -N job\n##PBS -N job\n# PBS -N job\n#pbs -N job"), IsEmpty());
  EXPECT_THAT(options_of("#PBS-N job"), ElementsAre("job-name=job"));
}

TEST(PbsLines, ComeBehindSbatchLinesAndBeatThemWhichIsNoted) {
  const SbatchOptions read = read_lines("#PBS -N b\n#SBATCH --job-name=a -n2");
  EXPECT_THAT(given(read), ElementsAre("job-name=a", "ntasks=2", "job-name=b"));
  EXPECT_THAT(
      told(read.notes),
      ElementsAre("2:6: \"#PBS -N b\" beats \"--job-name=a\" of line 3 (leave out one of them)"));
  EXPECT_THAT(options_of("#SBATCH -J a\n#PBS -N a"), ElementsAre("job-name=a", "job-name=a"));
}

TEST(PbsLines, AreIgnoredWhereTheScriptSaysSo) {
  EXPECT_THAT(options_of("#SBATCH --ignore-pbs\n#PBS -N b\n#BSUB -J c"), ElementsAre("ignore-pbs"));
}

TEST(PbsLines, AreNotReadBesideBsubLines) {
  const SbatchOptions read = read_lines("#PBS -N b -P x\n#BSUB -J c");
  EXPECT_THAT(given(read), ElementsAre("job-name=c"));
  EXPECT_THAT(read.problems, IsEmpty());
  EXPECT_THAT(told(read.notes),
              ElementsAre(HasSubstr("2:1: sbatch does not read the `#PBS` lines")));
  // A line without options is one, too.
  EXPECT_THAT(given(read_lines("#PBS -N b\n#BSUB")), IsEmpty());
}

TEST(PbsLines, AreTranslated) {
  const std::vector<Row> rows = {
      {"-a 1200", {"begin=1200"}},
      {"-A lab", {"account=lab"}},
      {"-d /a", {"chdir=/a"}},
      {"-w /a", {"chdir=/a"}},
      {"-e err -o out", {"error=err", "output=out"}},
      {"-h", {"hold"}},
      {"-J 1-3", {"array=1-3"}},
      {"-t 1-3", {"array=1-3"}},
      {"-m abe", {"mail-type=BEGIN,END,FAIL"}},
      {"-m E", {"mail-type=END"}},
      {"-m n", {"mail-type=NONE"}},
      {"-m an", {"mail-type=NONE"}},
      {"-M a@b", {"mail-user=a@b"}},
      {"-N \"my job\"", {"job-name=my job"}},
      {"-q main", {"partition=main"}},
      {"-v A=1,B", {"export=A=1,B"}},
      {"-v A -v B", {"export=A,B"}},
      {"-W depend=afterok:5", {"dependency=afterok:5"}},
      {"-W DEPEND=afterok:5", {"dependency=afterok:5"}},
      {"--job_name=a --resource_list=mem=5", {"job-name=a", "mem=5"}},
      {"--job_n a", {"job-name=a"}},
      {"-hN a", {"hold", "job-name=a"}},
      // Resources.
      {"-l nodes=2", {"nodes=2"}},
      {"-l nodes=2:ppn=4", {"nodes=2", "ntasks=8"}},
      {"-l nodes=1:ppn=2+3:ppn=4", {"nodes=4", "ntasks=24"}},
      {"-l nodes=ppn=4", {"ntasks=4"}},
      {"-l nodes=n1+n2:ppn=4", {"ntasks=4", "nodelist=n1,n2"}},
      {"-l nodes=2:gpus=3", {"gpus-per-node=3", "nodes=2"}},
      {"-l nodes=99999999999999999999:ppn=2", {"nodes=2147483647", "ntasks=2147483647"}},
      {"-l walltime=1:30:00,mem=2gb", {"time=1:30:00", "mem=2g"}},
      {"-l cput=1:00 -l pcput=2:00", {"time=1:00", "time=2:00"}},
      {"-l file=10GB", {"tmp=10G"}},
      {"-l mem=2000", {"mem=2000"}},
      {"-l mem=", {"mem="}},
      {"-l nice=5", {"nice=5"}},
      {"-l select=2:ncpus=8:mpiprocs=4",
       {"nodes=2", "mincpus=8", "ntasks-per-node=4", "cpus-per-task=2"}},
      {"-l select=2:ncpus=4:mpiprocs=4", {"nodes=2", "mincpus=4", "ntasks-per-node=4"}},
      {"-l ncpus=8:mpiprocs=4", {"mincpus=8", "ntasks-per-node=4"}},
      {"-l SELECT=2:NCPUS=8", {"nodes=2", "mincpus=8"}},
      // A value that swallows what stands behind it, as sbatch's does; it is refused later on.
      {"-l select=2:ncpus=8:mem=2gb:mpiprocs=4", {"nodes=2", "mincpus=8", "mem=2gb:mpiprocs=4"}},
      {"-l ncpus=4,mem=2gb", {"mincpus=4,mem=2gb"}},
      {"-l proc=xeon", {"constraint=xeon"}},
      {"-l proc=xeon,mem=5,nice=1", {"constraint=xeon", "nice=1"}},
      {"-l proc=a -l proc=b", {"constraint=b,a"}},
      {"-l accelerator=True", {"gres=gpu:1"}},
      {"-l accelerator=true,naccelerators=3", {"gres=gpu:3"}},
      {"-l naccelerators=3", {"gres=gpu:3"}},
      {"-l accelerator=false", {}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.line);
    EXPECT_EQ(options_of("#PBS " + std::string(row.line)), row.options);
  }
}

TEST(PbsLines, AddToWhatSbatchLinesSay) {
  EXPECT_THAT(options_of("#SBATCH --gres=gpu:1\n#PBS -l naccelerators=2"),
              ElementsAre("gres=gpu:1", "gres=gpu:1,gpu:2"));
  EXPECT_THAT(options_of("#SBATCH --export=ALL\n#PBS -v A=1"),
              ElementsAre("export=ALL", "export=ALL,A=1"));
  EXPECT_THAT(options_of("#SBATCH -C a\n#PBS -l proc=b"),
              ElementsAre("constraint=a", "constraint=b,a"));
}

TEST(PbsLines, GiveOptionsThePlaceAndTextOfTheirOrigin) {
  const SbatchOptions read = read_lines("#PBS -h -l nodes=2:ppn=4");
  ASSERT_EQ(read.options.size(), 3U);
  EXPECT_EQ(read.options[0], (SbatchOption{"hold", std::nullopt, 2, 6, "#PBS -h"}));
  EXPECT_EQ(read.options[1], (SbatchOption{"nodes", "2", 2, 9, "#PBS -l nodes=2:ppn=4"}));
  EXPECT_EQ(read.options[2], (SbatchOption{"ntasks", "8", 2, 9, "#PBS -l nodes=2:ppn=4"}));
  const std::string long_name(1000, 'x');
  EXPECT_LT(read_lines("#PBS -N " + long_name).options.at(0).text.size(), 210U);
}

TEST(PbsLines, ThatAreIgnoredAreNoted) {
  for (const char* line : {"-c n",
                           "-C x",
                           "-I",
                           "-j oe",
                           "--join",
                           "-k oe",
                           "-r y",
                           "-S /bin/sh",
                           "-u a",
                           "-V",
                           "-z",
                           "-W group_list=a",
                           "-l arch=x86",
                           "-l host=n1",
                           "-l opsys=linux",
                           "-l other=1",
                           "-l pmem=1",
                           "-l pvmem=1",
                           "-l software=x",
                           "-l vmem=5gb",
                           "-l feature=x"}) {
    const SbatchOptions read = read_lines("#PBS " + std::string(line));
    EXPECT_THAT(read.options, IsEmpty()) << line;
    EXPECT_THAT(read.problems, IsEmpty()) << line;
    EXPECT_THAT(told(read.notes), ElementsAre(testing::StartsWith("2:6: sbatch ignores \"")))
        << line;
  }
}

TEST(PbsLines, ThatMeanSomethingElseInPbsAreNoted) {
  EXPECT_THAT(notes_in("#PBS -l walltime=3600"),
              ElementsAre("2:6: sbatch reads \"3600\" as minutes, where PBS counts seconds (write "
                          "`#SBATCH --time=` with hours:minutes:seconds)"));
  EXPECT_THAT(notes_in("#PBS -p 5"),
              ElementsAre(HasSubstr("as --nice, which lowers the priority")));
  EXPECT_THAT(given(read_lines("#PBS -p 5")), ElementsAre("nice=5"));
  const SbatchOptions read = read_lines("#PBS -l nodes=2:bigmem:ppn=4");
  EXPECT_THAT(given(read), ElementsAre("nodes=2", "ntasks=8", "nodelist=bigmem"));
  EXPECT_THAT(told(read.notes),
              ElementsAre(HasSubstr("sbatch takes \"bigmem\" for the name of a node")));
}

TEST(PbsLines, ThatSbatchRefusesAreRefused) {
  const std::vector<std::pair<std::string_view, std::string_view>> rows = {
      {"-P project", "2:6: \"-P\" is no option of #PBS lines (write `#SBATCH --account=`)"},
      {"-R x", "2:6: \"-R\" is no option of #PBS lines (write a `#SBATCH` line)"},
      {"-l nodes=1 walltime=1:00:00", "2:17: \"walltime=1:00:00\" is no option"},
      {"-N", "2:6: \"-N\" has no value"},
      {"--nodes=4", "\"--nodes\" is no option of #PBS lines"},
      {"-m x", "2:6: \"x\" names no event for a mail"},
      {"-l naccelerators=two", "\"two\" is no number of accelerators"},
      {"-W umask=022", "(write `umask 022` in the script)"},
      {"-N 'a", "the quote ' is not closed"},
  };
  for (const auto& [line, text] : rows) {
    EXPECT_THAT(problems_in("#PBS " + std::string(line)), ElementsAre(HasSubstr(std::string(text))))
        << line;
  }
}

TEST(PbsLines, AreBounded) {
  EXPECT_THAT(problems_in("#PBS -l " + repeated("mem=1,", 700)),
              ElementsAre(HasSubstr("the resource list is longer than 4096 bytes")));
  const SbatchOptions read = read_lines(repeated("#PBS -h\n", 205));
  EXPECT_THAT(told(read.problems), ElementsAre(HasSubstr("202:6: more than 200 options")));
  EXPECT_EQ(read.options.size(), 200U);
  // Also where each replaces the one before.
  for (const char* line : {"#PBS -v A\n", "#PBS -l proc=a,,naccelerators=1\n"}) {
    EXPECT_THAT(problems_in(repeated(line, 210)), ElementsAre(HasSubstr("more than 200 options")))
        << line;
  }
}

TEST(BsubLines, AreTranslated) {
  const std::vector<Row> rows = {
      {"-c /a", {"chdir=/a"}},
      {"-cwd /a", {"chdir=/a"}},
      {"-J job -cwd /a", {"job-name=job", "chdir=/a"}},
      {"-e err -o out", {"error=err", "output=out"}},
      {"-J job", {"job-name=job"}},
      {"-m \"n1 n2\"", {"nodelist=n1,n2"}},
      {"-M 500", {"mem-per-cpu=500K"}},
      {"-M 500M", {"mem-per-cpu=500M"}},
      {"-n 4", {"ntasks=4"}},
      {"-n 2,4", {"ntasks=4"}},
      {"-q main", {"partition=main"}},
      {"-W 90", {"time=90"}},
      {"-W 1:30:00", {"time=1:30:00"}},
      {"-x", {"exclusive"}},
      {"--queue_name=main --exclusive", {"partition=main", "exclusive"}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.line);
    EXPECT_EQ(options_of("#BSUB " + std::string(row.line)), row.options);
  }
}

TEST(BsubLines, ThatMeanSomethingElseInLsfAreNoted) {
  EXPECT_THAT(
      notes_in("#BSUB -W 1:30"),
      ElementsAre("2:7: sbatch reads \"#BSUB -W 1:30\" as minutes and seconds (write `#SBATCH "
                  "--time=` with hours:minutes:seconds)"));
  EXPECT_THAT(notes_in("#BSUB -J a[1-3]"), ElementsAre(HasSubstr("sbatch makes no job array of")));
}

TEST(BsubLines, ThatSbatchRefusesAreRefused) {
  const std::vector<std::pair<std::string_view, std::string_view>> rows = {
      {"-R rusage[mem=5]", "2:7: \"-R\" is no option of #BSUB lines (write `#SBATCH --mem=`"},
      {"-P project", "2:7: \"-P\" is no option of #BSUB lines (write `#SBATCH --account=`"},
      {"-u a@b", "(write `#SBATCH --mail-user=`)"},
      {"-y", "(write a `#SBATCH` line)"},
      {"-n 2,", "\"2,\" ends with a comma"},
      {"-x -cwd /a", "2:15: \"/a\" is no option"},  // `-c wd`
      {"-n", "\"-n\" has no value (write `-n` with its value behind it)"},
  };
  for (const auto& [line, text] : rows) {
    EXPECT_THAT(problems_in("#BSUB " + std::string(line)),
                ElementsAre(HasSubstr(std::string(text))))
        << line;
  }
}

// Only names of the table may come out: whoever reads values knows no others.
TEST(ForeignLines, BecomeOptionsOfSbatch) {
  const SbatchOptions read = read_lines(
      "#PBS -a 1 -A a -d a -e a -h -J 1 -m a -M a -N a -o a -p 1 -q a -v a -W depend=a\n"
      "#PBS -l "
      "accelerator=true,cput=1:0:0,file=1,mem=1,nice=1,nodes=1:ppn=1:gpus=1+n1,walltime=1:0:0\n"
      "#PBS -l select=1:ncpus=2:mpiprocs=1 -l proc=a");
  const SbatchOptions lsf = read_lines("#BSUB -c a -e a -J a -m a -M 1 -n 1 -o a -q a -W 1 -x");
  EXPECT_EQ(read.options.size(), 29U);
  EXPECT_EQ(lsf.options.size(), 10U);
  for (const auto& options : {read.options, lsf.options}) {
    for (const SbatchOption& option : options) {
      const auto rows = sbatch_option_table();
      const auto row = std::find_if(rows.begin(), rows.end(), [&](const OptionRow& known) {
        return known.name == option.name;
      });
      ASSERT_NE(row, rows.end()) << option.name;
      EXPECT_TRUE(row->alias_of.empty()) << option.name;
    }
  }
}

}  // namespace
}  // namespace sconverge::test
