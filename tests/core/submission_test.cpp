#include "controller/core/submission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/core/diff.h"
#include "tests/support/builders.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using Variables = std::vector<std::string>;

struct SubmissionTest : testing::Test {
  Variables environment_sent() {
    const Submission sent = submission_of(spec, Mark{}, defaults);
    return std::get<Variables>(sent.fields.at("environment"));
  }
  JobSpec spec = a_spec("train");
  SubmitDefaults defaults{.working_directory = "/home/alice",
                          .environment = {"HOME=/home/alice", "LANG=C", "PATH=/bin"}};
};

TEST_F(SubmissionTest, AJobWithoutEnvironmentGetsTheConfiguredOne) {
  EXPECT_EQ(environment_sent(), defaults.environment);
}

TEST_F(SubmissionTest, AnEnvironmentStandsInPlaceOfTheConfiguredOne) {
  spec.job["environment"] = Variables{"LANG=de"};
  EXPECT_THAT(environment_sent(), ElementsAre("LANG=de"));
}

TEST_F(SubmissionTest, AnEnvironmentMayLieOverTheConfiguredOne) {
  spec.job["environment"] = Variables{"LANG=de", "SLURM_NTASKS=4"};
  spec.inherit_environment = {std::string(kWholeEnvironment)};
  EXPECT_THAT(environment_sent(),
              ElementsAre("HOME=/home/alice", "LANG=de", "PATH=/bin", "SLURM_NTASKS=4"));
}

TEST_F(SubmissionTest, OnlyTheInheritedVariablesAreTakenAndOnlyIfThereAreSome) {
  spec.inherit_environment = {"DISPLAY", "PATH"};
  EXPECT_THAT(environment_sent(), ElementsAre("PATH=/bin"));
  spec.job["environment"] = Variables{"X=1"};
  EXPECT_THAT(environment_sent(), ElementsAre("PATH=/bin", "X=1"));
}

TEST_F(SubmissionTest, TheDefaultsShownAreThoseThatAreSent) {
  spec.job["environment"] = Variables{"X=1"};
  EXPECT_FALSE(default_fields(spec, defaults).contains("environment"));
  spec.inherit_environment = {"PATH"};
  EXPECT_EQ(default_fields(spec, defaults).at("environment"),
            FieldValue(Variables{"PATH=/bin", "X=1"}));
}

TEST_F(SubmissionTest, ARelativeWorkingDirectoryIsBelowTheConfiguredOne) {
  spec.job["current_working_directory"] = "./out";
  const Submission sent = submission_of(spec, Mark{}, defaults);
  EXPECT_EQ(sent.fields.at("current_working_directory"), FieldValue("/home/alice/./out"));
  spec.job["current_working_directory"] = "/srv";
  EXPECT_EQ(submission_of(spec, Mark{}, defaults).fields.at("current_working_directory"),
            FieldValue("/srv"));
}

TEST_F(SubmissionTest, WhatIsInheritedIsPartOfTheWork) {
  JobSpec other = spec;
  other.inherit_environment = {"PATH"};
  EXPECT_NE(generation_of(spec), generation_of(other));
  EXPECT_NE(digest_of(spec, defaults), digest_of(other, defaults));
  const SpecDiff changed = diff(spec, other);
  EXPECT_THAT(changed.changes, ElementsAre(FieldChange{"inheritEnvironment", "", "PATH"}));
  EXPECT_FALSE(changed.in_place);
  const JobSpecPtr read = from_canonical(canonical_text(other));
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(*read, other);
}

}  // namespace
}  // namespace sconverge::test
