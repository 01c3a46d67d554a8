#include "controller/core/mark.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/builders.h"

namespace sconverge::test {
namespace {

using testing::StartsWith;

const Mark kMark{"prod", {"vision", "train"}, "0123456789abcdef", 3, 2, "fedcba9876543210"};

TEST(MarkTest, IsReadBackFromTheCommentItWasWrittenTo) {
  EXPECT_EQ(mark_in(comment_with_mark("", kMark)), kMark);
}

TEST(MarkTest, FollowsTheUsersText) {
  const std::string comment = comment_with_mark("nightly run", kMark);
  EXPECT_THAT(comment, StartsWith("nightly run "));
  EXPECT_EQ(mark_in(comment), kMark);
}

TEST(MarkTest, IsFoundWhateverStandsAroundIt) {
  EXPECT_EQ(mark_in("x [y] " + comment_with_mark("a]b[", kMark) + " added by an admin"), kMark);
}

TEST(MarkTest, TheLastOfSeveralCounts) {
  Mark other = kMark;
  other.token = "1111";
  EXPECT_EQ(mark_in(comment_with_mark(comment_with_mark("", other), kMark)), kMark);
}

TEST(MarkTest, AMarkThatWasCutShortAnywhereIsNone) {
  const std::string whole = comment_with_mark("", kMark);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(mark_in(whole.substr(0, size))) << size;
  }
}

TEST(MarkTest, OtherTextIsNone) {
  for (const char* text :
       {"", "hello", "[sconverge/1 ]", "[sconverge/2 c=a s=b/c g=1 r=1 a=1 t=x]",
        "[sconverge/1 c=a s=bc g=1 r=1 a=1 t=x]", "[sconverge/1 c=a s=/c g=1 r=1 a=1 t=x]",
        "[sconverge/1 c=a s=b/c g=1 r=0 a=1 t=x]", "[sconverge/1 c=a s=b/c g=1 r=x a=1 t=x]",
        "[sconverge/1 c=a s=b/c g=1 r=1 a=1 t=x u=y]", "[sconverge/1 s=b/c c=a g=1 r=1 a=1 t=x]",
        "[sconverge/1 c=a s=b/c g=1 r=99999999999 a=1 t=x]"}) {
    EXPECT_FALSE(mark_in(text)) << text;
  }
}

TEST(MarkTest, FitsIntoSlurmsCommentBesideTheLongestUserText) {
  const std::string label(63, 'a');
  const Mark longest{label,      {label, label}, std::string(16, 'f'),
                     2147483647, 2147483647,     std::string(16, 'f')};
  EXPECT_LE(comment_with_mark(std::string(640, 'x'), longest).size(), kMaxCommentBytes);
}

}  // namespace
}  // namespace sconverge::test
