#include "controller/slurm/token.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "controller/slurm/wire_claims.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {
namespace {

using testing::HasSubstr;
using testing::Not;

// {"alg":"HS256"}.{"exp":1900000000,"iat":1800000000,"sun":"alice"}
constexpr const char* kJwt =
    "eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjE5MDAwMDAwMDAsImlhdCI6MTgwMDAwMDAwMCwic3VuIjoiYWxpY2UifQ.c2ln";

class TokenTest : public testing::Test {
 protected:
  void write(const std::string& text) const {
    // As one should: a new file, renamed into place.
    std::ofstream(path_ + ".new") << text;
    std::filesystem::rename(path_ + ".new", path_);
  }

  TempDirectory directory_;
  std::string path_ = directory_.path() + "/token";
  TokenSource source_{path_};
};

TEST_F(TokenTest, TakesTheTokenWithoutTheBlanksAroundIt) {
  write("\n  secret-1 \r\n");
  EXPECT_EQ(source_.current()->text, "secret-1");
}

TEST_F(TokenTest, TakesTheWordWithoutTheVariableNameThatScontrolPrints) {
  write("SLURM_JWT=secret-1\n");
  EXPECT_EQ(source_.current()->text, "secret-1");
}

TEST_F(TokenTest, ReadsAReplacedFileAgain) {
  write("secret-1");
  EXPECT_EQ(source_.current()->number, 1U);
  write("secret-2");
  EXPECT_EQ(source_.current()->text, "secret-2");
  EXPECT_EQ(source_.current()->number, 2U);
}

TEST_F(TokenTest, ReadsAFileAgainThatWasWrittenInPlace) {
  write("secret-1");
  ASSERT_TRUE(source_.current());
  std::ofstream(path_) << "longer-secret-2";
  EXPECT_EQ(source_.current()->text, "longer-secret-2");
}

TEST_F(TokenTest, DeniesAMissingFileAndNamesIt) {
  const auto token = source_.current();
  ASSERT_FALSE(token);
  EXPECT_EQ(token.error().kind, ErrorKind::Denied);
  EXPECT_THAT(token.error().message, HasSubstr(path_));
}

TEST_F(TokenTest, DeniesAnEmptyFile) {
  write(" \n");
  ASSERT_FALSE(source_.current());
  EXPECT_EQ(source_.current().error().kind, ErrorKind::Denied);
  EXPECT_THAT(source_.current().error().message, HasSubstr("holds no token"));
}

TEST_F(TokenTest, DeniesADirectory) {
  std::filesystem::create_directory(path_);
  ASSERT_FALSE(source_.current());
  EXPECT_EQ(source_.current().error().kind, ErrorKind::Denied);
}

TEST_F(TokenTest, DeniesTextThatWouldEndAHeaderAndDoesNotShowIt) {
  write("secret\r\nX-SLURM-USER-NAME: root");
  ASSERT_FALSE(source_.current());
  EXPECT_THAT(source_.current().error().message, Not(HasSubstr("secret")));
}

TEST_F(TokenTest, RecoversOnceTheFileIsThere) {
  ASSERT_FALSE(source_.current());
  write("secret-1");
  EXPECT_TRUE(source_.current());
}

TEST_F(TokenTest, DeniesOnceTheFileIsGoneAlthoughItRemembersTheToken) {
  write("secret-1");
  ASSERT_TRUE(source_.current());
  std::filesystem::remove(path_);
  EXPECT_FALSE(source_.current());
}

TEST_F(TokenTest, RenewsOnlyIfThereIsANewerToken) {
  write("secret-1");
  const unsigned used = source_.current()->number;
  EXPECT_FALSE(source_.renew(used));
  write("secret-2");
  EXPECT_TRUE(source_.renew(used));
  // Another thread that used the old one profits from that, too.
  EXPECT_TRUE(source_.renew(used));
  EXPECT_FALSE(source_.renew(source_.current()->number));
}

TEST_F(TokenTest, TellsWhoseItIsAndWhenItExpires) {
  write(kJwt);
  const auto token = source_.current();
  EXPECT_EQ(token->user, "alice");
  EXPECT_EQ(token->expiry, TimePoint(seconds(1900000000)));
}

TEST(TokenVariableTest, TakesTheVariableWithoutAFile) {
  setenv("SLURM_JWT", " secret-3 ", 1);
  EXPECT_EQ(TokenSource("").current()->text, "secret-3");
  unsetenv("SLURM_JWT");
  const auto token = TokenSource("").current();
  ASSERT_FALSE(token);
  EXPECT_THAT(token.error().message, HasSubstr("SLURM_JWT"));
}

TEST(ClaimsTest, LeavesOutWhatItCannotRead) {
  for (const char* jwt : {"", "a.b", "a.!!!.c", "...", "a.e30.c", "a.eyJleHAiOiJ4In0.c"}) {
    const TokenClaims claims = claims_of_jwt(jwt);
    EXPECT_FALSE(claims.expiry) << jwt;
    EXPECT_EQ(claims.user, "") << jwt;
  }
}

}  // namespace
}  // namespace sconverge::test
