// docs/logging.md says which words log lines are made of. SCONVERGE_ACCEPT=1 in the environment
// writes its table anew.
#include "controller/app/log_words.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace sconverge::test {
namespace {

constexpr const char* kDocument = SCONVERGE_SOURCE_DIR "/docs/logging.md";
constexpr std::string_view kBegin = "<!-- keys: begin -->\n";
constexpr std::string_view kEnd = "<!-- keys: end -->\n";

std::string document() {
  std::ostringstream text;
  text << std::ifstream(kDocument).rdbuf();
  return text.str();
}

std::string table() {
  std::string text = "| Key | Value |\n|---|---|\n";
  const auto add = [&](const LogKeyMeaning& row) {
    text += "| `" + std::string(row.key) + "` | " + std::string(row.meaning) + " |\n";
  };
  for (const auto& row : kEveryLine) add(row);
  for (const auto& row : kLogKeys) add(row);
  return text;
}

TEST(LogWordsTest, TheDocumentHasEveryKeyAndNoOther) {
  std::string text = document();
  const auto begin = text.find(kBegin);
  const auto end = text.find(kEnd);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const auto from = begin + kBegin.size();
  if (std::getenv("SCONVERGE_ACCEPT") != nullptr) {
    std::ofstream(kDocument) << text.replace(from, end - from, table());
    return;
  }
  EXPECT_EQ(text.substr(from, end - from), table());
}

TEST(LogWordsTest, TheDocumentNamesEveryPartThatSpeaks) {
  const std::string text = document();
  for (const auto logger : kLoggers) {
    EXPECT_NE(text.find("`" + std::string(logger) + "`"), std::string::npos) << logger;
  }
}

TEST(LogWordsTest, KeysAreSortedSnakeCaseAndDifferent) {
  std::set<std::string_view> all;
  for (const auto& row : kEveryLine) EXPECT_TRUE(all.insert(row.key).second) << row.key;
  std::string_view before;
  for (const auto& row : kLogKeys) {
    EXPECT_LT(before, row.key);
    EXPECT_TRUE(all.insert(row.key).second) << row.key;
    EXPECT_EQ(row.key.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos);
    before = row.key;
  }
}

}  // namespace
}  // namespace sconverge::test
