#include "controller/core/statuses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace sconverge::test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

struct StatusesTest : testing::Test, World {
  Statuses rows{};
  std::vector<Transition> step(milliseconds pause = seconds{10}) {
    const Plan made = look_after(pause);
    Statuses next = statuses_from(made.verdicts, history, desired, rows, now);
    auto transitions = transitions_between(rows, next);
    rows = std::move(next);
    return transitions;
  }
};

TEST_F(StatusesTest, ShowsTheJobRunAndGenerationOfASpec) {
  const JobId id = running(a_spec("train").file("train.yaml")).id;
  step();
  const SpecStatus& row = rows.at(a_name("train"));
  EXPECT_EQ(row.job, id);
  EXPECT_EQ(row.run, 1);
  EXPECT_EQ(row.attempt, 1);
  EXPECT_EQ(row.generation, generation_of(a_spec("train")));
  EXPECT_EQ(row.file, "train.yaml");
}

TEST_F(StatusesTest, SinceStaysWhileNothingChanges) {
  running(a_spec("train"));
  step();
  const TimePoint since = rows.at(a_name("train")).since;
  EXPECT_THAT(step(), IsEmpty());
  EXPECT_EQ(rows.at(a_name("train")).since, since);
}

TEST_F(StatusesTest, ATransitionTellsWhereTheSpecStoodBefore) {
  SlurmJob& job = running(a_spec("train"));
  step();
  end(job, "FAILED", 3);
  const auto transitions = step();
  ASSERT_THAT(transitions, SizeIs(1));
  EXPECT_THAT(*transitions[0].before, Stands(Phase::Running, Reason::JobRunning));
  EXPECT_THAT(transitions[0].now.verdict, Stands(Phase::Failed, Reason::NonZeroExitCode));
  EXPECT_EQ(transitions[0].now.exit_code, 3);
  EXPECT_EQ(transitions[0].now.since, now);
}

TEST_F(StatusesTest, ShowsTheRunThatFinishedTheWantedGeneration) {
  SlurmJob& first = running(a_spec("train").time_limit(1));
  const JobId id = first.id;
  end(first, "COMPLETED");
  look();
  end(running(a_spec("train").time_limit(2)), "FAILED", 1);
  look();
  declare(a_spec("train").time_limit(1));
  step();
  EXPECT_EQ(rows.at(a_name("train")).job, id);
}

TEST_F(StatusesTest, EveryReasonAndPhaseHasAWord) {
  std::set<std::string_view> words;
  for (const Reason reason : all_reasons()) words.insert(to_text(reason));
  EXPECT_EQ(words.size(), all_reasons().size());
  for (int i = 0; i < kPhaseCount; ++i) EXPECT_FALSE(to_text(static_cast<Phase>(i)).empty());
}

}  // namespace
}  // namespace sconverge::test
