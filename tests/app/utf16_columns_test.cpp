#include "controller/app/utf16_columns.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temp_directory.h"

namespace sconverge::test {
namespace {

TEST(Utf16Column, IsTheByteInPlainText) {
  for (const int column : {1, 2, 5, 6}) EXPECT_EQ(utf16_column("abcde", column), column);
}

TEST(Utf16Column, CountsCharactersAndThoseAboveU10000Twice) {
  const std::string line = "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80x";  // 2, 3, 4 and 1 bytes
  EXPECT_EQ(utf16_column(line, 1), 1);
  EXPECT_EQ(utf16_column(line, 3), 2);
  EXPECT_EQ(utf16_column(line, 6), 3);
  EXPECT_EQ(utf16_column(line, 10), 5);
  EXPECT_EQ(utf16_column(line, 11), 6);
}

TEST(Utf16Column, WithinACharacterIsTheCharacters) {
  EXPECT_EQ(utf16_column("a\xE2\x82\xAC", 3), 2);
  EXPECT_EQ(utf16_column("a\xE2\x82\xAC", 4), 2);
}

TEST(Utf16Column, IsTotal) {
  EXPECT_EQ(utf16_column("", 1), 1);
  EXPECT_EQ(utf16_column("", 4), 4);
  EXPECT_EQ(utf16_column("ab", 0), 1);
  EXPECT_EQ(utf16_column("ab", -7), 1);
  EXPECT_EQ(utf16_column("ab", 9), 9);
  EXPECT_EQ(utf16_column("\xFF\x80\xC3q", 4), 4);
  EXPECT_EQ(utf16_column("\xF0\x9F", 3), 3);
}

TEST(CountInUtf16, ReadsTheLinesOfTheFiles) {
  const TempDirectory directory;
  const std::string file = directory / "a.yaml";
  std::ofstream(file) << "x\n\xC3\xA4: \xC3\xA4 b\n";
  const auto at = [&](const std::string& name, int line, int column) {
    return Problem{name, line, column, "", "is odd", "", ProblemKind::Schema};
  };
  std::vector<Problem> problems = {at(file, 2, 8), at(file, 1, 1),   at(file, 2, 0),
                                   at(file, 9, 8), at("none", 2, 8), at(file, 0, 8)};
  count_in_utf16(problems);
  std::vector<int> columns;
  columns.reserve(problems.size());
  for (const Problem& problem : problems) columns.push_back(problem.column);
  EXPECT_EQ(columns, (std::vector<int>{6, 1, 0, 8, 8, 8}));
}

}  // namespace
}  // namespace sconverge::test
