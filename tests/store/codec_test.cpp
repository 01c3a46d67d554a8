#include "controller/store/codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "controller/store/words.h"
#include "tests/support/full_values.h"
#include "tests/support/matchers.h"
#include "tests/support/same_history.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

SpecHistory without_specs(SpecHistory entry) {
  entry.accepted = entry.submitted = nullptr;
  return entry;
}

SpecHistory read(const std::string& record) {
  auto entry = history_from(record);
  EXPECT_THAT(entry, Works());
  return entry ? *entry : SpecHistory{};
}

std::string refusal(const std::string& record) {
  const auto entry = history_from(record);
  EXPECT_THAT(entry, FailsWith(ErrorKind::Rejected)) << record;
  return entry ? "" : entry.error().message;
}

std::vector<std::string> keys_of(const nlohmann::json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

TEST(Codec, AHistoryComesBackWithEveryField) {
  const SpecHistory entry = without_specs(full_entry("train"));
  EXPECT_EQ(read(history_record(entry)), entry);
}

TEST(Codec, AnEmptyHistoryComesBackEmpty) {
  EXPECT_EQ(read(history_record(SpecHistory{})), SpecHistory{});
}

TEST(Codec, SpecContentsAreNoPartOfARecord) {
  EXPECT_THAT(history_record(full_entry("train")), Not(HasSubstr("#!/bin")));
  EXPECT_EQ(history_record(full_entry("train")),
            history_record(without_specs(full_entry("train"))));
}

TEST(Codec, AStatusComesBackWithEveryField) {
  const auto status = status_from(status_record(full_status("train")));
  ASSERT_THAT(status, Works());
  EXPECT_EQ(*status, full_status("train"));
}

TEST(Codec, ASummaryLeavesTheStatusesOut) {
  const auto summary = summary_from(summary_record(full_published("lab")));
  ASSERT_THAT(summary, Works());
  EXPECT_THAT(summary->statuses, IsEmpty());
  EXPECT_EQ(summary->guards, full_published("lab").guards);
}

TEST(Codec, ARecordIsOneLine) {
  EXPECT_THAT(history_record(full_entry("train")), Not(HasSubstr("\n")));
}

// A renamed key would be a forgotten one in every store there is.
TEST(Codec, KeysKeepTheirNames) {
  const auto entry = nlohmann::json::parse(history_record(full_entry("train")));
  EXPECT_THAT(keys_of(entry),
              ElementsAre("acceptedAt", "attempts", "convergedAt", "done", "file", "generationAt",
                          "missingSince", "removalApproved", "rerun", "vanishApproved", "wanted"));
  EXPECT_THAT(keys_of(entry["attempts"][0]),
              ElementsAre("accountingUnanswered", "array", "attempt", "cancel", "digest",
                          "duplicates", "generation", "held", "inDoubt", "intended", "job",
                          "jobName", "notBefore", "ourHold", "outcome", "reason", "refusals",
                          "restarts", "run", "sendError", "sent", "started", "state", "submitted",
                          "tasks", "token", "unseen", "unseenSince", "updateRefused"));
  EXPECT_THAT(keys_of(entry["attempts"][0]["outcome"]),
              ElementsAre("ended", "exitCode", "kind", "message", "signal", "state"));
  EXPECT_THAT(keys_of(entry["attempts"][0]["state"]),
              ElementsAre("base", "completing", "configuring", "unsettled", "words"));
  EXPECT_THAT(keys_of(entry["attempts"][0]["cancel"]), ElementsAre("at", "cause", "effectiveBy"));
  EXPECT_THAT(keys_of(entry["attempts"][0]["tasks"]), ElementsAre("ended", "pending", "running"));
  EXPECT_THAT(keys_of(entry["attempts"][0]["tasks"]["ended"][0]),
              ElementsAre("base", "exitCode", "indexes", "signal", "state"));
}

TEST(Codec, NumbersAndFlagsAreWrittenEvenWhenTheyAreTheDefault) {
  SpecHistory entry;
  entry.attempts = {Attempt{}};
  const std::string record = history_record(entry);
  EXPECT_THAT(record, HasSubstr(R"("inDoubt":true)"));
  EXPECT_THAT(record, HasSubstr(R"("run":1)"));
  EXPECT_THAT(record, HasSubstr(R"("held":false)"));
}

TEST(Codec, AnUnknownKeyIsIgnored) {
  EXPECT_EQ(read(R"({"file":"a.yaml","laterIdea":{"x":[1]},"attempts":[{"laterIdea":2}]})").file,
            "a.yaml");
}

TEST(Codec, AMissingKeyTakesTheDefault) {
  EXPECT_EQ(read("{}"), SpecHistory{});
  SpecHistory expected;
  expected.attempts = {Attempt{}};
  EXPECT_EQ(read(R"({"attempts":[{}]})"), expected);
}

// As the release before job arrays wrote it.
TEST(Codec, AnAttemptWithoutTasksIsNoJobArray) {
  const SpecHistory entry = read(
      R"({"attempts":[{"attempt":1,"held":false,"inDoubt":false,"job":7,"run":1,)"
      R"("state":{"base":"Running","words":"RUNNING"},"token":"t1"}],"wanted":"0123456789abcdef"})");
  ASSERT_EQ(entry.attempts.size(), 1U);
  EXPECT_EQ(entry.attempts[0].job, JobId{7});
  EXPECT_EQ(entry.attempts[0].array, "");
  EXPECT_TRUE(entry.attempts[0].tasks.empty());
}

TEST(Codec, ATaskSetIsReadableText) {
  EXPECT_THAT(history_record(full_entry("train")), HasSubstr(R"("indexes":"4,7-9")"));
}

TEST(Codec, ManyScatteredIndexesComeBack) {
  SpecHistory entry;
  entry.attempts = {Attempt{}};
  std::uint32_t index = 0;
  for (std::uint32_t step = 1; step < 900; ++step) {
    entry.attempts[0].tasks.running.add(index);
    index += step;
  }
  EXPECT_EQ(read(history_record(entry)), entry);
}

TEST(Codec, WhatIsNotARecordIsRefused) {
  for (const char* record : {"", "{", "[]", "null", "\"text\"", "{}x", "{\"file\":\"\xff\"}"}) {
    EXPECT_THAT(refusal(record), Not(IsEmpty())) << record;
  }
}

TEST(Codec, ARefusalNamesTheFieldAndWhatIsWrong) {
  EXPECT_EQ(refusal(R"({"attempts":[{},{"state":{"base":"Dreaming"}}]})"),
            "attempts.1.state.base: \"Dreaming\" is not known");
  EXPECT_EQ(refusal(R"({"attempts":[{"run":"1"}]})"), "attempts.0.run: not an integer of its size");
}

TEST(Codec, AValueThatDoesNotFitIsRefused) {
  for (const char* record : {
           R"({"file":1})",
           R"({"file":{"hex":"0"}})",
           R"({"file":{"hex":"zz"}})",
           R"({"file":{}})",
           R"({"acceptedAt":"noon"})",
           R"({"acceptedAt":18446744073709551615})",
           R"({"acceptedAt":1.5})",
           R"({"removalApproved":1})",
           R"({"attempts":{}})",
           R"({"attempts":[1]})",
           R"({"done":[]})",
           R"({"done":{"g":1}})",
           R"({"attempts":[{"run":2147483648}]})",
           R"({"attempts":[{"job":-1}]})",
           R"({"attempts":[{"job":4294967296}]})",
           R"({"attempts":[{"duplicates":{"x":1}}]})",
           R"({"attempts":[{"duplicates":{"1x":1}}]})",
           R"({"attempts":[{"outcome":{"kind":""}}]})",
           R"({"attempts":[{"outcome":{"kind":7}}]})",
           R"({"attempts":[{"tasks":{"pending":3}}]})",
           R"({"attempts":[{"tasks":{"pending":"3-1"}}]})",
           R"({"attempts":[{"tasks":{"pending":"0-9999999"}}]})",
           R"({"attempts":[{"tasks":{"ended":[{"indexes":"1,"}]}}]})",
       }) {
    EXPECT_THAT(refusal(record), Not(IsEmpty())) << record;
  }
}

TEST(Codec, BytesThatAreNotUnicodeComeBack) {
  SpecHistory entry;
  entry.file = "jobs/\xe4\xff.yaml";
  EXPECT_EQ(read(history_record(entry)).file, entry.file);
}

TEST(Codec, UnicodeIsKeptReadable) {
  SpecHistory entry;
  entry.file = "jobs/\u00e4.yaml";
  EXPECT_THAT(history_record(entry), HasSubstr("jobs/\u00e4.yaml"));
}

template <typename Enum>
std::size_t words_that_come_back() {
  int value = 0;
  for (; !word_of(static_cast<Enum>(value)).empty(); ++value) {
    Enum found{};
    EXPECT_TRUE(from_word(word_of(static_cast<Enum>(value)), found));
    EXPECT_EQ(found, static_cast<Enum>(value));
  }
  return static_cast<std::size_t>(value);
}

TEST(Codec, EveryEnumeratorHasAWordOfItsOwn) {
  EXPECT_EQ(words_that_come_back<OutcomeKind>(), static_cast<std::size_t>(OutcomeKind::Lost) + 1);
  EXPECT_EQ(words_that_come_back<CancelCause>(),
            static_cast<std::size_t>(CancelCause::Duplicate) + 1);
  EXPECT_EQ(words_that_come_back<OurHold>(), static_cast<std::size_t>(OurHold::Overruled) + 1);
  EXPECT_EQ(words_that_come_back<BaseState>(), static_cast<std::size_t>(BaseState::Other) + 1);
  EXPECT_EQ(words_that_come_back<RequestKind>(),
            static_cast<std::size_t>(RequestKind::ApproveVanished) + 1);
  EXPECT_EQ(words_that_come_back<Phase>(), static_cast<std::size_t>(kPhaseCount));
  EXPECT_EQ(words_that_come_back<Reason>(), all_reasons().size());
  EXPECT_EQ(words_that_come_back<Guard>(), std::size(kAllGuards));
}

TEST(Codec, AWordThatIsNotKnownChangesNothing) {
  OutcomeKind kind = OutcomeKind::Failed;
  EXPECT_FALSE(from_word("", kind));
  EXPECT_FALSE(from_word("failed", kind));
  EXPECT_EQ(kind, OutcomeKind::Failed);
}

}  // namespace
}  // namespace sconverge::test
