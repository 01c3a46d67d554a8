#include "controller/slurm/utf8_repair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "specs/utf8.h"
#include "tests/slurm/golden.h"

namespace sconverge::test {
namespace {

constexpr const char* kBad = "\xEF\xBF\xBD";

std::string repaired(const std::string& bytes, std::size_t piece = 4096) {
  TextSource raw(bytes, piece);
  Utf8Repair repair(raw);
  std::string text;
  for (auto part = repair.next(); !part.empty(); part = repair.next()) text += part;
  return text;
}

TEST(Utf8RepairTest, LeavesGoodTextAsItIs) {
  const std::string text = "job \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80 end";
  for (std::size_t piece = 1; piece < 6; ++piece) EXPECT_EQ(repaired(text, piece), text);
}

TEST(Utf8RepairTest, ReplacesALatinOneByte) {
  EXPECT_EQ(repaired("caf\xE9 au lait"), std::string("caf") + kBad + " au lait");
}

TEST(Utf8RepairTest, ReplacesOverlongFormsSurrogatesAndTooLargeValues) {
  for (const char* bytes : {"\xC0\xAF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                            "\xF8\x88\x80\x80\x80", "\xFF", "\x80"}) {
    const std::string text = repaired(std::string("a") + bytes + "b");
    EXPECT_FALSE(first_invalid_utf8(text)) << text;
    EXPECT_TRUE(text.starts_with("a") && text.ends_with("b")) << text;
  }
}

TEST(Utf8RepairTest, ReplacesACutOffCharacterOnceAndKeepsWhatFollows) {
  EXPECT_EQ(repaired("\xE2\x82"
                     "x"),
            std::string(kBad) + "x");
  EXPECT_EQ(repaired("x\xF0\x9F\x98"), std::string("x") + kBad);
}

TEST(Utf8RepairTest, GivesTheSameTextInPiecesOfAnySize) {
  std::string bytes;
  for (int i = 0; i < 3000; ++i) bytes.push_back(static_cast<char>((i * 37 + i / 7) % 256));
  const std::string whole = repaired(bytes);
  EXPECT_FALSE(first_invalid_utf8(whole));
  for (const std::size_t piece : {1U, 2U, 3U, 5U, 7U, 64U})
    EXPECT_EQ(repaired(bytes, piece), whole);
}

TEST(Utf8RepairTest, EndsWhenTheBytesEnd) { EXPECT_EQ(repaired(""), ""); }

}  // namespace
}  // namespace sconverge::test
