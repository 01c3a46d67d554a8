#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/app/document_text.h"
#include "controller/app/printable.h"
#include "controller/app/table.h"
#include "controller/app/time_text.h"

namespace sconverge::test {
namespace {

TEST(PrintableTest, KeepsPlainTextInAnyLanguage) {
  for (const char* text : {"", "hello", "größer", "日本", "🚀"}) EXPECT_EQ(printable(text), text);
}

TEST(PrintableTest, TakesTheTeethOutOfControlCharacters) {
  EXPECT_EQ(printable("a\nb\tc"), "a\\nb\\tc");
  EXPECT_EQ(printable("\x1b[31mred\x7f"), "\\x1b[31mred\\x7f");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

TEST(PrintableTest, TakesTheTeethOutOfEightBitControlsAndDirections) {
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");           // CSI
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\xe2\\x80\\xae");  // right-to-left override
  EXPECT_EQ(printable("\xe2\x80\xa8"), "\\xe2\\x80\\xa8");  // line separator
}

TEST(PrintableTest, ShowsBytesThatAreNotUtf8) {
  for (const char* text :
       {"\xff", "\xe9", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe2\x82"}) {
    EXPECT_THAT(printable(text), testing::StartsWith("\\x")) << text;
  }
  EXPECT_EQ(printable("caf\xe9!"), "caf\\xe9!");
}

TEST(PrintableTest, CountsCharactersNotBytes) {
  EXPECT_EQ(columns_of("größe"), 5U);
  EXPECT_EQ(columns_of(""), 0U);
}

TEST(TimeTextTest, WritesAgesAsKubectlDoes) {
  const std::pair<int, const char*> ages[] = {
      {-5, "0s"},       {0, "0s"},         {59, "59s"},      {119, "119s"},      {120, "2m"},
      {192, "3m12s"},   {599, "9m59s"},    {600, "10m"},     {10799, "179m"},    {10800, "3h"},
      {15000, "4h10m"}, {28800, "8h"},     {172799, "47h"},  {172800, "2d"},     {183600, "2d3h"},
      {691200, "8d"},   {8640000, "100d"}, {63072000, "2y"}, {64800000, "2y20d"}};
  for (const auto& [age, text] : ages) EXPECT_EQ(age_text(seconds{age}), text) << age;
}

TEST(TimeTextTest, WritesTimesInUtc) {
  const TimePoint time{milliseconds{1769860805123}};
  EXPECT_EQ(time_text(time), "2026-01-31T12:00:05Z");
  EXPECT_EQ(time_text_with_milliseconds(time), "2026-01-31T12:00:05.123Z");
}

TEST(TableTest, AlignsColumnsThreeSpacesApartWithoutTrailingOnes) {
  EXPECT_EQ(
      table_text({"NAME", "X", "LAST"}, {{{"größer"}, {"1"}, {"a"}}, {{"b"}, {""}, {""}}}, {}),
      "NAME     X   LAST\n"
      "größer   1   a\n"
      "b\n");
}

TEST(TableTest, MakesCellsPrintable) {
  EXPECT_EQ(table_text({"A"}, {{{"x\ny\x1b"}}}, {}), "A\nx\\ny\\x1b\n");
}

TEST(TableTest, ColoursOnlyWhenAskedAndAlignsAllTheSame) {
  const std::vector<std::vector<Cell>> rows{{{"ok", Style::Green}, {"z"}}};
  EXPECT_EQ(table_text({"A", "B"}, rows, {false}), "A    B\nok   z\n");
  EXPECT_EQ(table_text({"A", "B"}, rows, {true}),
            "\x1b[1mA\x1b[0m    \x1b[1mB\x1b[0m\n\x1b[32mok\x1b[0m   z\n");
}

TEST(DocumentTextTest, KeepsJsonAsItIs) {
  EXPECT_EQ(document_text("{\"a\": 1}", false), "{\"a\": 1}\n");
}

TEST(DocumentTextTest, WritesYamlInBlocks) {
  EXPECT_EQ(document_text(R"({"a": 1, "list": [{"b": "x", "c": ["d", 2]}, "e"], "none": [],
                             "map": {"k": true, "z": null, "empty": {}}})",
                          true),
            "a: 1\n"
            "list:\n"
            "- b: x\n"
            "  c:\n"
            "  - d\n"
            "  - 2\n"
            "- e\n"
            "none: []\n"
            "map:\n"
            "  k: true\n"
            "  z: null\n"
            "  empty: {}\n");
}

TEST(DocumentTextTest, QuotesWhatYamlWouldTakeForSomethingElse) {
  for (const char* text :
       {"",     "1",  "1.5", "true",       "No", "NULL",   "y",           "a: b", "- a",  "#a",
        "a #b", "*a", "'a'", "2026-01-31", " a", " a\\nb", "a\\n\\u0001", "0x1",  ".inf", "~"}) {
    const std::string json = "{\"k\": \"" + std::string(text) + "\"}";
    EXPECT_EQ(document_text(json, true), "k: \"" + std::string(text) + "\"\n");
  }
  EXPECT_EQ(document_text(R"({"k": "train-resnet"})", true), "k: train-resnet\n");
}

TEST(DocumentTextTest, ShowsTextOfSeveralLinesAsSuchWithTheEndItHas) {
  EXPECT_EQ(document_text(R"({"k": {"s": "a\n\n  b\n", "t": 1}})", true),
            "k:\n  s: |\n    a\n\n      b\n  t: 1\n");
  EXPECT_EQ(document_text(R"({"s": "a\nb"})", true), "s: |-\n  a\n  b\n");
  EXPECT_EQ(document_text(R"({"s": "a\nb\n\n"})", true), "s: |+\n  a\n  b\n\n");
}

}  // namespace
}  // namespace sconverge::test
