#include "specs/problem.h"

#include <gtest/gtest.h>

#include <set>

#include "specs/problem_sink.h"

namespace sconverge {
namespace {

TEST(Problem, ReadsLikeACompilersMessage) {
  const Problem problem{.file = "a/b.yaml",
                        .line = 3,
                        .column = 7,
                        .field = "spec.job.nodes",
                        .what = "is empty",
                        .remedy = "remove it"};
  EXPECT_EQ(to_text(problem), "a/b.yaml:3:7: spec.job.nodes: is empty (remove it)");
}

TEST(Problem, LeavesOutWhatIsUnknown) {
  EXPECT_EQ(
      to_text(Problem{.file = "a", .line = 3, .column = 0, .field = "", .what = "x", .remedy = ""}),
      "a:3: x");
  EXPECT_EQ(
      to_text(Problem{.file = "a", .line = 0, .column = 7, .field = "", .what = "x", .remedy = ""}),
      "a: x");
  EXPECT_EQ(
      to_text(Problem{
          .file = "", .line = 1, .column = 1, .field = "--specs", .what = "x", .remedy = "y"}),
      "--specs: x (y)");
}

TEST(Problem, CannotWriteToATerminal) {
  const std::string text = to_text(Problem{.file = "a\x1b[31m",
                                           .line = 0,
                                           .column = 0,
                                           .field = "f\n",
                                           .what = "\x07\x7f\t",
                                           .remedy = "\xC2\x9B"
                                                     "31m \xC3\xA9"});
  EXPECT_EQ(text, "a\\x1b[31m: f\\x0a: \\x07\\x7f\\x09 (\\x9b31m \xC3\xA9)");
}

TEST(Problem, EachKindHasAWordOfItsOwn) {
  std::set<std::string_view> words;
  for (const ProblemKind kind :
       {ProblemKind::Syntax, ProblemKind::Schema, ProblemKind::Duplicate, ProblemKind::TooLarge,
        ProblemKind::Permission, ProblemKind::Io, ProblemKind::Policy}) {
    words.insert(to_text(kind));
  }
  EXPECT_EQ(words.size(), 7U);
}

Problem at_line(int line) {
  return {.file = "", .line = line, .column = 1, .field = "", .what = "x", .remedy = ""};
}

TEST(ProblemSink, SortsByPlaceAndNamesTheFile) {
  ProblemSink sink("f.yaml");
  sink.add(at_line(2));
  sink.add(at_line(1));
  const auto problems = sink.take();
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_EQ(to_text(problems[0]), "f.yaml:1:1: x");
  EXPECT_TRUE(sink.empty());
}

TEST(ProblemSink, CountsWhatItDoesNotKeep) {
  ProblemSink sink("f.yaml");
  for (int i = 1; i <= 1005; ++i) sink.add(at_line(i));
  EXPECT_EQ(sink.mark(), 1005U);
  const auto problems = sink.take();
  ASSERT_EQ(problems.size(), 1001U);
  EXPECT_EQ(problems.back().what, "5 further problems are not listed");
}

}  // namespace
}  // namespace sconverge
