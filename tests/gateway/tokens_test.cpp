#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "controller/gateway/bearer_tokens.h"
#include "tests/support/temp_directory.h"

namespace sconverge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr const char* kToken = "0123456789abcdef";
// printf %s 0123456789abcdef | sha256sum
constexpr const char* kDigest = "9f9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f";

struct TokensFile : testing::Test {
  void write(const std::string& text, mode_t mode = 0600) {
    const std::string fresh = directory / "fresh";
    std::ofstream(fresh) << text;
    ::chmod(fresh.c_str(), mode);
    std::filesystem::rename(fresh, file);
  }
  void open() {
    auto opened = BearerTokens::open(file, [this](const TokensNews& one) { news.push_back(one); });
    ASSERT_TRUE(opened) << opened.error().message;
    tokens = std::move(*opened);
  }
  bool takes(const std::string& token) { return tokens->bearer_of("Bearer " + token).has_value(); }

  TempDirectory directory;
  std::string file{directory / "tokens.yaml"};
  std::vector<TokensNews> news{};
  std::unique_ptr<BearerTokens> tokens{};
};

struct BadFile {
  std::string text;
  std::string says;  ///< after the file's name
};

TEST(GatewayTokens, YamlAndJsonAreRead) {
  for (const std::string& text :
       {"tokens:\n- token: 0123456789abcdef\n  permission: run\n  name: ci runner\n"
        "- {sha256: " +
            std::string(kDigest) + "0, permission: read}\n",
        R"({"tokens":[{"token":"0123456789abcdef","permission":"run","name":"ci runner"},)"
        R"({"sha256":")" +
            std::string(kDigest) + R"(0","permission":"read"}]})"}) {
    std::string good = text;
    good.erase(good.find(kDigest), 1);  // 64 digits again, of another token
    const auto read = read_token_entries(good, "t.yaml");
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->entries.size(), 2U);
    EXPECT_EQ(read->entries[0].name, "ci runner");
    EXPECT_EQ(read->entries[0].permission, TokenPermission::Run);
    EXPECT_EQ(read->entries[1].name, "#2");
    EXPECT_EQ(read->entries[1].permission, TokenPermission::Read);
    EXPECT_TRUE(read->plain);
  }
}

TEST(GatewayTokens, WrongFilesAreRefusedWithTheirLineAndWithoutTheirText) {
  const std::string digest = kDigest;
  for (const auto& [text, says] : std::vector<BadFile>{
           {"", "1: there is not one document"},
           {"secretsecretsecret", "1: the file holds something else"},
           {"tokens: secretsecretsecret", "1: tokens is not a list"},
           {"tokens: {token: secretsecretsecret}", "1: tokens is not a list"},
           {"tokens:\n", "1: tokens is not a list"},
           {"secretsecretsecret: []", "1: the file holds something else"},
           {"tokens: []\nsecretsecretsecret: 1", "1: the file holds something else"},
           {"tokens: []\n---\ntokens: []", "1: there is not one document"},
           {"tokens: [\n  {token: \"secretsecretsecret", "this is not the YAML of a tokens file"},
           {"tokens:\n- !secretsecretsecret x", "2: this is not the YAML of a tokens file"},
           {"tokens: [\xFF]", "1: the file is not UTF-8"},
           {"tokens:\n- secretsecretsecret", "2: the entry is not a map"},
           {"tokens:\n- {}", "2: the entry has no token"},
           {"tokens:\n- permission: run\n", "2: the entry has no token"},
           {"tokens:\n- token: secretsecretsecret\n", "2: the entry has no permission"},
           {"tokens:\n- token: secretsecretsecret\n  permission: secret\n",
            "3: the permission is unknown; write run or read"},
           {"tokens:\n- token:\n  permission: run", "2: token has no value"},
           {"tokens:\n- token: ''\n  permission: run", "2: token has no value"},
           {"tokens:\n- token: [secretsecretsecret]\n  permission: run", "2: token has no value"},
           {"tokens:\n- token: secret012345678\n  permission: run",
            "2: the token is shorter than 16 characters"},
           {"tokens:\n- token: secret secret secret\n  permission: run",
            "2: the token holds blanks"},
           {"tokens:\n- token: \"secretsecretsecret\\n\"\n  permission: run",
            "2: the token holds blanks"},
           {"tokens:\n- token: secretsecretsecre\xC3\xA9\n  permission: run",
            "2: the token holds blanks"},
           {"tokens:\n- sha256: secret\n  permission: run", "2: sha256 is not 64 hexadecimal"},
           {"tokens:\n- sha256: " + digest.substr(1) + "g\n  permission: run",
            "2: sha256 is not 64 hexadecimal"},
           {"tokens:\n- sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n"
            "  permission: run",
            "2: sha256 is that of an empty text"},
           {"tokens:\n- token: secretsecretsecret\n  sha256: " + digest + "\n  permission: run",
            "3: the entry has both token and sha256"},
           {"tokens:\n- token: secretsecretsecret\n  token: secretsecretsecret\n  permission: run",
            "3: token stands there twice"},
           {"tokens:\n- token: secretsecretsecret\n  secretsecret: x\n  permission: run",
            "3: the entry has an unknown key"},
           {"tokens:\n- token: secretsecretsecret\n  permission: run\n  name: \"secret\\n\"\n",
            "4: the name is longer than 63 characters or not all ASCII"},
           {"tokens:\n- token: secretsecretsecret\n  permission: run\n  name: " +
                std::string(64, 's') + "\n",
            "4: the name is longer"},
           {"tokens:\n- {token: secretsecretsecret, permission: run}\n"
            "- {token: secretsecretsecret, permission: read}\n",
            "3: the token is that of line 2 once more"},
           {"tokens:\n- {token: 0123456789abcdef, permission: run}\n- {sha256: " + digest +
                ", permission: read}\n",
            "3: the token is that of line 2 once more"}}) {
    const auto read = read_token_entries(text, "t.yaml");
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error().message,
                AllOf(StartsWith("t.yaml:"), HasSubstr(says), HasSubstr("; ")))
        << text;
    EXPECT_THAT(read.error().message, Not(HasSubstr("secretsecret"))) << text;
  }
}

TEST(TokenLines, EachLineIsAToken) {
  const auto read =
      read_token_lines("# of Prometheus\n\n  0123456789abcdef \r\n\taaaaaaaaaaaaaaaa", "t.txt");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->entries.size(), 2U);
  EXPECT_EQ(read->entries[0].digest, sha256_of("0123456789abcdef"));
  EXPECT_EQ(read->entries[0].permission, TokenPermission::Read);
  EXPECT_EQ(read->entries[1].digest, sha256_of("aaaaaaaaaaaaaaaa"));
  EXPECT_EQ(read->entries[1].line, 4);
  EXPECT_TRUE(read->plain);
}

TEST(TokenLines, WrongOnesAreRefusedWithTheirLineAndWithoutTheirText) {
  for (const auto& [text, says] : std::vector<BadFile>{
           {"", "1: the file holds no token; make one with: openssl rand -hex 32"},
           {"\n# none\n", "1: the file holds no token"},
           {"0123456789abcdef\nsecret", "2: the token is shorter than 16 characters"},
           {"secretsecret secretsecret", "1: the token holds blanks"},
           {"secretsecretsecre\xC3\xA9", "1: the token holds blanks"},
           {std::string("secretsecret\0secret", 19), "1: the token holds blanks"},
           {"0123456789abcdef\n\n0123456789abcdef\n",
            "3: the token is that of line 1 once more; remove one of them"}}) {
    const auto read = read_token_lines(text, "t.txt");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().kind, ErrorKind::Rejected);
    EXPECT_THAT(read.error().message, AllOf(StartsWith("t.txt:"), HasSubstr(says))) << text;
    EXPECT_THAT(read.error().message, Not(HasSubstr("secretsecret"))) << text;
  }
}

TEST_F(TokensFile, OneOfLinesIsReadAgainAndAnEmptyOneKeepsTheLastGoodTokens) {
  write("aaaaaaaaaaaaaaaa\n");
  auto opened = BearerTokens::open(
      file, [this](const TokensNews& one) { news.push_back(one); }, &read_token_lines);
  ASSERT_TRUE(opened) << opened.error().message;
  tokens = std::move(*opened);
  EXPECT_TRUE(takes("aaaaaaaaaaaaaaaa"));
  write("bbbbbbbbbbbbbbbb\n");
  EXPECT_FALSE(takes("aaaaaaaaaaaaaaaa"));
  EXPECT_TRUE(takes("bbbbbbbbbbbbbbbb"));
  write("");
  EXPECT_TRUE(takes("bbbbbbbbbbbbbbbb"));
  EXPECT_FALSE(news.back().in_force);
}

TEST_F(TokensFile, ATokenIsTakenByItselfOrByItsDigest) {
  for (const std::string& entry :
       {std::string("token: ") + kToken, std::string("sha256: ") + kDigest}) {
    write("tokens: [{" + entry + ", permission: run, name: ci}]");
    open();
    const auto bearer = tokens->bearer_of(std::string("Bearer ") + kToken);
    ASSERT_TRUE(bearer) << entry;
    EXPECT_EQ(bearer->name, "ci");
    EXPECT_FALSE(takes(kDigest)) << "a digest is no token";
  }
}

TEST_F(TokensFile, AnUpperCaseDigestIsTaken) {
  std::string digest = kDigest;
  for (char& c : digest) c = c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c;
  write("tokens: [{sha256: " + digest + ", permission: run}]");
  open();
  EXPECT_TRUE(takes(kToken));
}

TEST_F(TokensFile, EachTokenHasItsOwnPermissionAndName) {
  write(
      "tokens: [{token: aaaaaaaaaaaaaaaa, permission: run, name: a}, "
      "{token: bbbbbbbbbbbbbbbb, permission: read, name: b}, "
      "{token: cccccccccccccccc, permission: run, name: c}]");
  open();
  EXPECT_EQ(tokens->bearer_of("Bearer bbbbbbbbbbbbbbbb")->name, "b");
  EXPECT_EQ(tokens->bearer_of("Bearer bbbbbbbbbbbbbbbb")->permission, TokenPermission::Read);
  EXPECT_EQ(tokens->bearer_of("Bearer aaaaaaaaaaaaaaaa")->name, "a");
  EXPECT_EQ(tokens->bearer_of("Bearer cccccccccccccccc")->permission, TokenPermission::Run);
}

TEST_F(TokensFile, ARemovedTokenIsRefusedFromTheNextRequestOn) {
  write(
      "tokens: [{token: aaaaaaaaaaaaaaaa, permission: run}, "
      "{token: bbbbbbbbbbbbbbbb, permission: run}]");
  open();
  EXPECT_TRUE(takes("aaaaaaaaaaaaaaaa"));
  write("tokens: [{token: bbbbbbbbbbbbbbbb, permission: run}]");
  EXPECT_FALSE(takes("aaaaaaaaaaaaaaaa"));
  EXPECT_TRUE(takes("bbbbbbbbbbbbbbbb"));
  EXPECT_EQ(news.back().tokens, 1U);
}

TEST_F(TokensFile, AnAddedTokenIsTakenFromTheNextRequestOn) {
  write("tokens: [{token: aaaaaaaaaaaaaaaa, permission: run}]");
  open();
  EXPECT_FALSE(takes("bbbbbbbbbbbbbbbb"));
  write("tokens: [{token: bbbbbbbbbbbbbbbb, permission: run}]");
  EXPECT_TRUE(takes("bbbbbbbbbbbbbbbb"));
}

TEST_F(TokensFile, WithoutTokensEverybodyIsRefusedAndAWarningSaysSo) {
  write("tokens: [{token: aaaaaaaaaaaaaaaa, permission: run}]");
  open();
  write("tokens: []");
  EXPECT_FALSE(takes("aaaaaaaaaaaaaaaa"));
  EXPECT_TRUE(news.back().in_force);
  EXPECT_THAT(news.back().message, HasSubstr("every request is refused"));
}

TEST_F(TokensFile, ABrokenOneKeepsTheLastGoodTokensAndIsToldOnce) {
  write("tokens: [{token: aaaaaaaaaaaaaaaa, permission: run}]");
  open();
  write("tokens: [{token: bbbbbbbbbbbbbbbb}]");
  EXPECT_TRUE(takes("aaaaaaaaaaaaaaaa"));
  EXPECT_FALSE(takes("bbbbbbbbbbbbbbbb"));
  ASSERT_EQ(news.size(), 2U);
  EXPECT_FALSE(news[1].in_force);
  EXPECT_EQ(news[1].tokens, 1U);
  EXPECT_THAT(news[1].message, AllOf(StartsWith(file + ":1: "), HasSubstr("add permission"),
                                     Not(HasSubstr("bbbb"))));
}

TEST_F(TokensFile, AMissingOneKeepsTheLastGoodTokensUntilItIsBack) {
  write("tokens: [{token: aaaaaaaaaaaaaaaa, permission: run}]");
  open();
  std::filesystem::remove(file);
  EXPECT_TRUE(takes("aaaaaaaaaaaaaaaa"));
  EXPECT_TRUE(takes("aaaaaaaaaaaaaaaa"));
  ASSERT_EQ(news.size(), 2U);
  EXPECT_FALSE(news[1].in_force);
  EXPECT_THAT(news[1].message, HasSubstr("cannot be read: No such file"));
  write("tokens: [{token: bbbbbbbbbbbbbbbb, permission: run}]");
  EXPECT_FALSE(takes("aaaaaaaaaaaaaaaa"));
  EXPECT_TRUE(news.back().in_force);
}

// What was put there while the look for it failed must not be taken for what was looked at.
TEST_F(TokensFile, OneThatComesBackAtAnyMomentIsRead) {
  write("tokens: [{token: token-number-0000, permission: run}]");
  open();
  for (int i = 1; i <= 3000; ++i) {
    const std::string token = "token-number-" + std::to_string(1000 + i);
    const std::string fresh = directory / "next";
    std::ofstream(fresh) << "tokens: [{token: " + token + ", permission: run}]";
    std::atomic<bool> done{false};
    std::thread asking([&] {
      while (!done) takes(token);
    });
    std::filesystem::remove(file);
    std::filesystem::rename(fresh, file);
    done = true;
    asking.join();
    ASSERT_TRUE(takes(token)) << i;
  }
}

TEST_F(TokensFile, AnUnchangedOneIsNotReadAgain) {
  write("tokens: [{token: aaaaaaaaaaaaaaaa, permission: run}]");
  open();
  for (int i = 0; i < 10; ++i) takes("aaaaaaaaaaaaaaaa");
  EXPECT_EQ(news.size(), 1U);
}

TEST_F(TokensFile, AtTheStartABrokenOrMissingOneIsAnError) {
  EXPECT_FALSE(BearerTokens::open(file, {}));
  write("tokens: 7");
  const auto opened = BearerTokens::open(file, {});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::Rejected);
  EXPECT_THAT(opened.error().message, StartsWith(file + ":1: tokens is not a list"));
  EXPECT_FALSE(BearerTokens::open(directory.path(), {}));
}

TEST_F(TokensFile, PlainTokensThatEverybodyCanReadAreWarnedAbout) {
  write("tokens: [{token: aaaaaaaaaaaaaaaa, permission: run}]", 0644);
  open();
  EXPECT_TRUE(takes("aaaaaaaaaaaaaaaa"));
  EXPECT_THAT(news.back().message, HasSubstr("everybody on this machine can read"));
  write("tokens: [{token: aaaaaaaaaaaaaaaa, permission: run}]", 0640);
  takes("");
  EXPECT_EQ(news.back().message, "");
  write(std::string("tokens: [{sha256: ") + kDigest + ", permission: run}]", 0644);
  takes("");
  EXPECT_EQ(news.back().message, "");
  EXPECT_EQ(news.size(), 3U);
}

TEST_F(TokensFile, ManyThreadsMayAskWhileItChanges) {
  write("tokens: [{token: aaaaaaaaaaaaaaaa, permission: run}]");
  open();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 200; ++j) EXPECT_TRUE(takes("aaaaaaaaaaaaaaaa"));
    });
  }
  for (int i = 0; i < 50; ++i) {
    write("tokens: [{token: aaaaaaaaaaaaaaaa, permission: run}]" +
          std::string(static_cast<std::size_t>(i), '\n'));
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace sconverge::test
