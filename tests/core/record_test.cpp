#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace sconverge::test {
namespace {

struct RecordTest : testing::Test, World {
  Submit submit_of(const std::string& name) {
    declare(a_spec(name));
    const Plan made = look();
    return std::get<Submit>(made.actions.at(0));
  }
  SpecHistory& entry_of(const std::string& name) { return history.at(a_name(name)); }
};

TEST_F(RecordTest, AnIntentSaysAllThatIsNeededToFindItsJob) {
  const Submit submit = submit_of("train");
  const Mark mark = begin_submit(entry_of("train"), submit, policy, now);
  const Attempt& attempt = attempt_of("train");
  EXPECT_EQ(attempt.token, mark.token);
  EXPECT_EQ(attempt.token.size(), 16U);
  EXPECT_EQ(attempt.job_name, "train");
  EXPECT_EQ(attempt.sent, now);
  EXPECT_FALSE(attempt.digest.empty());
  EXPECT_TRUE(attempt.in_doubt);
  EXPECT_EQ(mark.controller, policy.controller_id);
}

TEST_F(RecordTest, TokensDifferFromRunToRunAndSpecToSpec) {
  std::set<std::string> tokens;
  for (const char* name : {"one", "two"}) {
    Submit submit = submit_of(name);
    for (submit.run = 1; submit.run <= 3; ++submit.run) {
      tokens.insert(begin_submit(entry_of(name), submit, policy, now).token);
    }
  }
  EXPECT_EQ(tokens.size(), 6U);
}

TEST_F(RecordTest, ALostAnswerLeavesTheIntentInDoubt) {
  begin_submit(entry_of("train"), submit_of("train"), policy, now);
  record_submit_failure(entry_of("train"), {ErrorKind::Unknown, "connection lost"}, now);
  EXPECT_TRUE(attempt_of("train").in_doubt);
  EXPECT_FALSE(attempt_of("train").outcome);
}

TEST_F(RecordTest, RefusalsAreFollowedByLongerAndLongerWaits) {
  const Submit submit = submit_of("train");
  begin_submit(entry_of("train"), submit, policy, now);
  std::vector<long> waits;
  for (int i = 0; i < 8; ++i) {
    record_submit_failure(entry_of("train"), {ErrorKind::Unavailable, "limit"}, now);
    waits.push_back(static_cast<long>((*attempt_of("train").not_before - now).count() / 1000));
  }
  EXPECT_THAT(waits, testing::ElementsAre(10, 20, 40, 80, 160, 300, 300, 300));
}

TEST_F(RecordTest, CredentialsThatAreDeniedAreNoEnd) {
  begin_submit(entry_of("train"), submit_of("train"), policy, now);
  record_submit_failure(entry_of("train"), {ErrorKind::Denied, "token expired"}, now);
  EXPECT_FALSE(attempt_of("train").in_doubt);
  EXPECT_FALSE(attempt_of("train").outcome);
}

TEST_F(RecordTest, ACancelThatWasNotSentMayBeSentAtOnce) {
  SlurmJob& job = running(a_spec("train"));
  const Cancel cancel{a_name("train"), job.id, job.mark->token, CancelCause::Removed, {}};
  record_cancel_requested(entry_of("train"), cancel, policy, now);
  record_cancel_unsent(entry_of("train"), cancel, now);
  look_after(seconds{1});
  EXPECT_FALSE(attempt_of("train").cancel);
}

TEST_F(RecordTest, TheSameContentHasTheSameDigestWhateverTheMark) {
  const JobSpec spec = a_spec("train");
  EXPECT_EQ(digest_of(spec, policy.defaults), digest_of(a_spec("train"), policy.defaults));
  EXPECT_NE(digest_of(spec, policy.defaults), digest_of(spec, SubmitDefaults{"/home/alice", {}}));
}

TEST_F(RecordTest, ASubmissionFillsInWhatSbatchWould) {
  const JobSpec spec = a_spec("train").comment("mine");
  const Mark mark = a_mark(spec);
  const Submission submission = submission_of(spec, mark, {"/work", {"PATH=/bin"}});
  EXPECT_EQ(submission.fields.at("name"), FieldValue{std::string("train")});
  EXPECT_EQ(submission.fields.at("current_working_directory"), FieldValue{std::string("/work")});
  EXPECT_EQ(submission.fields.at("environment"), FieldValue{std::vector<std::string>{"PATH=/bin"}});
  EXPECT_EQ(submission.fields.at("comment"), FieldValue{comment_with_mark("mine", mark)});
}

TEST_F(RecordTest, ASubmissionKeepsWhatTheSpecSays) {
  const JobSpec spec = a_spec("train")
                           .with("name", std::string("other"))
                           .with("current_working_directory", std::string("/data"));
  const Submission submission = submission_of(spec, a_mark(spec), {"/work", {"PATH=/bin"}});
  EXPECT_EQ(submission.fields.at("name"), FieldValue{std::string("other")});
  EXPECT_EQ(submission.fields.at("current_working_directory"), FieldValue{std::string("/data")});
}

}  // namespace
}  // namespace sconverge::test
