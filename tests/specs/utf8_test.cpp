#include "specs/utf8.h"

#include <gtest/gtest.h>

namespace sconverge {
namespace {

TEST(Utf8, TakesWellFormedText) {
  for (const char* text : {"", "abc", "\xC3\xA9", "\xE2\x82\xAC", "\xED\x9F\xBF", "\xEE\x80\x80",
                           "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_FALSE(first_invalid_utf8(text)) << text;
  }
}

TEST(Utf8, FindsTheFirstWrongByte) {
  const std::pair<std::string_view, std::size_t> cases[] = {
      {"ab\xFF", 2},            // never a byte of UTF-8
      {"a\xE9t\xE9", 1},        // Latin-1
      {"\x80", 0},              // continuation without a lead
      {"\xC0\xAF", 0},          // overlong
      {"\xC1\xBF", 0},          // overlong
      {"\xE0\x80\xAF", 0},      // overlong
      {"\xF0\x80\x80\xAF", 0},  // overlong
      {"\xED\xA0\x80", 0},      // surrogate
      {"\xF4\x90\x80\x80", 0},  // above U+10FFFF
      {"a\xC3", 1},             // cut
      {"a\xE2\x82", 1},         // cut
      {"\xC3(", 0},
      {"\xF0\x9F\x98"
       "a",
       0},
  };
  for (const auto& [text, at] : cases) EXPECT_EQ(first_invalid_utf8(text), at) << text;
}

TEST(Quoted, CutsLongTextBetweenCharacters) {
  EXPECT_EQ(in_quotes("short"), "\"short\"");
  EXPECT_EQ(in_quotes(std::string(60, 'a')), "\"" + std::string(60, 'a') + "\"");
  EXPECT_EQ(in_quotes(std::string(61, 'a')), "\"" + std::string(60, 'a') + "...\"");
  EXPECT_EQ(in_quotes(std::string(59, 'a') + "\xC3\xA9"), "\"" + std::string(59, 'a') + "...\"");
}

}  // namespace
}  // namespace sconverge
