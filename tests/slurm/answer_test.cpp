#include "controller/slurm/answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "specs/utf8.h"
#include "tests/slurm/golden.h"
#include "tests/support/matchers.h"

namespace sconverge::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TimePoint at(std::int64_t unix_seconds) { return TimePoint(seconds(unix_seconds)); }

const SlurmJob& only_job(const AnswerBody& answer) {
  if (answer.jobs.size() != 1) throw std::runtime_error("not one job");
  return answer.jobs.front().job;
}

const JobRecord& job_named(const AnswerBody& answer, const std::string& name) {
  for (const JobRecord& record : answer.jobs) {
    if (record.job.name == name) return record;
  }
  throw std::runtime_error("no job " + name);
}

/// One live row with these members in addition.
SlurmJob row(const std::string& members, const std::string& state = R"(["COMPLETED"])") {
  const std::string text = R"({"jobs":[{"job_id":7,"job_state":)" + state +
                           (members.empty() ? "" : ",") + members + R"(}],"errors":[]})";
  return only_job(read_text(text));
}

// Real answers.

/// Every integer as a double, as google.protobuf.Struct has it: 1234.0, 1.0e+15.
nlohmann::json with_doubles(const nlohmann::json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_structured()) return value;
  nlohmann::json copy = value;
  for (auto& member : copy) member = with_doubles(member);
  return copy;
}

TEST(AnswerTest, NumbersWrittenAsDoublesAreTheSameNumbers) {
  for (const char* file : {"jobs.json", "job_held.json", "accounting_failed.json"}) {
    const std::string text = recorded(file);
    const auto kind =
        std::string(file).starts_with("accounting") ? RowKind::Accounting : RowKind::Live;
    const std::string doubles = with_doubles(nlohmann::json::parse(text)).dump();
    const AnswerBody plain = read_text(text, kind);
    ASSERT_FALSE(plain.jobs.empty()) << file;
    EXPECT_EQ(read_text(doubles, kind).jobs, plain.jobs) << file;
  }
  EXPECT_EQ(read_text(R"({"job_id":1234.0})").submitted, JobId{1234});
  EXPECT_EQ(read_text(R"({"job_id":1.234e+3})").submitted, JobId{1234});
  EXPECT_EQ(read_text(R"({"job_id":1.0e+15})").submitted, std::nullopt);
}

TEST(RecordedAnswerTest, ListKeepsTheMarkedJobsAndCountsAll) {
  const auto answer = read_text(recorded("jobs.json"), RowKind::Live, keep_marked);
  EXPECT_TRUE(answer.whole);
  EXPECT_TRUE(answer.has_jobs);
  EXPECT_EQ(answer.all_jobs, 10U);
  EXPECT_THAT(answer.jobs, SizeIs(8));  // not "foreign" and "v41"
  EXPECT_EQ(answer.unreadable, 0U);
  EXPECT_THAT(answer.errors, IsEmpty());
  EXPECT_EQ(answer.slurm_version, "24.11.5");
  EXPECT_EQ(answer.cluster_name, "lab");
}

TEST(RecordedAnswerTest, ListIsTheSameInPiecesOfAnySize) {
  const std::string text = recorded("jobs.json");
  const auto whole = read_text(text, RowKind::Live, keep_all);
  for (const std::size_t piece : {1U, 7U, 1000U}) {
    EXPECT_EQ(read_text(text, RowKind::Live, keep_all, piece).jobs, whole.jobs);
  }
}

TEST(RecordedAnswerTest, ListTellsHowJobsStand) {
  const auto answer = read_text(recorded("jobs.json"));
  const SlurmJob& ok = job_named(answer, "ok").job;
  EXPECT_EQ(ok.state.base, BaseState::Completed);
  EXPECT_EQ(ok.exit_code, 0);
  EXPECT_EQ(ok.user, "alice");
  EXPECT_EQ(ok.reason, "");
  EXPECT_TRUE(ok.submitted && ok.started && ok.ended);
  ASSERT_TRUE(ok.mark);
  EXPECT_EQ(ok.mark->token, "aaaa");

  const SlurmJob& failed = job_named(answer, "exit3").job;
  EXPECT_EQ(failed.state.base, BaseState::Failed);
  EXPECT_EQ(failed.exit_code, 3);
  EXPECT_EQ(failed.signal, std::nullopt);
  EXPECT_EQ(failed.reason, "NonZeroExitCode");

  const SlurmJob& killed = job_named(answer, "kill").job;
  EXPECT_EQ(killed.signal, 9);
  EXPECT_EQ(killed.exit_code, std::nullopt);

  const SlurmJob& held = job_named(answer, "held").job;
  EXPECT_TRUE(held.held);
  EXPECT_EQ(held.reason, "JobHeldUser");
  EXPECT_EQ(held.started, std::nullopt);
  EXPECT_EQ(held.ended, std::nullopt);
  EXPECT_EQ(held.exit_code, std::nullopt);
}

TEST(RecordedAnswerTest, RowsOfAnArrayShareItsId) {
  const auto answer = read_text(recorded("jobs.json"));
  for (const JobRecord& record : answer.jobs) {
    EXPECT_EQ(record.group, record.job.name == "array" ? JobId{6} : record.job.id);
  }
}

TEST(RecordedAnswerTest, RowsOfAnArrayTellTheirTasks) {
  std::map<std::uint32_t, std::string> tasks;
  for (const JobRecord& record : read_text(recorded("jobs.json")).jobs) {
    if (!record.tasks.empty()) tasks[record.job.id.value] = to_text(record.tasks);
    EXPECT_FALSE(record.cut);
  }
  EXPECT_EQ(tasks, (std::map<std::uint32_t, std::string>{{6, "2-4"}, {9, "0"}, {10, "1"}}));
}

TEST(RecordedAnswerTest, RowsOfAnArrayInAccountingTellTheirTasks) {
  const auto answer = read_text(recorded("accounting_array.json"), RowKind::Accounting);
  std::map<std::uint32_t, std::string> tasks;
  for (const JobRecord& record : answer.jobs) {
    EXPECT_EQ(record.group, JobId{6});
    tasks[record.job.id.value] = to_text(record.tasks);
  }
  EXPECT_EQ(tasks, (std::map<std::uint32_t, std::string>{{6, "2-4"}, {9, "0"}, {10, "1"}}));
}

// Array 112: three tasks have begun, under ids of their own, and one waits under the array's.
RecordState state_of(std::uint32_t id, const std::string& state,
                     const std::optional<std::uint32_t>& task = {}) {
  JobRecord record{.job = {.id = JobId{id}, .state = job_state_from({state})}};
  if (task) record.tasks.add(*task);
  return {JobId{id}, *signature_of(record)};
}

TEST(RecordedAnswerTest, RowsOfTheStateListNameTasksByTwoKindsOfIds) {
  auto answer = read_text(recorded("jobs_state_array.json"), RowKind::State);
  EXPECT_THAT(answer.states.records(),
              ElementsAre(state_of(112, "PENDING", 3), state_of(113, "FAILED", 0),
                          state_of(114, "RUNNING", 1), state_of(115, "RUNNING", 2)));
  EXPECT_EQ(answer.unreadable, 0U);
}

TEST(AnswerShapeTest, StateRowsThatSayNothingAreCountedAsUnreadable) {
  auto answer = read_text(
      R"({"jobs":[{"job_id":"1_","state":["RUNNING"]},{"job_id":"_1","state":["RUNNING"]},)"
      R"({"job_id":"1_2_3","state":["RUNNING"]},{"job_id":"1_4000001","state":["RUNNING"]},)"
      R"({"job_id":"1_2","state":[]},{"job_id":"0_2","state":["RUNNING"]},)"
      R"({"job_id":7,"state":"PENDING"}]})",
      RowKind::State);
  EXPECT_EQ(answer.unreadable, 6U);
  EXPECT_THAT(answer.states.records(), ElementsAre(state_of(7, "PENDING")));
}

TEST(RecordedAnswerTest, RowsOfARequeuedJobAreOneJob) {
  const auto answer = read_text(recorded("accounting_requeued.json"), RowKind::Accounting);
  const auto job = accounted(
      answer.jobs,
      {.token = "9999", .job_name = "requeue", .submitted_after = TimePoint(seconds(0))}, "alice");
  ASSERT_TRUE(job);
  EXPECT_EQ(job->submitted, std::max(answer.jobs[0].job.submitted, answer.jobs[1].job.submitted));
  EXPECT_EQ(job->state.words, "PENDING");
}

TEST(RecordedAnswerTest, NameInLatinOneBlindsNobody) {
  const auto answer = read_text(recorded("job_latin1_name.json"));
  EXPECT_TRUE(answer.whole);
  EXPECT_EQ(only_job(answer).name, "caf\xEF\xBF\xBD");
}

TEST(RecordedAnswerTest, SubmitTellsTheJob) {
  EXPECT_EQ(read_text(recorded("submit_ok.json")).submitted, JobId{1});
  EXPECT_TRUE(read_text(recorded("submit_v41.json")).submitted);
}

TEST(RecordedAnswerTest, WarningsOfAHeldSubmitDropNothing) {
  const auto answer = read_text(recorded("submit_held.json"));
  EXPECT_TRUE(answer.submitted);
  EXPECT_THAT(answer.warnings, Contains(HasSubstr("held state")));
  EXPECT_THAT(answer.dropped_fields, IsEmpty());
}

TEST(RecordedAnswerTest, UnknownFieldIsDroppedByName) {
  EXPECT_THAT(read_text(recorded("submit_unknown_field.json")).dropped_fields,
              ElementsAre("bogus"));
  EXPECT_THAT(read_text(recorded("update_unknown_field.json")).dropped_fields,
              ElementsAre("bogus"));
}

TEST(RecordedAnswerTest, RefusedSubmitTellsWhyAndNoJob) {
  const auto answer = read_text(recorded("submit_bad_partition_500.json"));
  EXPECT_EQ(answer.submitted, std::nullopt);
  EXPECT_THAT(answer.errors, ElementsAre(SlurmComplaint{2000, "Invalid partition name specified"}));
}

TEST(RecordedAnswerTest, ComplaintAboutTheRequestTellsWhere) {
  EXPECT_THAT(
      read_text(recorded("submit_bad_type_500.json")).errors,
      ElementsAre(SlurmComplaint{9202, "#/job/time_limit/: Expected integer but got \"1:00:00\""}));
}

TEST(RecordedAnswerTest, CancelTellsAboutEachJob) {
  EXPECT_THAT(read_text(recorded("cancel_ok.json")).job_failures, IsEmpty());
  EXPECT_EQ(read_text(recorded("cancel_done.json")).job_failures.front().number, 2021);
  EXPECT_THAT(read_text(recorded("cancel_unknown.json")).job_failures,
              ElementsAre(SlurmComplaint{2017, "Invalid job id specified"}));
}

TEST(RecordedAnswerTest, UpdateOfAnOldVersionNamesNoJobAsSubmitted) {
  const auto answer = read_text(recorded("update_v40.json"));
  EXPECT_TRUE(answer.whole);
  EXPECT_EQ(answer.submitted, std::nullopt);
}

TEST(RecordedAnswerTest, NothingChangedIsTold) {
  const auto answer = read_text(recorded("jobs_no_change.json"));
  EXPECT_TRUE(answer.has_jobs);
  EXPECT_TRUE(answer.no_change);
}

TEST(RecordedAnswerTest, EmptyListForAnExpiredTokenTellsItsError) {
  EXPECT_THAT(read_text(recorded("jobs_expired_token_511.json")).errors,
              ElementsAre(SlurmComplaint{1007, "Protocol authentication error"}));
}

TEST(RecordedAnswerTest, AccountingTellsHowAJobEnded) {
  const auto answer = read_text(recorded("accounting_failed.json"), RowKind::Accounting);
  const SlurmJob& job = only_job(answer);
  EXPECT_EQ(job.state.base, BaseState::Failed);
  EXPECT_EQ(job.exit_code, 3);
  EXPECT_EQ(job.user, "alice");
  ASSERT_TRUE(job.mark);
  EXPECT_EQ(job.mark->token, "bbbb");
  EXPECT_TRUE(job.submitted && job.started && job.ended);
}

TEST(RecordedAnswerTest, AccountingTellsWhoCancelledAndThatItNeverStarted) {
  const auto answer = read_text(recorded("accounting_cancelled.json"), RowKind::Accounting);
  const SlurmJob& job = only_job(answer);
  EXPECT_EQ(job.state.base, BaseState::Cancelled);
  EXPECT_EQ(job.cancelled_by, "alice");
  EXPECT_EQ(job.started, std::nullopt);
}

TEST(RecordedAnswerTest, AccountingShowsARequeueAsTwoRows) {
  const auto answer = read_text(recorded("accounting_requeued.json"), RowKind::Accounting);
  ASSERT_THAT(answer.jobs, SizeIs(2));
  EXPECT_EQ(answer.jobs[0].job.id, answer.jobs[1].job.id);
  EXPECT_NE(answer.jobs[0].job.submitted, answer.jobs[1].job.submitted);
}

TEST(RecordedAnswerTest, AccountingWithoutRowsIsAnEmptyList) {
  const auto answer = read_text(recorded("accounting_none.json"), RowKind::Accounting);
  EXPECT_TRUE(answer.has_jobs);
  EXPECT_THAT(answer.errors, IsEmpty());
  EXPECT_EQ(answer.all_jobs, 0U);
}

// Shapes of other versions.

TEST(AnswerShapeTest, StateIsAListOrAWord) {
  EXPECT_EQ(row("", R"(["RUNNING","COMPLETING"])").state.words, "RUNNING+COMPLETING");
  EXPECT_EQ(row("", R"("RUNNING")").state.base, BaseState::Running);
}

TEST(AnswerShapeTest, NumberIsPlainOrAStructOrText) {
  for (const char* number : {"1700000000", R"("1700000000")", "1700000000.0",
                             R"({"set":true,"infinite":false,"number":1700000000})"}) {
    EXPECT_EQ(row(std::string(R"("submit_time":)") + number).submitted, at(1700000000)) << number;
  }
}

TEST(AnswerShapeTest, UnsetOrInfiniteNumberIsNone) {
  for (const char* number : {"null", "0", R"("Infinity")", "4294967294", "18446744073709551614",
                             R"({"set":false,"infinite":false,"number":1700000000})",
                             R"({"set":false,"infinite":true,"number":0})", "{}", "[]", "1e300"}) {
    EXPECT_EQ(row(std::string(R"("submit_time":)") + number).submitted, std::nullopt) << number;
  }
}

TEST(AnswerShapeTest, ExitCodeIsAWaitStatusPlainOrAsAStruct) {
  EXPECT_EQ(row(R"("exit_code":768)").exit_code, 3);
  EXPECT_EQ(row(R"("exit_code":{"set":true,"infinite":false,"number":768})").exit_code, 3);
  EXPECT_EQ(row(R"("exit_code":9)").signal, 9);
  EXPECT_EQ(row(R"("exit_code":9)").exit_code, std::nullopt);
  EXPECT_EQ(row(R"("exit_code":{"set":false,"infinite":false,"number":0})").exit_code,
            std::nullopt);
}

TEST(AnswerShapeTest, ExitCodeIsTakenApartWithPlainNumbersOrStructs) {
  EXPECT_EQ(row(R"("exit_code":{"status":["ERROR"],"return_code":3,"signal":null})").exit_code, 3);
  EXPECT_EQ(row(R"("exit_code":{"status":"SIGNALED","return_code":0,
                   "signal":{"signal_id":15,"name":"TERM"}})")
                .signal,
            15);
  EXPECT_EQ(row(R"("exit_code":{"status":["SIGNALED"],"return_code":{"set":true,"number":0},
                   "signal":{"id":{"set":true,"infinite":false,"number":15},"name":"TERM"}})")
                .signal,
            15);
}

TEST(AnswerShapeTest, ExitCodeOfAJobThatHasNotEndedMeansNothing) {
  EXPECT_EQ(row(R"("exit_code":0)", R"(["RUNNING"])").exit_code, std::nullopt);
}

TEST(AnswerShapeTest, ExpectedStartAndEndAreNoStartAndEnd) {
  const char* times = R"("start_time":1700000000,"end_time":1700003600)";
  EXPECT_EQ(row(times, R"("PENDING")").started, std::nullopt);
  EXPECT_EQ(row(times, R"("RUNNING")").started, at(1700000000));
  EXPECT_EQ(row(times, R"("RUNNING")").ended, std::nullopt);
  EXPECT_EQ(row(times, R"("COMPLETED")").ended, at(1700003600));
}

TEST(AnswerShapeTest, PlainZeroPriorityHoldsAPendingJob) {
  EXPECT_TRUE(row(R"("priority":0)", R"("PENDING")").held);
  EXPECT_FALSE(row(R"("priority":1)", R"("PENDING")").held);
  EXPECT_FALSE(row(R"("priority":null)", R"("PENDING")").held);
  EXPECT_FALSE(row(R"("priority":0)", R"("RUNNING")").held);
}

TEST(AnswerShapeTest, JobIdMayBeText) {
  const auto answer = read_text(R"({"jobs":[{"job_id":"12","job_state":"PENDING"}]})");
  EXPECT_EQ(only_job(answer).id, JobId{12});
}

TEST(AnswerShapeTest, ReasonFallsBackToTheDescription) {
  EXPECT_EQ(row(R"("state_reason":"None","state_description":"launch failed\nrequeued held")",
                R"("PENDING")")
                .reason,
            "launch failed requeued held");
}

struct ArrayShape {
  const char* members;
  const char* tasks;  ///< "cut": Slurm names only the first of them
};

TEST(AnswerShapeTest, TasksOfAnArrayAreReadInEveryShape) {
  const ArrayShape cases[] = {
      {R"("array_job_id":6,"array_task_id":3,"array_task_string":"")", "3"},
      {R"("array_job_id":6,"array_task_id":"0","array_task_string":null)", "0"},
      {R"("array_job_id":{"set":true,"number":6},"array_task_id":{"set":true,"number":7})", "7"},
      {R"("array_job_id":6,"array_task_id":null,"array_task_string":"3-9%2")", "3-9"},
      {R"("array_job_id":6,"array_task_id":4294967294,"array_task_string":"0-20:2%1")", "0-20:2"},
      {R"("array_job_id":6,"array_task_id":{"set":false,"number":0},"array_task_string":"1,5")",
       "1,5"},
      {R"("array_job_id":6,"array_task_string":"0x1C")", "2-4"},
      {R"("array_job_id":6,"array_task_string":"0x0100155")", "0-8:2,20"},
      {R"("array_job_id":6,"array_task_string":"1,3,5,8,1...%2")", "cut"},
      {R"("array_job_id":6,"array_task_string":"0xZZ")", "cut"},
      {R"("array_job_id":6,"array_task_string":"%2")", ""},
      {R"("array_job_id":6,"array_task_id":4000001,"array_task_string":"")", ""},
      {R"("array_job_id":6,"array_task_id":-1,"array_task_string":"")", ""},
      {R"("array_job_id":6)", ""},
      {R"("array_job_id":0,"array_task_id":0,"array_task_string":"")", ""},
      {R"("array_job_id":0,"array_task_string":"0-3")", ""},
  };
  for (const ArrayShape& c : cases) {
    SCOPED_TRACE(c.members);
    const auto answer = read_text(R"({"jobs":[{"job_id":9,"job_state":"PENDING",)" +
                                  std::string(c.members) + "}]}");
    ASSERT_THAT(answer.jobs, SizeIs(1));
    const JobRecord& record = answer.jobs.front();
    EXPECT_EQ(record.cut ? "cut" : to_text(record.tasks), c.tasks);
  }
}

TEST(AnswerShapeTest, AnAbsurdBitmapOfTasksIsNotKept) {
  const auto answer = read_text(R"({"jobs":[{"job_id":9,"job_state":"PENDING","array_job_id":6,)"
                                R"("array_task_string":"0x)" +
                                std::string(2'000'000, 'F') + R"("}]})");
  EXPECT_TRUE(answer.jobs.front().cut);
}

TEST(AnswerShapeTest, ComponentsOfAHeterogeneousJobShareTheLeadersId) {
  const auto answer =
      read_text(R"({"jobs":[{"job_id":9,"job_state":"PENDING","array_job_id":0,"het_job_id":8}]})");
  EXPECT_EQ(answer.jobs.front().group, JobId{8});
}

TEST(AnswerShapeTest, ErrorNumberZeroIsStillAnError) {
  const auto answer = read_text(R"({"jobs":[],"errors":[{"error_number":0,"error":"No error"}]})");
  EXPECT_THAT(answer.errors, SizeIs(1));
}

TEST(AnswerShapeTest, ErrorsAreReadInTheirOldForm) {
  EXPECT_THAT(read_text(R"({"errors":[{"error_code":2042,"error":"held"}]})").errors,
              ElementsAre(SlurmComplaint{2042, "held"}));
}

TEST(AnswerShapeTest, SubmitOfAnOldVersionTellsTheJobInsideOfResult) {
  EXPECT_EQ(read_text(R"({"result":{"job_id":"44"}})").submitted, JobId{44});
  EXPECT_EQ(read_text(R"({"job_id":0,"errors":[]})").submitted, std::nullopt);
}

// Bad answers.

TEST(BadAnswerTest, AnythingButAnObjectToItsLastByteIsNoAnswer) {
  const std::string good = R"({"jobs":[],"errors":[]})";
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(read_text(good.substr(0, size)).whole) << good.substr(0, size);
  }
  for (const char* text : {"[]", "null", "7", "\"jobs\"", R"({"jobs":[]} x)", "<html>jobs</html>",
                           "Authentication failure", R"({"jobs":[]}{"jobs":[]})", "{jobs:[]}"}) {
    EXPECT_FALSE(read_text(text).whole) << text;
  }
  EXPECT_TRUE(read_text(good + "\n").whole);
}

TEST(BadAnswerTest, ListCutAfterAnyJobIsNoAnswer) {
  const std::string text = recorded("jobs.json");
  EXPECT_FALSE(read_text(text.substr(0, text.size() / 2)).whole);
  EXPECT_FALSE(read_text(text.substr(0, text.size() - 1)).whole);
}

TEST(BadAnswerTest, JobsThatAreNoListAreNone) {
  for (const char* jobs : {"null", "{}", "7", "\"\""}) {
    const auto answer = read_text(std::string(R"({"jobs":)") + jobs + "}");
    EXPECT_TRUE(answer.whole);
    EXPECT_FALSE(answer.has_jobs) << jobs;
  }
}

TEST(BadAnswerTest, RowsWithoutAnIdOrAStateAreCountedAsUnreadable) {
  for (const char* bad :
       {"null", "7", "[]", "[[{\"job_id\":1}]]", "{}", R"({"job_id":7})",
        R"({"job_state":["PENDING"]})", R"({"job_id":0,"job_state":"PENDING"})",
        R"({"job_id":-1,"job_state":"PENDING"})", R"({"job_id":5000000000,"job_state":"PENDING"})",
        R"({"job_id":7,"job_state":[]})"}) {
    const auto answer = read_text(std::string(R"({"jobs":[)") + bad + "]}");
    EXPECT_TRUE(answer.whole) << bad;
    EXPECT_EQ(answer.unreadable, 1U) << bad;
    EXPECT_EQ(answer.all_jobs, 1U) << bad;
  }
}

TEST(BadAnswerTest, AbsurdNestingIsNoAnswer) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  EXPECT_FALSE(read_text(R"({"errors":)" + deep + R"(,"jobs":[]})").whole);
  EXPECT_FALSE(read_text(R"({"x":)" + deep + R"(,"jobs":[]})").whole);
}

TEST(BadAnswerTest, WordsInOtherPlacesAreNotTakenForJobs) {
  const auto answer = read_text(
      R"({"meta":{"jobs":[{"job_id":1,"job_state":"PENDING"}]},"x":{"errors":[1]},"jobs":[
          {"job_id":2,"job_state":"PENDING","inner":{"job_id":3,"job_state":"RUNNING"}}]})");
  EXPECT_EQ(only_job(answer).id, JobId{2});
  EXPECT_EQ(only_job(answer).state.base, BaseState::Pending);
  EXPECT_THAT(answer.errors, IsEmpty());
}

TEST(BadAnswerTest, StartOfATextIsKeptForMessagesInOneLine) {
  EXPECT_EQ(read_text("Authentication\r\n\x1b[31m failure").start, "Authentication [31m failure");
  EXPECT_LE(read_text(std::string(100'000, 'x')).start.size(), 210U);
  for (std::size_t ascii = 190; ascii < 210; ++ascii) {
    const std::string text = std::string(ascii, 'x') + "\xF0\x9F\x98\x80\xF0\x9F\x98\x80";
    EXPECT_FALSE(first_invalid_utf8(read_text(text).start)) << ascii;
  }
}

}  // namespace
}  // namespace sconverge::test
