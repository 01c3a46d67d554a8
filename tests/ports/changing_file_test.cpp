#include "controller/ports/changing_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/support/matchers.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {
namespace {

struct ChangingFileTest : testing::Test {
  void write(const std::string& text) const { std::ofstream(path, std::ios::trunc) << text; }
  [[nodiscard]] std::string why_not() const {
    const auto file = read_changing_file(path);
    if (file) return "it is read";
    EXPECT_EQ(file.error().kind, ErrorKind::Denied);
    return file.error().message;
  }

  TempDirectory directory{};
  std::string path{directory / "file"};
};

TEST_F(ChangingFileTest, AllOfItIsReadWithTheStampOfThen) {
  const std::string text = std::string(10'000, 'x') + std::string("\0\n", 2);
  write(text);
  const std::string stamp = stamp_of(path);
  const auto file = read_changing_file(path);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->text, text);
  EXPECT_EQ(file->stamp, stamp);
  EXPECT_EQ(stamp_of(path), stamp) << "reading is no change";
}

TEST_F(ChangingFileTest, TheStampTellsAChangedAReplacedAndAMissingFile) {
  const std::string none = stamp_of(path);
  write("a");
  const std::string first = stamp_of(path);
  EXPECT_NE(first, none);
  write("bb");
  const std::string changed = stamp_of(path);
  EXPECT_NE(changed, first);
  std::ofstream(directory / "fresh") << "bb";
  std::filesystem::rename(directory / "fresh", path);
  EXPECT_NE(stamp_of(path), changed);
  std::filesystem::remove(path);
  EXPECT_EQ(stamp_of(path), none);
}

TEST_F(ChangingFileTest, ALinkThatIsTurnedIsAChange) {
  std::ofstream(directory / "one") << "a";
  std::ofstream(directory / "two") << "a";
  std::filesystem::create_symlink("one", path);
  const std::string first = stamp_of(path);
  std::filesystem::create_symlink("two", directory / "fresh");
  std::filesystem::rename(directory / "fresh", path);
  EXPECT_NE(stamp_of(path), first);
}

TEST_F(ChangingFileTest, WhatCannotBeReadIsAReasonThatFitsBehindItsName) {
  EXPECT_EQ(why_not(), "cannot be read: No such file or directory");
  std::filesystem::create_directory(path);
  EXPECT_EQ(why_not(), "is not a regular file");
  std::filesystem::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(why_not(), "is not a regular file");
  std::filesystem::remove(path);
  write(std::string(1024UL * 1024, 'x'));
  EXPECT_TRUE(read_changing_file(path).ok());
  write(std::string(1024UL * 1024 + 1, 'x'));
  EXPECT_EQ(why_not(), "is larger than 1 MiB");
}

TEST_F(ChangingFileTest, TellsWhetherEverybodyCanReadIt) {
  write("a");
  ::chmod(path.c_str(), 0640);
  EXPECT_FALSE(read_changing_file(path)->world_readable);
  ::chmod(path.c_str(), 0644);
  EXPECT_TRUE(read_changing_file(path)->world_readable);
}

}  // namespace
}  // namespace sconverge::test
