#include "controller/core/diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/builders.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(DiffTest, EqualWorkDiffersInNothing) {
  const SpecDiff difference = diff(a_spec("a"), a_spec("a").label("x", "y").suspended());
  EXPECT_THAT(difference.changes, IsEmpty());
  EXPECT_TRUE(difference.in_place);
}

TEST(DiffTest, AFieldSlurmCanChangeIsInPlace) {
  const SpecDiff difference = diff(a_spec("a").partition("main"), a_spec("a").partition("debug"));
  EXPECT_THAT(difference.changes, ElementsAre(FieldChange{"partition", "main", "debug"}));
  EXPECT_TRUE(difference.in_place);
}

TEST(DiffTest, ADirectiveIsTheFieldItSetsAndNoChangeOfTheScript) {
  const SpecDiff difference =
      diff(a_spec("a").partition("main").script("#!/bin/sh\n#SBATCH -p main\ntrue\n"),
           a_spec("a").partition("debug").script("#!/bin/sh\n#SBATCH -p debug\n#SBATCH\ntrue\n"));
  EXPECT_THAT(difference.changes, ElementsAre(FieldChange{"partition", "main", "debug"}));
  EXPECT_TRUE(difference.in_place);
}

TEST(DiffTest, OneFieldSlurmCannotChangeNeedsANewJob) {
  const SpecDiff difference =
      diff(a_spec("a"), a_spec("a").partition("debug").script("#!/bin/sh\ntrue\n"));
  EXPECT_FALSE(difference.in_place);
}

TEST(DiffTest, AFieldTakenOutNeedsANewJob) {
  const SpecDiff difference = diff(a_spec("a").with("qos", std::string("high")), a_spec("a"));
  EXPECT_THAT(difference.changes, ElementsAre(FieldChange{"qos", "high", ""}));
  EXPECT_FALSE(difference.in_place);
}

TEST(DiffTest, NeverShowsAnEnvironmentOrAScript) {
  const std::vector<std::string> environment{"API_KEY=secret"};
  const SpecDiff difference =
      diff(a_spec("a"),
           a_spec("a").with("environment", environment).script("#!/bin/sh\nPASSWORD=secret\n"));
  EXPECT_FALSE(difference.in_place);
  for (const auto& change : difference.changes) {
    EXPECT_THAT(change.from + change.to, Not(HasSubstr("secret")));
  }
}

TEST(DiffTest, ShowsValuesAsPeopleWriteThem) {
  EXPECT_EQ(to_text(FieldValue{true}), "true");
  EXPECT_EQ(to_text(FieldValue{std::int64_t{5}}), "5");
  EXPECT_EQ(to_text(FieldValue{Unlimited{}}), "UNLIMITED");
  EXPECT_EQ(to_text(FieldValue{std::vector<std::string>{"a", "b"}}), "a,b");
}

}  // namespace
}  // namespace sconverge::test
