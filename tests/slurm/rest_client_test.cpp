#include "controller/slurm/rest_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <nlohmann/json.hpp>

#include "tests/slurm/scripted_transport.h"
#include "tests/support/matchers.h"

namespace sconverge::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr TimePoint kNoon{seconds(1'800'000'000)};
constexpr const char* kNoJobs = R"({"jobs":[],"errors":[],"warnings":[]})";

/// A cluster that serves v0.0.42 and answers as recorded; each test says only what differs.
class RestClientTest : public testing::Test {
 protected:
  RestClientTest() { script_->serve("v0.0.42"); }

  static std::string slurm(const std::string& rest) { return "/slurm/v0.0.42/" + rest; }
  static std::string slurmdb(const std::string& rest) { return "/slurmdb/v0.0.42/" + rest; }

  /// What the same request would be answered with, instead of what was said before.
  void instead(const std::string& request, const std::string& body, int status) const {
    script_->answers[request] = {ScriptedAnswer{status, body, {}}};
  }

  /// What is asked from now on is asked in a known version.
  void ask_for_the_version() const {
    ASSERT_FALSE(client_->read(JobId{404}));
    client_->take_requests();
  }

  std::shared_ptr<Script> script_ = std::make_shared<Script>();
  TimePoint now_ = kNoon;
  std::unique_ptr<SlurmClient> client_ =
      make_rest_client(std::make_unique<ScriptedTransport>(script_), {.now = [this] {
                         now_ += seconds(1);
                         return now_;
                       }});
  Submission submission_{{{"name", "train"}}, "#!/bin/sh\n"};
};

// Version.

TEST_F(RestClientTest, AsksInTheNewestVersionServed) {
  script_->serve("v0.0.41");
  script_->on("GET " + slurm("jobs/"), "jobs.json");
  EXPECT_TRUE(client_->observe({}));
  EXPECT_THAT(script_->paths("ping"),
              ElementsAre("GET /slurm/v0.0.45/ping/", "GET /slurm/v0.0.44/ping/",
                          "GET /slurm/v0.0.43/ping/", "GET /slurm/v0.0.42/ping/"));
}

TEST_F(RestClientTest, WhyAServiceBeforeSlurmTakesNoPathIsTold) {
  for (const char* version : {"0", "1", "2", "3", "4", "5"}) {
    const std::string path = std::string("GET /slurm/v0.0.4") + version + "/ping/";
    script_->answers[path] = {ScriptedAnswer{404, "{}", {}, "the location is not valid"}};
  }
  EXPECT_THAT(client_->observe({}).error().message,
              testing::AllOf(HasSubstr("the location is not valid"), Not(HasSubstr("slurmrestd"))));
}

TEST_F(RestClientTest, AServiceThatDoesNotTakeTheListSaysWhy) {
  script_->answers["GET " + slurm("jobs/")] = {
      ScriptedAnswer{404, "{}", {}, "the location is not valid"}};
  EXPECT_THAT(client_->observe({}).error().message,
              testing::AllOf(HasSubstr("the location is not valid"), Not(HasSubstr("404"))));
}

TEST_F(RestClientTest, AsksForTheVersionOnce) {
  script_->on("GET " + slurm("jobs/"), "jobs.json");
  script_->on_text("GET " + slurm("jobs/state/"), kNoJobs);
  ASSERT_TRUE(client_->observe({}));
  const auto pings = script_->paths("ping").size();
  ASSERT_TRUE(client_->observe({}));
  EXPECT_THAT(script_->paths("ping"), SizeIs(pings));
}

TEST_F(RestClientTest, FindsTheNewVersionAfterAnUpgrade) {
  script_->on("GET " + slurm("jobs/"), "jobs.json");
  ASSERT_TRUE(client_->observe({}));
  script_->answers.clear();
  script_->serve("v0.0.45");
  script_->on("GET /slurm/v0.0.45/jobs/", "jobs.json");
  EXPECT_TRUE(client_->observe({}));
}

TEST_F(RestClientTest, PinnedVersionIsTakenUnasked) {
  script_->on("GET /slurm/v0.0.40/jobs/", "jobs.json");
  const auto client =
      make_rest_client(std::make_unique<ScriptedTransport>(script_), {.api_version = "v0.0.40"});
  EXPECT_TRUE(client->observe({}));
  EXPECT_THAT(script_->paths("ping"), IsEmpty());
}

TEST_F(RestClientTest, PinnedVersionThatIsNotServedIsNamed) {
  const auto client =
      make_rest_client(std::make_unique<ScriptedTransport>(script_), {.api_version = "v0.0.45"});
  const auto submitted = client->submit(submission_);
  ASSERT_FALSE(submitted);
  EXPECT_EQ(submitted.error().kind, ErrorKind::Unavailable);
  EXPECT_THAT(submitted.error().message, HasSubstr("does not serve API v0.0.45"));
}

TEST_F(RestClientTest, ClusterWithoutAKnownVersionIsUnavailable) {
  script_->answers.clear();
  const auto observation = client_->observe({});
  ASSERT_FALSE(observation);
  EXPECT_EQ(observation.error().kind, ErrorKind::Unavailable);
  EXPECT_THAT(observation.error().message, HasSubstr("no API version between v0.0.40 and v0.0.45"));
}

TEST_F(RestClientTest, UnreachableClusterIsNotTakenForOneWithoutVersions) {
  script_->on_error("GET /slurm/v0.0.45/ping/", ErrorKind::Unavailable);
  const auto observation = client_->observe({});
  ASSERT_FALSE(observation);
  EXPECT_THAT(observation.error().message, HasSubstr("scripted"));
  EXPECT_THAT(script_->calls, SizeIs(1));
}

TEST_F(RestClientTest, VersionIsNotGuessedFromAnAnswerThatIsNone) {
  script_->on_text("GET /slurm/v0.0.45/ping/", "<html>Bad gateway</html>", 502);
  EXPECT_FALSE(client_->observe({}));
  EXPECT_THAT(script_->calls, SizeIs(1));
}

// Observing.

TEST_F(RestClientTest, ObservesTheMarkedJobsWithArraysAsOneJob) {
  script_->on("GET " + slurm("jobs/"), "jobs.json");
  const auto observation = client_->observe({});
  ASSERT_TRUE(observation);
  EXPECT_EQ(observation->all_jobs, 10U);
  std::vector<std::string> names;
  for (const SlurmJob& job : observation->jobs) names.push_back(job.name);
  EXPECT_THAT(names,
              testing::UnorderedElementsAre("ok", "exit3", "kill", "held", "array", "bogus"));
}

TEST_F(RestClientTest, ObservationBeganBeforeAndEndedAfterTheRequest) {
  script_->on("GET " + slurm("jobs/"), "jobs.json");
  const auto observation = client_->observe({});
  EXPECT_EQ(observation->began, kNoon + seconds(1));
  EXPECT_EQ(observation->ended, kNoon + seconds(2));
}

TEST_F(RestClientTest, ListIsAskedForWithoutConditions) {
  script_->on("GET " + slurm("jobs/"), "jobs.json");
  ASSERT_TRUE(client_->observe({}));
  EXPECT_EQ(script_->calls.back().path, slurm("jobs/"));
}

TEST_F(RestClientTest, ASecondLookAsksForTheStatesAlone) {
  script_->on("GET " + slurm("jobs/"), "jobs.json");
  script_->on_text("GET " + slurm("jobs/state/"), kNoJobs);
  ASSERT_TRUE(client_->observe({}));
  const auto second = client_->observe({});
  ASSERT_TRUE(second);
  EXPECT_FALSE(second->whole);
  EXPECT_THAT(second->jobs, IsEmpty());
  EXPECT_THAT(script_->paths("/jobs/"), SizeIs(2));
}

TEST_F(RestClientTest, WhereNoStatesAreServedAllJobsAreListed) {
  script_->on("GET " + slurm("jobs/"), "jobs.json");
  const auto first = client_->observe({});
  const auto second = client_->observe({});
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(second->whole);
  EXPECT_EQ(second->jobs, first->jobs);
}

TEST_F(RestClientTest, AFailedListOfStatesIsAnErrorAndNotAnEmptyOne) {
  script_->on("GET " + slurm("jobs/"), "jobs.json");
  ASSERT_TRUE(client_->observe({}));
  const std::vector<std::pair<std::string, int>> answers{
      {R"({"jobs":null,"errors":[{"error_number":-1,"error":"Unspecified error"}]})", 500},
      {R"({"jobs":[],"errors":[{"error_number":1800,"error":"down"}]})", 502},
      {R"({"jobs":[],"errors":[{"error_number":1800,"error":"down"}]})", 200},
      {R"({"jobs":[{"job_id":"7","state":["RUN)", 200},
      {"", 200}};
  for (const auto& [body, status] : answers) {
    instead("GET " + slurm("jobs/state/"), body, status);
    const auto observation = client_->observe({});
    ASSERT_FALSE(observation.ok()) << body;
    EXPECT_EQ(observation.error().kind, ErrorKind::Unavailable) << body;
  }
}

TEST_F(RestClientTest, WhereTheListOfStatesCannotBeReadAllJobsAreListed) {
  for (const std::string body :
       {R"({"jobs":null,"errors":[],"warnings":[]})", R"({"errors":[],"warnings":[]})",
        R"({"jobs":[{"job_id":"7"}],"errors":[]})",
        R"({"jobs":[],"errors":[],"warnings":[{"description":"No job changes since update"}]})"}) {
    auto script = std::make_shared<Script>();
    script->serve("v0.0.42");
    script->on("GET " + slurm("jobs/"), "jobs.json");
    script->on_text("GET " + slurm("jobs/state/"), body);
    const auto client = make_rest_client(std::make_unique<ScriptedTransport>(script), {});
    const auto first = client->observe({});
    const auto second = client->observe({});
    ASSERT_TRUE(first && second) << body;
    EXPECT_TRUE(second->whole) << body;
    EXPECT_EQ(second->jobs, first->jobs) << body;
  }
}

TEST_F(RestClientTest, EmptyListIsOne) {
  script_->on_text("GET " + slurm("jobs/"), R"({"jobs":[],"errors":[],"warnings":[
      {"description":"Zero jobs to dump","source":"x"}]})");
  const auto observation = client_->observe({});
  ASSERT_TRUE(observation);
  EXPECT_EQ(observation->all_jobs, 0U);
}

TEST_F(RestClientTest, NothingElseIsEverTakenForAList) {
  const std::string good = R"({"jobs":[],"errors":[]})";
  const std::vector<std::pair<int, std::string>> answers{
      {200, recorded("jobs_no_change.json")},
      {502, recorded("jobs_slurmctld_down_502.json")},
      {511, recorded("jobs_expired_token_511.json")},
      {200, recorded("jobs_expired_token_511.json")},
      {200, R"({"jobs":[],"errors":[{"error_number":0,"error":"No error"}]})"},
      {200, R"({"jobs":[],"errors":"what"})"},
      {200, R"({"jobs":null,"errors":[]})"},
      {200, R"({"jobs":{},"errors":[]})"},
      {200, R"({"jobs":[{"name":"no id"}],"errors":[]})"},
      {200, R"({"errors":[]})"},
      {200, ""},
      {200, "<html></html>"},
      {200, good.substr(0, good.size() - 1)},
      {200, good + "}"},
      {201, good},
      {204, ""},
      {304, ""},
      {301, good},
      {401, recorded("no_token_401.txt")},
      {404, good},
      {500, good},
      {502, "<html>Bad gateway</html>"},
      {503, good},
      {511, R"({"jobs":null,"errors":[{"error_number":1007,"error":"auth"}]})"},
  };
  for (const auto& [status, body] : answers) {
    instead("GET " + slurm("jobs/"), body, status);
    const auto observation = client_->observe({});
    ASSERT_FALSE(observation) << status << body.substr(0, 60);
    EXPECT_TRUE(observation.error().kind == ErrorKind::Unavailable ||
                observation.error().kind == ErrorKind::Denied)
        << status << body.substr(0, 60);
    EXPECT_THAT(observation.error().message, HasSubstr("list of jobs")) << status;
  }
}

TEST_F(RestClientTest, ListWhoseAnswerIsLostIsUnavailable) {
  for (const ErrorKind kind : {ErrorKind::Unavailable, ErrorKind::Unknown}) {
    script_->answers["GET " + slurm("jobs/")] = {Error{kind, "scripted"}};
    EXPECT_EQ(client_->observe({}).error().kind, ErrorKind::Unavailable);
  }
}

// Credentials.

TEST_F(RestClientTest, RefusedCredentialsAreRenewedOnceAndTheRequestSentAgain) {
  script_->on("GET " + slurm("jobs/"), "jobs_expired_token_511.json", 511);
  script_->on("GET " + slurm("jobs/"), "jobs.json");
  script_->newest_credentials = 2;
  EXPECT_TRUE(client_->observe({}));
}

TEST_F(RestClientTest, RefusedCredentialsWithoutNewerOnesAreDenied) {
  script_->on("GET " + slurm("jobs/"), "jobs_expired_token_511.json", 511);
  const auto observation = client_->observe({});
  ASSERT_FALSE(observation);
  EXPECT_EQ(observation.error().kind, ErrorKind::Denied);
  EXPECT_THAT(script_->paths("jobs/"), SizeIs(1));
}

TEST_F(RestClientTest, CredentialsRefusedTwiceAreDenied) {
  script_->on_text("POST " + slurm("job/submit"), recorded("no_token_401.txt"), 401);
  script_->newest_credentials = 2;
  EXPECT_EQ(client_->submit(submission_).error().kind, ErrorKind::Denied);
  EXPECT_THAT(script_->paths("submit"), SizeIs(2));
}

// One job.

TEST_F(RestClientTest, ReadsOneJob) {
  script_->on("GET " + slurm("job/4"), "job_held.json");
  const auto job = client_->read(JobId{4});
  ASSERT_TRUE(job && *job);
  EXPECT_EQ((*job)->name, "held");
  EXPECT_TRUE((*job)->held);
}

TEST_F(RestClientTest, ReadsAnArrayAsOneJob) {
  script_->on("GET " + slurm("job/6"), "jobs.json");
  const auto job = client_->read(JobId{6});
  ASSERT_TRUE(job && *job);
  EXPECT_EQ((*job)->id, JobId{6});
  EXPECT_EQ((*job)->state.base, BaseState::Running);
}

TEST_F(RestClientTest, OnlySlurmsOwnWordIsAbsence) {
  script_->on("GET " + slurm("job/7"), "job_unknown_404.json", 404);
  const auto job = client_->read(JobId{7});
  ASSERT_TRUE(job);
  EXPECT_FALSE(*job);
}

TEST_F(RestClientTest, OtherAnswersAreNoAbsence) {
  const std::vector<std::pair<int, std::string>> answers{
      {404, recorded("version_not_served_404.txt")},
      {404, ""},
      {404, R"({"jobs":[],"errors":[]})"},
      {200, R"({"jobs":[],"errors":[]})"},
      {500, recorded("job_slurmctld_down_500.json")},
      {200, R"({"jobs":[],"errors":[{"error_number":2017},{"error_number":1800}]})"},
      {200, R"({"jobs":[{"job_id":8,"job_state":["PENDING"]}],"errors":[]})"},
      {404, R"({"jobs":[],"errors":[{"error_number":2017)"},
  };
  for (const auto& [status, body] : answers) {
    instead("GET " + slurm("job/7"), body, status);
    const auto job = client_->read(JobId{7});
    ASSERT_FALSE(job) << status << body;
    EXPECT_EQ(job.error().kind, ErrorKind::Unavailable) << status << body;
  }
}

// Accounting.

TEST_F(RestClientTest, AccountingIsAskedByIdIfThereIsOne) {
  script_->on("GET " + slurmdb("job/2"), "accounting_failed.json");
  const auto job = client_->account({.token = "bbbb", .job = JobId{2}});
  ASSERT_TRUE(job && *job);
  EXPECT_EQ((*job)->exit_code, 3);
}

TEST_F(RestClientTest, AccountingIsAskedByNameUserAndSubmitTime) {
  script_->on("GET " + slurmdb("jobs/"), "accounting_failed.json");
  const auto job = client_->account(
      {.token = "bbbb", .job_name = "a b&c=\xC3\xA9/\xF0\x9F\x98\x80", .submitted_after = kNoon});
  ASSERT_TRUE(job && *job);
  const std::string path = script_->calls.back().path;
  EXPECT_THAT(path, HasSubstr("?job_name=a%20b%26c%3D%C3%A9%2F%F0%9F%98%80&"));
  EXPECT_THAT(path, HasSubstr("users=alice"));
  EXPECT_THAT(path, HasSubstr("usage_time_as_submit_time=true"));
  EXPECT_THAT(path, HasSubstr("start_time=uts17999"));
}

TEST_F(RestClientTest, WhereQueriesAreRefusedTodaysAccountingIsSearchedHere) {
  script_->refuses_queries = true;
  script_->on("GET " + slurmdb("jobs/"), "accounting_failed.json");
  const auto job = client_->account({.token = "bbbb", .job_name = "exit3"});
  ASSERT_TRUE(job && *job);
  EXPECT_EQ((*job)->exit_code, 3);
}

TEST_F(RestClientTest, WhereQueriesAreRefusedAccountingProvesNoAbsence) {
  script_->refuses_queries = true;
  for (const char* file : {"accounting_failed.json", "accounting_none.json"}) {
    instead("GET " + slurmdb("jobs/"), recorded(file), 200);
    const auto job = client_->account({.token = "t", .job_name = "no such name"});
    ASSERT_FALSE(job) << file;
    EXPECT_EQ(job.error().kind, ErrorKind::Unavailable) << file;
    EXPECT_THAT(job.error().message, HasSubstr("refuses query strings")) << file;
  }
  EXPECT_THAT(script_->paths("?"), SizeIs(1)) << "found out once";
}

/// Accounting with one ended job, 2, that carries no comment.
std::string accounting_without_comments() {
  std::string body = recorded("accounting_failed.json");
  const auto mark = body.find("[sconverge\\/1");
  body.erase(mark, body.find(']', mark) + 1 - mark);
  return body;
}

TEST_F(RestClientTest, AccountingWithoutCommentsCannotSayThatASubmitNeverArrived) {
  instead("GET " + slurmdb("jobs/"), accounting_without_comments(), 200);
  instead("GET " + slurm("job/2"),
          R"({"jobs":[],"errors":[{"error_number":2017,"error":"Invalid job id specified"}]})",
          404);
  const auto job = client_->account({.token = "t", .job_name = "exit3"});
  ASSERT_FALSE(job);
  EXPECT_EQ(job.error().kind, ErrorKind::Unavailable);
  EXPECT_THAT(job.error().message, HasSubstr("job 2 may be the one"));
}

TEST_F(RestClientTest, SlurmctldTellsWhoseAJobIsThatAccountingHasNoCommentOf) {
  instead("GET " + slurmdb("jobs/"), accounting_without_comments(), 200);
  const auto live = [&](const std::string& comment, const std::string& submitted) {
    instead(
        "GET " + slurm("job/2"),
        R"({"errors":[],"jobs":[{"job_id":2,"name":"exit3","job_state":["RUNNING"],"comment":")" +
            comment + R"(","submit_time":)" + submitted + "}]}",
        200);
    return client_->account({.token = "t", .job_name = "exit3"});
  };
  const std::string submitted = "1796026447";

  auto job = live("somebody's", submitted);
  ASSERT_TRUE(job);
  EXPECT_FALSE(*job);

  job = live("[sconverge/1 c=prod s=default/exit3 g=0123456789abcdef r=1 a=1 t=t]", submitted);
  ASSERT_TRUE(job && *job);
  EXPECT_EQ((*job)->id, JobId{2});

  EXPECT_FALSE(live("somebody's", "1796026448")) << "the id has been given out again";
}

TEST_F(RestClientTest, AccountingThatAnswersWithoutOurRowHasNoSuchJob) {
  script_->on("GET " + slurmdb("jobs/"), "accounting_none.json");
  auto job = client_->account({.token = "t", .job_name = "train"});
  ASSERT_TRUE(job);
  EXPECT_FALSE(*job);

  instead("GET " + slurmdb("jobs/"), recorded("accounting_failed.json"), 200);
  job = client_->account({.token = "t", .job_name = "exit3"});
  ASSERT_TRUE(job);
  EXPECT_FALSE(*job);

  for (const auto& [status, body] :
       {std::pair{204, ""},
        std::pair{
            200,
            R"({"jobs":[],"errors":[{"error_number":9003,"error":"Query result is empty"}]})"}}) {
    instead("GET " + slurmdb("jobs/"), body, status);
    job = client_->account({.token = "t", .job_name = "train"});
    ASSERT_TRUE(job) << status;
    EXPECT_FALSE(*job);
  }
}

TEST_F(RestClientTest, AccountingThatIsDownIsUnavailable) {
  for (const auto& [status, body] :
       {std::pair{502, recorded("accounting_down_502.json")},
        std::pair{404, recorded("version_not_served_404.txt")}, std::pair{200, std::string("{}")},
        std::pair{500, std::string(R"({"jobs":[],"errors":[]})")}}) {
    instead("GET " + slurmdb("jobs/"), body, status);
    const auto job = client_->account({.token = "t", .job_name = "train"});
    ASSERT_FALSE(job) << status;
    EXPECT_EQ(job.error().kind, ErrorKind::Unavailable) << status;
  }
}

TEST_F(RestClientTest, ClusterWithoutAccountingIsNotAskedForItsVersionAgain) {
  ASSERT_FALSE(client_->account({.token = "t", .job_name = "train"}));
  const auto pings = script_->paths("ping").size();
  ASSERT_FALSE(client_->account({.token = "t", .job_name = "train"}));
  EXPECT_THAT(script_->paths("ping"), SizeIs(pings));
}

// Submitting.

TEST_F(RestClientTest, SubmitTellsTheJobAndIsMarkedAsNotToBeRepeated) {
  script_->on("POST " + slurm("job/submit"), "submit_ok.json");
  const auto submitted = client_->submit(submission_);
  ASSERT_TRUE(submitted);
  EXPECT_EQ(submitted->job, JobId{1});
  EXPECT_TRUE(script_->calls.back().at_most_once);
  EXPECT_EQ(nlohmann::json::parse(script_->calls.back().body).at("job").at("name"), "train");
}

TEST_F(RestClientTest, HeldSubmitIsASuccessWithWarnings) {
  script_->on("POST " + slurm("job/submit"), "submit_held.json");
  const auto submitted = client_->submit(submission_);
  ASSERT_TRUE(submitted);
  EXPECT_THAT(submitted->warnings, Contains(HasSubstr("held state")));
}

TEST_F(RestClientTest, JobIdInAnyAnswerIsASuccess) {
  for (const int status : {200, 422, 500, 502, 504}) {
    instead("POST " + slurm("job/submit"),
            R"({"job_id":77,"errors":[{"error_number":2016,"error":"busy"}]})", status);
    const auto submitted = client_->submit(submission_);
    ASSERT_TRUE(submitted) << status;
    EXPECT_EQ(submitted->job, JobId{77});
  }
}

TEST_F(RestClientTest, JobIdInABrokenAnswerIsNotTrusted) {
  script_->on_text("POST " + slurm("job/submit"), R"({"job_id":77)");
  EXPECT_EQ(client_->submit(submission_).error().kind, ErrorKind::Unknown);
}

TEST_F(RestClientTest, SubmitAnswersAreSortedByWhatTheyProve) {
  const auto kind = [&](int status, const std::string& body) {
    instead("POST " + slurm("job/submit"), body, status);
    return client_->submit(submission_).error().kind;
  };
  EXPECT_EQ(kind(500, recorded("submit_bad_partition_500.json")), ErrorKind::Rejected);
  EXPECT_EQ(kind(500, recorded("submit_bad_type_500.json")), ErrorKind::Rejected);
  EXPECT_EQ(kind(400, recorded("submit_broken_json_400.txt")), ErrorKind::Rejected);
  EXPECT_EQ(kind(502, recorded("submit_slurmctld_down_502.json")), ErrorKind::Unavailable);
  EXPECT_EQ(kind(504, R"({"errors":[{"error_number":5004}]})"), ErrorKind::Unknown);
  EXPECT_EQ(kind(502, "<html>"), ErrorKind::Unknown);
  EXPECT_EQ(kind(200, "{}"), ErrorKind::Unknown);
  EXPECT_EQ(kind(200, ""), ErrorKind::Unknown);
  EXPECT_EQ(kind(500, ""), ErrorKind::Unknown);
}

TEST_F(RestClientTest, SubmitKeepsWhatTheTransportKnows) {
  for (const ErrorKind kind : {ErrorKind::Unavailable, ErrorKind::Unknown, ErrorKind::Denied}) {
    script_->answers["POST " + slurm("job/submit")] = {Error{kind, "scripted"}};
    EXPECT_EQ(client_->submit(submission_).error().kind, kind);
  }
  EXPECT_THAT(script_->paths("submit"), SizeIs(3));
}

TEST_F(RestClientTest, JobWithoutAFieldItsSpecWantsIsCancelledAndRejected) {
  script_->on("POST " + slurm("job/submit"), "submit_unknown_field.json");
  script_->on("DELETE " + slurm("job/7"), "cancel_ok.json");
  const auto submitted = client_->submit(submission_);
  ASSERT_FALSE(submitted);
  EXPECT_EQ(submitted.error().kind, ErrorKind::Rejected);
  EXPECT_THAT(submitted.error().message, HasSubstr("\"bogus\""));
  EXPECT_THAT(script_->paths("DELETE"), SizeIs(1));
}

TEST_F(RestClientTest, JobThatCouldNotBeCancelledAgainIsNotLost) {
  script_->on("POST " + slurm("job/submit"), "submit_unknown_field.json");
  script_->on("DELETE " + slurm("job/7"), "cancel_slurmctld_down_500.json", 500);
  const auto submitted = client_->submit(submission_);
  ASSERT_TRUE(submitted);
  EXPECT_EQ(submitted->job, JobId{7});
  EXPECT_THAT(submitted->warnings, Contains(HasSubstr("bogus")));
}

TEST_F(RestClientTest, FieldOfANewerVersionIsRejectedUnsent) {
  script_->answers.clear();
  script_->serve("v0.0.40");
  submission_.fields["oom_kill_step"] = 1;
  const auto submitted = client_->submit(submission_);
  ASSERT_FALSE(submitted);
  EXPECT_EQ(submitted.error().kind, ErrorKind::Rejected);
  EXPECT_THAT(submitted.error().message, HasSubstr("\"oom_kill_step\" needs API v0.0.42"));
  EXPECT_THAT(script_->paths("submit"), IsEmpty());
}

TEST_F(RestClientTest, SubmitsRunInParallel) {
  script_->on("POST " + slurm("job/submit"), "submit_ok.json");
  std::vector<std::future<bool>> submits;
  for (int i = 0; i < 16; ++i) {
    submits.push_back(
        std::async(std::launch::async, [&] { return client_->submit(submission_).ok(); }));
  }
  for (auto& submit : submits) EXPECT_TRUE(submit.get());
  EXPECT_THAT(script_->paths("submit"), SizeIs(16));
  EXPECT_THAT(script_->paths("ping"), SizeIs(4));
}

// Changing.

TEST_F(RestClientTest, UpdateSendsTheFieldsAlone) {
  script_->on("POST " + slurm("job/5"), "update_ok.json");
  EXPECT_TRUE(client_->update(JobId{5}, {{"name", "new"}}));
  EXPECT_EQ(script_->calls.back().body, R"({"name":"new"})");
}

TEST_F(RestClientTest, UpdateThatSlurmDoesNotAllowIsRejected) {
  script_->on("POST " + slurm("job/4"), "update_finished_500.json", 500);
  const auto updated = client_->update(JobId{4}, {{"name", "new"}});
  ASSERT_FALSE(updated);
  EXPECT_EQ(updated.error().kind, ErrorKind::Rejected);
  EXPECT_EQ(updated.error().slurm_errno, 2084);
}

TEST_F(RestClientTest, FailureOfASingleTaskIsAFailure) {
  script_->on_text("POST " + slurm("job/6"),
                   R"({"results":[{"job_id":6,"error":"no error","error_code":0},
                       {"job_id":9,"error":"Job is no longer pending","error_code":2073}],
                       "errors":[]})");
  EXPECT_EQ(client_->update(JobId{6}, {{"name", "new"}}).error().slurm_errno, 2073);
}

TEST_F(RestClientTest, UpdateWithADroppedFieldIsRejected) {
  script_->on("POST " + slurm("job/5"), "update_unknown_field.json");
  const auto updated = client_->update(JobId{5}, {{"name", "new"}});
  ASSERT_FALSE(updated);
  EXPECT_EQ(updated.error().kind, ErrorKind::Rejected);
  EXPECT_THAT(updated.error().message, HasSubstr("\"bogus\""));
}

TEST_F(RestClientTest, HoldsAndReleases) {
  script_->on("POST " + slurm("job/5"), "update_ok.json");
  EXPECT_TRUE(client_->set_hold(JobId{5}, true));
  EXPECT_EQ(script_->calls.back().body, R"({"hold":true})");
  EXPECT_TRUE(client_->set_hold(JobId{5}, false));
  EXPECT_EQ(script_->calls.back().body, R"({"hold":false})");
}

TEST_F(RestClientTest, AnswerThatIsNoneLeavesAChangeInDoubt) {
  for (const int status : {200, 500, 502}) {
    instead("POST " + slurm("job/5"), "<html>", status);
    EXPECT_EQ(client_->set_hold(JobId{5}, true).error().kind, ErrorKind::Unknown) << status;
  }
}

TEST_F(RestClientTest, CancelOfAJobThatIsGoneOrDoneIsASuccess) {
  for (const char* file :
       {"cancel_ok.json", "cancel_done.json", "cancel_unknown.json", "cancel_v40.json"}) {
    instead("DELETE " + slurm("job/5"), recorded(file), 200);
    EXPECT_TRUE(client_->cancel(JobId{5})) << file;
  }
  instead("DELETE " + slurm("job/5"), R"({"errors":[{"error_number":2017}]})", 404);
  EXPECT_TRUE(client_->cancel(JobId{5}));
  instead("DELETE " + slurm("job/5"), R"({"errors":[{"error_number":2021}]})", 500);
  EXPECT_TRUE(client_->cancel(JobId{5}));
}

TEST_F(RestClientTest, CancelThatDidNotHappenIsNoSuccess) {
  const auto kind = [&](int status, const std::string& body) {
    instead("DELETE " + slurm("job/5"), body, status);
    return client_->cancel(JobId{5}).error().kind;
  };
  EXPECT_EQ(kind(500, recorded("cancel_slurmctld_down_500.json")), ErrorKind::Unknown);
  EXPECT_EQ(kind(502, R"({"errors":[{"error_number":1800}]})"), ErrorKind::Unavailable);
  EXPECT_EQ(kind(200, R"({"status":[{"error":{"string":"Access denied","code":2002}}]})"),
            ErrorKind::Denied);
  EXPECT_EQ(kind(200, R"({"status":[{"error":{"code":2021}},{"error":{"code":1804}}]})"),
            ErrorKind::Unavailable);
  EXPECT_EQ(kind(404, recorded("version_not_served_404.txt")), ErrorKind::Unavailable);
  EXPECT_EQ(kind(200, ""), ErrorKind::Unknown);
  EXPECT_EQ(kind(500, "{}"), ErrorKind::Unknown);
}

// The rest.

TEST_F(RestClientTest, CheckTellsAboutTheCluster) {
  script_->on_text("GET " + slurm("diag/"),
                   R"({"statistics":{"req_time":{"set":true,"infinite":false,"number":1800000000}},
                       "meta":{"slurm":{"release":"24.11.5","cluster":"lab"}},"errors":[]})");
  script_->on("GET " + slurmdb("job/1"), "accounting_none.json");
  const auto info = client_->check();
  ASSERT_TRUE(info);
  EXPECT_EQ(info->api_version, "v0.0.42");
  EXPECT_EQ(info->slurm_version, "24.11.5");
  EXPECT_EQ(info->cluster_name, "lab");
  EXPECT_EQ(info->endpoint, "http://scripted");
  EXPECT_EQ(info->user, "alice");
  EXPECT_EQ(info->server_time, kNoon);
  EXPECT_EQ(info->token_expiry, TimePoint(seconds(1900000000)));
  EXPECT_TRUE(info->accounting);
}

TEST_F(RestClientTest, CheckOfAClusterWithoutAccountingSaysSo) {
  script_->on_text("GET " + slurm("diag/"), R"({"statistics":{},"errors":[]})");
  const auto info = client_->check();
  ASSERT_TRUE(info);
  EXPECT_FALSE(info->accounting);
  EXPECT_THAT(info->accounting_error, HasSubstr("serves no accounting"));
}

// Slurm 24.11 answers a ping with 200 to any token at all.
TEST_F(RestClientTest, CheckDoesNotTrustAPing) {
  script_->answers.clear();
  script_->on("GET /slurm/v0.0.42/ping/", "ping_bad_token.json");
  script_->on_text("GET " + slurm("diag/"),
                   R"({"errors":[{"error_number":1007,"error":"Protocol authentication error"}]})",
                   511);
  EXPECT_EQ(client_->check().error().kind, ErrorKind::Denied);
}

TEST_F(RestClientTest, RefusedCredentialsAreNamedWithTheirEnd) {
  script_->on_text("GET " + slurm("jobs/"),
                   R"({"errors":[{"error_number":1007,"error":"Protocol authentication error"}]})",
                   511);
  EXPECT_THAT(
      client_->observe({}).error().message,
      HasSubstr("Slurm does not accept the token in /scripted for alice, which says it ends "
                "at 2030-03-17T17:46:40Z"));
}

TEST_F(RestClientTest, RequestsAreCountedByRouteAndTakenOnce) {
  script_->on("GET " + slurm("job/4"), "job_held.json");
  script_->on_error("GET " + slurm("jobs/"), ErrorKind::Unavailable);
  ASSERT_TRUE(client_->read(JobId{4}));
  client_->take_requests();
  ASSERT_TRUE(client_->read(JobId{4}));
  ASSERT_FALSE(client_->observe({}));
  const auto requests = client_->take_requests();
  ASSERT_THAT(requests, SizeIs(2));
  EXPECT_EQ(requests[0].endpoint, "GET /slurm/job/{job_id}");
  EXPECT_EQ(requests[0].code, "200");
  EXPECT_EQ(requests[1].endpoint, "GET /slurm/jobs");
  EXPECT_EQ(requests[1].code, "transport_error");
  EXPECT_THAT(client_->take_requests(), IsEmpty());
}

TEST_F(RestClientTest, ARequestTellsWhyItFailedOnTheWayOrAtSlurm) {
  script_->answers["GET " + slurm("jobs/")] = {
      Error{.kind = ErrorKind::Unknown, .message = "x", .transport = TransportFailure::Timeout}};
  script_->on_text("GET " + slurm("job/4"), R"({"errors":[{"error_number":1800,"error":"x"}]})",
                   502);
  script_->on("GET " + slurm("job/5"), "job_held.json");
  ask_for_the_version();
  ASSERT_FALSE(client_->observe({}));
  ASSERT_FALSE(client_->read(JobId{4}));
  static_cast<void>(client_->read(JobId{5}));
  const auto requests = client_->take_requests();
  ASSERT_THAT(requests, SizeIs(3));
  EXPECT_EQ(requests[0].transport_failure, TransportFailure::Timeout);
  EXPECT_EQ(requests[0].api_failure, std::nullopt);
  EXPECT_EQ(requests[1].transport_failure, std::nullopt);
  EXPECT_EQ(requests[1].api_failure, ApiFailure::Unavailable);
  EXPECT_EQ(requests[2].transport_failure, std::nullopt);
  EXPECT_EQ(requests[2].api_failure, std::nullopt);
}

TEST_F(RestClientTest, WhatTheTransportSendsAgainAndWhatIsRepeatedAreRepeats) {
  script_->on("GET " + slurm("jobs/"), "jobs.json");
  ask_for_the_version();
  script_->sends = 3;
  static_cast<void>(client_->observe({}));
  script_->sends = 1;
  script_->on_text("GET " + slurm("job/4"), recorded("no_token_401.txt"), 401);
  script_->on("GET " + slurm("job/4"), "job_held.json");
  script_->newest_credentials = 2;
  static_cast<void>(client_->read(JobId{4}));
  std::vector<int> repeats;
  for (const auto& request : client_->take_requests()) repeats.push_back(request.repeats);
  EXPECT_THAT(repeats, ElementsAre(2, 0, 1));
}

TEST_F(RestClientTest, ARequestThatWasNeverSentHasNoCode) {
  ask_for_the_version();
  script_->sends = 0;
  script_->answers["GET " + slurm("jobs/")] = {
      without_credentials({.kind = ErrorKind::Denied, .message = "no token"})};
  ASSERT_FALSE(client_->observe({}));
  const auto requests = client_->take_requests();
  ASSERT_THAT(requests, SizeIs(1));
  EXPECT_EQ(requests[0].code, "");
  EXPECT_EQ(requests[0].transport_failure, TransportFailure::Credentials);
}

TEST_F(RestClientTest, TextFromSlurmReachesMessagesInOneLine) {
  script_->on_text("POST " + slurm("job/submit"),
                   "{\"errors\":[{\"error_number\":2000,\"error\":\"bad\\n\\u001b[31mred\"}]}",
                   500);
  const std::string message = client_->submit(submission_).error().message;
  EXPECT_THAT(message, Not(HasSubstr("\n")));
  EXPECT_THAT(message, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace sconverge::test
