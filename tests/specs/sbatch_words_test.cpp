#include "specs/sbatch_words.h"

#include <gtest/gtest.h>

#include "tests/specs/sbatch_text.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Row {
  std::string_view line;  // behind `#SBATCH`
  std::vector<std::string> words;
};

TEST(SbatchWords, AreSplitAsSbatchSplitsThem) {
  const std::vector<Row> rows = {
      {"", {}},
      {"  ", {}},
      {" a b", {"a", "b"}},
      {"a\tb\vc\fd\re", {"a", "b", "c", "d", "e"}},
      {" a\xC2\xA0"
       "b \xE2\x80\x93n",
       {"a\xC2\xA0"
        "b",
        "\xE2\x80\x93n"}},
      // Quotes group, of either kind, also in the middle of a word.
      {" -J \"my job\"z", {"-J", "my jobz"}},
      {" 'my job'", {"my job"}},
      {" a\"b c\"'d e'f", {"ab cd ef"}},
      {" \"it's\" '\"'", {"it's", "\""}},
      {" 'a\tb'", {"a\tb"}},
      // A backslash takes the next byte as it is, the same inside of both kinds of quotes.
      {" a\\ b", {"a b"}},
      {" a\\nb", {"anb"}},
      {" a\\\\b", {"a\\b"}},
      {" 'a\\'b'", {"a'b"}},
      {" \"a\\\"b\"", {"a\"b"}},
      {" \\\"a b", {"\"a", "b"}},
      {" \"a\\nb\"", {"anb"}},
      {" \"a\\\tb\"", {"a\tb"}},
      // but outside of quotes no blank other than a space.
      {" a\\\tb", {"a", "b"}},
      // An unescaped # ends the line.
      {" a # b", {"a"}},
      {" # a", {}},
      {" a\\#b c", {"a#b", "c"}},
      {" 'a#b' c", {"a#b", "c"}},
      {" \"a#b\" c", {"a#b", "c"}},
      {" a # it's", {"a"}},
      {" a ## b", {"a"}},
      // A word that is not empty as a whole goes on.
      {" --comment= b", {"--comment=", "b"}},
      {" --job-name=\"\" b", {"--job-name=", "b"}},
      {" \"\"a b", {"a", "b"}},
      {" a:b :", {"a:b"}},
      {" \":a\" b", {":a", "b"}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.line);
    SbatchFindings findings;
    const Directive directive{.line = 7, .column = 8, .text = row.line};
    std::vector<std::string> texts;
    for (const SbatchWord& word : sbatch_words({&directive, 1}, findings)) {
      texts.push_back(word.text);
      EXPECT_EQ(word.line, 7);
    }
    EXPECT_EQ(texts, row.words);
    EXPECT_THAT(findings.notes, IsEmpty());
  }
}

TEST(SbatchWords, KnowTheirColumn) {
  SbatchFindings findings;
  const std::vector<Directive> directives = {{.line = 2, .column = 8, .text = " ab 'c d'"},
                                             {.line = 5, .column = 7, .text = "e"}};
  const std::vector<SbatchWord> words = sbatch_words(directives, findings);
  ASSERT_EQ(words.size(), 3U);
  EXPECT_EQ(words[0].column, 9);
  EXPECT_EQ(words[1].column, 12);
  EXPECT_EQ(words[2].line, 5);
  EXPECT_EQ(words[2].column, 7);
}

TEST(SbatchWords, EndAtANumberSignInsideAWordWhichIsNoted) {
  const SbatchOptions read =
      read_lines("#SBATCH --job-name=a#b -N2\n#SBATCH --gres=gpu:2#it's two");
  EXPECT_THAT(given(read), ElementsAre("job-name=a", "gres=gpu:2"));
  EXPECT_THAT(
      told(read.notes),
      ElementsAre("2:21: sbatch ends the line at the `#`, also inside a word: \"#b -N2\" is not "
                  "read (put a blank before a remark, and write \\# in a value)",
                  HasSubstr("3:21: sbatch ends the line at the `#`")));
}

TEST(SbatchWords, EndAtAnEmptyWordWhichIsNotedIfSomethingIsLost) {
  const SbatchOptions read = read_lines("#SBATCH --comment \"\" -N2\n#SBATCH -n3");
  EXPECT_THAT(given(read), ElementsAre("comment=-n3"));
  EXPECT_THAT(
      told(read.notes),
      ElementsAre(HasSubstr("2:9: \"--comment\" takes \"-n3\" for its value, from line 3"),
                  "2:19: sbatch ends the line at an empty word: \"-N2\" is not read (write an "
                  "empty value as `--option=`)"));
  EXPECT_THAT(options_of("#SBATCH -N2 ''"), ElementsAre("nodes=2"));
  EXPECT_THAT(options_of("#SBATCH -N2 '' # remark"), ElementsAre("nodes=2"));
}

TEST(SbatchWords, WithAnOpenQuoteAreRefused) {
  const SbatchOptions read = read_lines("#SBATCH -J \"a b\n#SBATCH -N2 'c\n#SBATCH -n3 '");
  EXPECT_THAT(
      told(read.problems),
      ElementsAre("2:12: the quote \" is not closed (close it on the same line, or write \\\")",
                  HasSubstr("3:13: the quote ' is not closed"),
                  HasSubstr("3:13: \"c\" is no option"),
                  HasSubstr("4:13: the quote ' is not closed")));
  EXPECT_THAT(given(read), ElementsAre("job-name=a b", "nodes=2", "ntasks=3"));
  EXPECT_THAT(read.notes, IsEmpty());
}

TEST(SbatchWords, WithAColonInFrontAreRefused) {
  const SbatchOptions read = read_lines("#SBATCH -N2 : -n3\n#SBATCH :x -c2");
  EXPECT_THAT(told(read.problems),
              ElementsAre(HasSubstr("2:13: sbatch takes no word that begins with `:`"),
                          HasSubstr("3:9: sbatch takes no word that begins with `:`")));
  EXPECT_THAT(given(read), ElementsAre("nodes=2", "ntasks=3", "cpus-per-task=2"));
}

TEST(SbatchWords, ThatAreTooManyAreRefused) {
  std::string script = "#!/bin/sh\n#SBATCH";
  for (std::size_t i = 0; i < kMaxSbatchWords; ++i) script += " -v";
  EXPECT_THAT(read_sbatch_options(script).problems, IsEmpty());
  const SbatchOptions read = read_sbatch_options(script + " -v");
  EXPECT_THAT(told(read.problems), ElementsAre(HasSubstr("more than 20000 words")));
  EXPECT_EQ(read.problems[0].kind, ProblemKind::TooLarge);
  EXPECT_EQ(read.options.size(), kMaxSbatchWords);
}

TEST(SbatchWords, ThatAreNotUtf8AreToldInAscii) {
  EXPECT_THAT(problems_in("#SBATCH x\xE9"), ElementsAre(HasSubstr("\"x?\" is no option")));
}

}  // namespace
}  // namespace sconverge::test
