#include "tests/differential/job_record.h"

#include <gmock/gmock.h>

#include "controller/core/mark.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::UnorderedElementsAre;
using std::literals::string_view_literals::operator""sv;

const Mark kMark{"lab", {"default", "train"}, "0123456789abcdef", 1, 1, "token"};

/// Two jobs that agree, each as its own submitter's job looks.
struct JobDifferences : testing::Test {
  JobRecord theirs{12,
                   {{"nice", "7"}, {"comment", "hi"}, {"alloc_node:sid", "a:1"}},
                   {{"job_id", "12"}, {"tasks", "4"}, {"standard_output", "/tmp/112-12.out"}},
                   {{"SEED", "7"}, {"SLURM_RLIMIT_CORE", "0"}},
                   "#!/bin/sh\n"};
  JobRecord ours{345,
                 {{"nice", "7"}, {"comment", comment_with_mark("hi", kMark)}},
                 {{"job_id", "345"}, {"tasks", "4"}, {"standard_output", "/tmp/112-345.out"}},
                 {{"SEED", "7"}},
                 "#!/bin/sh\n"};
};

TEST_F(JobDifferences, WhoSubmittedAndWhenIsNoDifference) {
  EXPECT_THAT(differences(theirs, ours), IsEmpty());
}

TEST_F(JobDifferences, EachFieldThatDiffersIsTold) {
  ours.request["nice"] = "8";
  ours.job["tasks"] = "5";
  ours.environment["SEED"] = "";
  ours.script = "#!/bin/sh";
  EXPECT_THAT(differences(theirs, ours),
              ElementsAre(Difference{"request.nice", "7", "8"}, Difference{"job.tasks", "4", "5"},
                          Difference{"environment.SEED", "7", ""},
                          Difference{"script", "#!/bin/sh\n", "#!/bin/sh"}));
}

TEST_F(JobDifferences, AFieldThatOnlyOneHasIsTold) {
  theirs.request["TRES_bind"] = "gres/gpu:none";
  ours.environment["MORE"] = "1";
  EXPECT_THAT(differences(theirs, ours),
              ElementsAre(Difference{"request.TRES_bind", "gres/gpu:none", "(absent)"},
                          Difference{"environment.MORE", "(absent)", "1"}));
}

TEST_F(JobDifferences, TheTextBeforeTheMarkIsCompared) {
  ours.request["comment"] = comment_with_mark("ho", kMark);
  EXPECT_THAT(differences(theirs, ours), ElementsAre(Difference{"request.comment", "hi", "ho"}));
  ours.request["comment"] = comment_with_mark("hi ", kMark);
  EXPECT_THAT(differences(theirs, ours), ElementsAre(Difference{"request.comment", "hi", "hi "}));
}

TEST_F(JobDifferences, AMarkAloneIsNoComment) {
  theirs.request["comment"] = "(null)";
  ours.request["comment"] = comment_with_mark("", kMark);
  theirs.job["comment"] = "";
  ours.job["comment"] = comment_with_mark("", kMark);
  EXPECT_THAT(differences(theirs, ours), IsEmpty());
}

TEST_F(JobDifferences, AnotherNumberThanTheOwnIdIsCompared) {
  ours.job["standard_output"] = "/tmp/113-345.out";
  EXPECT_THAT(
      differences(theirs, ours),
      ElementsAre(Difference{"job.standard_output", "/tmp/112-<id>.out", "/tmp/113-<id>.out"}));
}

TEST_F(JobDifferences, WhetherTheSchedulerHasLookedIsNoDifference) {
  theirs.job["flags"] = R"(["A","B"])";
  ours.job["flags"] = R"(["A","DEPENDENT","B"])";
  EXPECT_THAT(differences(theirs, ours), IsEmpty());
  ours.job["flags"] = R"(["DEPENDENT","A","B"])";
  EXPECT_THAT(differences(theirs, ours), IsEmpty());
  ours.job["flags"] = R"(["DEPENDENT","A"])";
  EXPECT_THAT(differences(theirs, ours),
              ElementsAre(Difference{"job.flags", R"(["A","B"])", R"(["A"])"}));
}

TEST_F(JobDifferences, WhatIsLeftOutMeansWhatSbatchSays) {
  theirs.request.merge(Fields{{"contiguous", "0"},
                              {"mem_bind", "0:(null)"},
                              {"stdin", "/dev/null"},
                              {"mail_type", "0"},
                              {"work_dir", "/tmp"},
                              {"stdout", "/tmp/x"},
                              {"stderr", "(null)"},
                              {"bitflags", "0x1e004000"}});
  ours.request.merge(Fields{{"contiguous", "-1"},
                            {"mem_bind", "65534:(null)"},
                            {"stdin", "(null)"},
                            {"mail_type", "65534"},
                            {"work_dir", "/tmp"},
                            {"stdout", "x"},
                            {"stderr", "(null)"},
                            {"bitflags", "0x1e000000"}});
  EXPECT_THAT(differences(theirs, ours), IsEmpty());
}

TEST_F(JobDifferences, WhatIsSaidIsCompared) {
  theirs.request.merge(Fields{{"contiguous", "1"},
                              {"mem_bind", "32:(null)"},
                              {"stdin", "/etc/hosts"},
                              {"mail_type", "7"},
                              {"work_dir", "/tmp"},
                              {"stdout", "/tmp/x"},
                              {"bitflags", "0x1e000100"}});
  ours.request.merge(Fields{{"contiguous", "-1"},
                            {"mem_bind", "65534:(null)"},
                            {"stdin", "(null)"},
                            {"mail_type", "63494"},
                            {"work_dir", "/tmp"},
                            {"stdout", "./x"},
                            {"bitflags", "0x1e000000"}});
  EXPECT_THAT(differences(theirs, ours), testing::SizeIs(6));
  ours.request["mail_type"] = "63495";
  ours.request["mem_bind"] = "65312:(null)";
  EXPECT_THAT(differences(theirs, ours), testing::SizeIs(4));
}

TEST_F(JobDifferences, EveryFieldLeftOutHasAReason) {
  for (const auto& [field, because] : not_compared()) {
    EXPECT_THAT(because, Not(IsEmpty())) << field;
  }
}

TEST(JobsInAnAnswer, ANumberThatMayBeUnsetOrInfiniteIsOneValue) {
  const auto jobs = jobs_in(
      R"({"jobs": [{"job_id": 7, "name": "a", "flags": ["X", "Y"], "hold": false,
          "a": {"set": true, "infinite": false, "number": 3},
          "b": {"set": false, "infinite": true, "number": 0},
          "c": {"set": false, "infinite": false, "number": 0}}]})");
  ASSERT_THAT(jobs, ElementsAre(testing::Key(7U)));
  EXPECT_THAT(jobs.at(7),
              UnorderedElementsAre(Pair("job_id", "7"), Pair("name", "a"),
                                   Pair("flags", R"(["X","Y"])"), Pair("hold", "false"),
                                   Pair("a", "3"), Pair("b", "infinite"), Pair("c", "not set")));
}

TEST(JobsInAnAnswer, AnythingElseHoldsNoJob) {
  EXPECT_THAT(jobs_in(""), IsEmpty());
  EXPECT_THAT(jobs_in("[]"), IsEmpty());
  EXPECT_THAT(jobs_in("{}"), IsEmpty());
}

TEST(EnvironmentFile, HoldsVariablesBehindTheirCount) {
  EXPECT_THAT(environment_in("\0\0\0\3A=1\0B=\0C=x=y\0"sv),
              UnorderedElementsAre(Pair("A", "1"), Pair("B", ""), Pair("C", "x=y")));
}

TEST(EnvironmentFile, MayBeCutShort) {
  EXPECT_THAT(environment_in(""), IsEmpty());
  EXPECT_THAT(environment_in("\0\0"sv), IsEmpty());
  EXPECT_THAT(environment_in("\0\0\0\1A=1"sv), ElementsAre(Pair("A", "1")));
}

}  // namespace
}  // namespace sconverge::test
