#include <filesystem>

#include "tests/google/google_world.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class TokenInAFile : public testing::Test {
 protected:
  void write(const std::string& text) const {
    std::ofstream(path_ + ".new") << text;
    std::filesystem::rename(path_ + ".new", path_);
  }
  std::string now() {
    const auto token = tokens_->current();
    return token ? token->text : token.error().message;
  }

  TempDirectory directory_{};
  const std::string path_{directory_ / "token"};
  std::unique_ptr<AccessTokens> tokens_{make_token_file(path_)};
};

TEST_F(TokenInAFile, IsGivenWithoutTheBlanksAroundIt) {
  write("  first\r\n");
  EXPECT_EQ(now(), "first");
  EXPECT_EQ(tokens_->text(), "the token in " + path_);
  EXPECT_EQ(tokens_->quota_project(), "");
  EXPECT_EQ(tokens_->expiry(), std::nullopt);
}

TEST_F(TokenInAFile, IsReadAgainWhenTheFileChanges) {
  write("first");
  EXPECT_EQ(tokens_->current()->number, 1U);
  write("second");
  EXPECT_EQ(now(), "second");
  EXPECT_EQ(tokens_->current()->number, 2U);
  write("second\n");
  EXPECT_EQ(tokens_->current()->number, 2U);
}

TEST_F(TokenInAFile, IsDeniedWhileThereIsNoneAndGivenOnceThereIs) {
  EXPECT_THAT(tokens_->current(), FailsWith(ErrorKind::Denied));
  EXPECT_EQ(now(), "token file \"" + path_ + "\" cannot be read: No such file or directory");
  write("\n");
  EXPECT_THAT(now(), HasSubstr("holds no token"));
  write("first");
  EXPECT_EQ(now(), "first");
  std::filesystem::remove(path_);
  EXPECT_THAT(now(), HasSubstr("cannot be read"));
  write("first");
  EXPECT_EQ(tokens_->current()->number, 1U);
}

TEST_F(TokenInAFile, MustFitAHeaderAndIsNotShownIfItDoesNot) {
  for (const char* text : {"two words", "two\nlines", "byte\x01", "umlaut\xc3\xa4"}) {
    write(text);
    EXPECT_THAT(tokens_->current(), FailsWith(ErrorKind::Denied));
    EXPECT_THAT(now(), AllOf(HasSubstr("is not a single token"), Not(HasSubstr("two"))));
  }
}

TEST_F(TokenInAFile, IsReadAgainWhenItIsRefused) {
  write("first");
  EXPECT_EQ(now(), "first");
  EXPECT_FALSE(tokens_->renew(1));
  write("second");
  EXPECT_TRUE(tokens_->renew(1));
  EXPECT_EQ(now(), "second");
}

TEST_F(TokenInAFile, IsDeniedWhenItIsADirectory) {
  std::filesystem::create_directory(path_);
  EXPECT_THAT(now(), HasSubstr("is not a regular file"));
}

}  // namespace
}  // namespace sconverge::test
