#include "tests/specs/spec_text.h"

// Files made to exhaust a parser. That each of these tests ends is half of what it shows.
namespace sconverge::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string repeated(std::string_view part, std::size_t bytes = 64 * 1024) {
  std::string text;
  while (text.size() + part.size() <= bytes) text += part;
  return text;
}

TEST(Limits, AFileMayHaveOneMebibyte) {
  std::string text = spec_text() + "#";
  text.resize(kMaxSpecFileBytes, 'x');
  EXPECT_THAT(problems_of(text), IsEmpty());
  text += 'x';
  const SpecFile file = read_text(text);
  ASSERT_THAT(file.problems, SizeIs(1));
  EXPECT_EQ(file.problems[0].kind, ProblemKind::TooLarge);
  EXPECT_THAT(file.problems[0].what, HasSubstr("larger than 1 MiB"));
}

TEST(Limits, AnAliasBombIsDefused) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int n = 0; n < 9; ++n) text += last + " ,";
    text += "]\n";
  }
  const SpecFile file = read_text(text);
  ASSERT_THAT(file.problems, SizeIs(1));
  EXPECT_EQ(file.problems[0].kind, ProblemKind::TooLarge);
  EXPECT_THAT(file.problems[0].what,
              HasSubstr("aliases of this document stand for more than 1 MiB"));
  EXPECT_FALSE(file.names_known);
}

TEST(Limits, ALongTextIsNotRepeatedByAliasesWithoutEnd) {
  const std::string text = spec_text("    environment: [&a A=" + std::string(100'000, 'x') +
                                     repeated(", *a", 40'000) + "]\n");
  EXPECT_THAT(problems_of(text), HasSubstr("stand for more than 1 MiB"));
}

TEST(Limits, AnAliasCannotHoldItself) {
  EXPECT_THAT(problems_of("a: &a [*a]\n"), HasSubstr("an alias inside the value that it repeats"));
  EXPECT_THAT(problems_of("a: &a {b: *a}\n"),
              HasSubstr("an alias inside the value that it repeats"));
}

TEST(Limits, AliasesStartAgainWithEachDocument) {
  const std::string one =
      spec_text("    standard_output: &a " + std::string(4000, 'x') + "\n    standard_error: *a\n");
  std::string text;
  for (int i = 0; i < 100; ++i) {
    std::string document = one;
    document.replace(document.find("train"), 5, "train-" + std::to_string(i));
    text += "---\n" + document;
  }
  EXPECT_THAT(problems_of(text), IsEmpty());
  EXPECT_THAT(problems_of("---\na: &a 1\n---\nb: *a\n"), HasSubstr("anchor is not defined"));
}

TEST(Limits, ADepthBombIsDefused) {
  std::string blocks;
  for (std::size_t depth = 0; depth < 1400; ++depth) blocks += std::string(depth, ' ') + "a:\n";
  for (const std::string& text : {repeated("["), repeated("{"), repeated("{a: "), repeated("- "),
                                  repeated("? "), repeated("[? "), std::move(blocks)}) {
    const SpecFile file = read_text(text);
    EXPECT_THAT(file.specs, IsEmpty());
    EXPECT_FALSE(file.names_known);
    ASSERT_THAT(file.problems, SizeIs(1)) << text.substr(0, 20);
    EXPECT_THAT(file.problems[0].what, HasSubstr("nested more than 32 deep")) << text.substr(0, 20);
  }
}

TEST(Limits, ManyValuesAreRefused) {
  EXPECT_THAT(problems_of("[" + repeated("a,", 500'000) + "]"),
              HasSubstr("more than 200,000 values in one file"));
}

TEST(Limits, ManyProblemsAreCounted) {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += "partitionn" + std::to_string(i) + ": 1\n";
  const SpecFile file = read_text(text);
  ASSERT_THAT(file.problems, SizeIs(1001));
  EXPECT_THAT(file.problems.back().what, HasSubstr("further problems are not listed"));
}

TEST(Limits, TediousFilesComeToAnEnd) {
  for (const char* part :
       {"---\n",      "--- a\n", "{}\n---\n",  "a: 1\n",   "&a ",      "*a ",    "!a ",
        "%TAG ! x\n", "%x\n",    "|\n",        "- >\n",    ",",        ":",      ": ",
        "?\n",        "-",       "...\n",      "#\n",      "\n",       "\t",     " ",
        "\r",         "\r\n",    "'",          "\"",       "\"a\" ",   "\\",     "a\n",
        "a: |\n x\n", "`",       "@",          "\xC3\xA9", "- &a x\n", "- *a\n", "<<: 1\n",
        "]",          "}",       "? a\n: b\n", "[a]: b\n", "'a':b\n"}) {
    const SpecFile file = read_text(repeated(part));
    EXPECT_THAT(file.specs, IsEmpty()) << part;
    EXPECT_THAT(file.problems, Not(IsEmpty())) << part;
  }
}

TEST(Limits, AnnotationsHaveAQuarterMebibyte) {
  const std::string start =
      "apiVersion: sconverge/v1\nkind: Job\nspec: {script: '#!/bin/sh'}\nmetadata: {name: a, "
      "annotations: {k: ";
  EXPECT_THAT(problems_of(start + std::string(256 * 1024 - 1, 'x') + "}}\n"), IsEmpty());
  EXPECT_THAT(problems_of(start + std::string(256 * 1024, 'x') + "}}\n"),
              HasSubstr("larger than 256 KiB"));
}

}  // namespace
}  // namespace sconverge::test
