#include "metrics/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <ctime>
#include <thread>

#include "tests/metrics/exposition.h"

namespace sconverge::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr TimePoint kNoon{std::chrono::hours{12}};

SpecStatus a_status(const std::string& name, Phase phase) {
  return {.name = {"default", name}, .verdict = {.phase = phase}};
}

Problem a_problem(const std::string& file, int line = 1) {
  return {.file = file,
          .line = line,
          .column = 1,
          .field = "spec",
          .what = "wrong",
          .remedy = "mend it",
          .kind = ProblemKind::Schema};
}

// One cluster "lab" and a tick of two seconds that went through; each test says what differs.
struct MetricsTest : testing::Test {
  MetricsTest() {
    metrics.add_cluster("lab");
    report.cluster = "lab";
    report.began = kNoon;
    report.ended = kNoon + seconds{2};
    report.source_complete = true;
  }

  void fail(const std::string& step, ErrorKind kind = ErrorKind::Unavailable) {
    report.failed = Error{.kind = kind, .message = "no"};
    report.failed_step = step;
  }

  [[nodiscard]] double value(const std::string& series) const { return seen().value(series); }
  [[nodiscard]] bool has(const std::string& series) const { return seen().has(series); }
  [[nodiscard]] Exposition seen() const {
    Exposition exposition = read_exposition(metrics.exposition({}));
    EXPECT_THAT(exposition.errors, IsEmpty());
    return exposition;
  }

  Metrics metrics{BuildInfo{"1.2.3", "abc", "g++ 12"}};
  TickReport report;
};

TEST_F(MetricsTest, KnownSeriesAreThereFromTheStartAtZero) {
  for (const char* series :
       {"sconverge_specs{cluster=\"lab\",phase=\"Running\"}",
        "sconverge_job_operations_total{cluster=\"lab\",operation=\"release\",result="
        "\"uncertain\"}",
        "sconverge_reconciles_total{cluster=\"lab\",result=\"error\"}",
        "sconverge_reconcile_errors_total{cluster=\"lab\",reason=\"api_auth\"}",
        "sconverge_reconcile_duration_seconds_count{cluster=\"lab\"}",
        "sconverge_convergence_seconds_count{cluster=\"lab\"}",
        "sconverge_slurm_up{cluster=\"lab\"}",
        "sconverge_jobs{cluster=\"lab\",state=\"out_of_memory\"}",
        "sconverge_job_terminations_total{cluster=\"lab\",outcome=\"lost\"}",
        "sconverge_prune_blocked{cluster=\"lab\",guard=\"PruneBudget\"}",
        "sconverge_duplicates_total{cluster=\"lab\"}",
        "sconverge_adoptions_total{cluster=\"lab\"}",
        "sconverge_source_complete",
        "sconverge_source_files{state=\"invalid\"}",
        "sconverge_source_scans_total{trigger=\"startup\",result=\"error\"}",
        "sconverge_spec_errors_total{reason=\"too_large\"}",
        "sconverge_specs_out_of_sync{cluster=\"lab\",reason=\"unknown\"}",
        "sconverge_source_watch_events_total{type=\"overflow\"}",
        "sconverge_source_scan_duration_seconds_count",
        "sconverge_job_queue_wait_seconds_count{cluster=\"lab\"}",
        "sconverge_job_run_seconds_count{cluster=\"lab\"}",
        "sconverge_slurm_transport_errors_total{cluster=\"lab\",reason=\"dns\"}",
        "sconverge_slurm_api_errors_total{cluster=\"lab\",reason=\"not_found\"}",
        "sconverge_slurm_request_retries_total{cluster=\"lab\"}",
        "sconverge_state_store_writes_total{cluster=\"lab\",result=\"error\"}",
        "sconverge_config_reloads_total{result=\"error\"}",
        "sconverge_metric_series_dropped_total",
        "sconverge_http_requests_total{handler=\"/metrics\",code=\"200\"}",
        "sconverge_log_messages_total{level=\"error\"}"}) {
    EXPECT_EQ(value(series), 0) << series;
  }
}

TEST_F(MetricsTest, WhatIsNotKnownYetIsAbsent) {
  for (const char* series :
       {"sconverge_slurm_last_success_timestamp_seconds{cluster=\"lab\"}",
        "sconverge_source_last_success_timestamp_seconds",
        "sconverge_source_revision_timestamp_seconds",
        "sconverge_reconcile_last_completion_timestamp_seconds{cluster=\"lab\"}",
        "sconverge_state_store_size_bytes{cluster=\"lab\"}",
        "sconverge_active_workers{cluster=\"lab\"}",
        "sconverge_slurm_requests_in_flight{cluster=\"lab\"}",
        "sconverge_slurm_token_expiry_timestamp_seconds{cluster=\"lab\"}"}) {
    EXPECT_FALSE(has(series)) << series;
  }
  EXPECT_FALSE(seen().families.contains("sconverge_slurm_info"));
  EXPECT_FALSE(seen().families.contains("sconverge_spec_ready"));
}

TEST_F(MetricsTest, TheBuildIsTold) {
  EXPECT_EQ(value("sconverge_build_info{version=\"1.2.3\",revision=\"abc\",compiler=\"g++ 12\"}"),
            1);
}

TEST_F(MetricsTest, SpecsAreCountedByPhaseAndForgottenWhenGone) {
  report.statuses = {a_status("a", Phase::Running), a_status("b", Phase::Running),
                     a_status("c", Phase::Blocked)};
  metrics.record(report);
  EXPECT_EQ(value("sconverge_specs{cluster=\"lab\",phase=\"Running\"}"), 2);
  EXPECT_EQ(value("sconverge_specs{cluster=\"lab\",phase=\"Blocked\"}"), 1);
  report.statuses = {};
  metrics.record(report);
  EXPECT_EQ(value("sconverge_specs{cluster=\"lab\",phase=\"Running\"}"), 0);
}

TEST_F(MetricsTest, OperationsAreCountedByResult) {
  report.actions = {{.operation = Operation::Submit, .result = OperationResult::Success},
                    {.operation = Operation::Submit, .result = OperationResult::Success},
                    {.operation = Operation::Cancel, .result = OperationResult::Rejected}};
  metrics.record(report);
  metrics.record(report);
  const std::string family = "sconverge_job_operations_total{cluster=\"lab\",";
  EXPECT_EQ(value(family + "operation=\"submit\",result=\"success\"}"), 4);
  EXPECT_EQ(value(family + "operation=\"cancel\",result=\"rejected\"}"), 2);
  EXPECT_EQ(value(family + "operation=\"cancel\",result=\"success\"}"), 0);
}

TEST_F(MetricsTest, ATickIsCountedAndTimed) {
  metrics.record(report);
  EXPECT_EQ(value("sconverge_reconciles_total{cluster=\"lab\",result=\"success\"}"), 1);
  EXPECT_EQ(value("sconverge_reconcile_duration_seconds_sum{cluster=\"lab\"}"), 2);
  EXPECT_EQ(value("sconverge_reconcile_duration_seconds_bucket{cluster=\"lab\",le=\"1\"}"), 0);
  EXPECT_EQ(value("sconverge_reconcile_duration_seconds_bucket{cluster=\"lab\",le=\"2.5\"}"), 1);
  EXPECT_EQ(value("sconverge_slurm_up{cluster=\"lab\"}"), 1);
  EXPECT_EQ(value("sconverge_slurm_last_success_timestamp_seconds{cluster=\"lab\"}"), 43202);
}

TEST_F(MetricsTest, AClockThatWasSetBackMakesNoNegativeTime) {
  report.ended = kNoon - seconds{5};
  metrics.record(report);
  EXPECT_EQ(value("sconverge_reconcile_duration_seconds_sum{cluster=\"lab\"}"), 0);
}

TEST_F(MetricsTest, TheEndOfATickIsToldWhetherItFailedOrNot) {
  const std::string series =
      "sconverge_reconcile_last_completion_timestamp_seconds{cluster=\"lab\"}";
  metrics.record(report);
  EXPECT_EQ(value(series), 43202);
  fail("observe");
  report.ended = kNoon + seconds{60};
  metrics.record(report);
  EXPECT_EQ(value(series), 43260);
}

TEST_F(MetricsTest, WhatGoesOnIsToldAsItIsAtTheScrape) {
  const auto at = [&](const ClusterActivities& now) {
    return read_exposition(metrics.exposition(now));
  };
  const std::string workers = "sconverge_active_workers{cluster=\"lab\"}";
  const std::string in_flight = "sconverge_slurm_requests_in_flight{cluster=\"lab\"}";
  EXPECT_EQ(at({{"lab", {}}}).value(workers), 0);
  EXPECT_EQ(at({{"lab", {true, 4}}}).value(workers), 1);
  EXPECT_EQ(at({{"lab", {true, 4}}}).value(in_flight), 4);
  EXPECT_FALSE(at({{"gone", {true, 4}}}).has(in_flight));
}

TEST_F(MetricsTest, TheConfigurationOfTheStartCountsAsTaken) {
  EXPECT_EQ(value("sconverge_config_last_reload_successful"), 1);
  EXPECT_EQ(value("sconverge_config_last_reload_success_timestamp_seconds"),
            value("process_start_time_seconds"));
}

TEST_F(MetricsTest, AFailedReloadIsToldAndLeavesTheTimeOfTheLastGoodOne) {
  metrics.record_reload(true, kNoon);
  metrics.record_reload(false, kNoon + seconds{5});
  EXPECT_EQ(value("sconverge_config_last_reload_successful"), 0);
  EXPECT_EQ(value("sconverge_config_last_reload_success_timestamp_seconds"), 43200);
  EXPECT_EQ(value("sconverge_config_reloads_total{result=\"error\"}"), 1);
  metrics.record_reload(true, kNoon + seconds{9});
  EXPECT_EQ(value("sconverge_config_last_reload_successful"), 1);
  EXPECT_EQ(value("sconverge_config_last_reload_success_timestamp_seconds"), 43209);
  EXPECT_EQ(value("sconverge_config_reloads_total{result=\"success\"}"), 2);
}

TEST_F(MetricsTest, SpecsThatDifferAreCountedByHow) {
  report.statuses = {a_status("a", Phase::Waiting), a_status("b", Phase::Lost),
                     a_status("c", Phase::Succeeded)};
  metrics.record(report);
  EXPECT_EQ(value("sconverge_specs_out_of_sync{cluster=\"lab\",reason=\"missing\"}"), 1);
  EXPECT_EQ(value("sconverge_specs_out_of_sync{cluster=\"lab\",reason=\"unknown\"}"), 1);
  report.statuses = {};
  metrics.record(report);
  EXPECT_EQ(value("sconverge_specs_out_of_sync{cluster=\"lab\",reason=\"missing\"}"), 0);
}

TEST_F(MetricsTest, TheTimesOfJobsAddUp) {
  report.queue_wait_seconds = {3, 90000};
  report.run_seconds = {7, -1};
  metrics.record(report);
  EXPECT_EQ(value("sconverge_job_queue_wait_seconds_count{cluster=\"lab\"}"), 2);
  EXPECT_EQ(value("sconverge_job_queue_wait_seconds_bucket{cluster=\"lab\",le=\"5\"}"), 1);
  EXPECT_EQ(value("sconverge_job_run_seconds_sum{cluster=\"lab\"}"), 7);
}

TEST_F(MetricsTest, WritesToTheStoreAddUpAndItsSizeStaysWhenUnknown) {
  report.store_writes = {.done = 3, .failed = 1};
  report.store_bytes = 8192;
  metrics.record(report);
  report.store_bytes.reset();
  metrics.record(report);
  EXPECT_EQ(value("sconverge_state_store_writes_total{cluster=\"lab\",result=\"success\"}"), 6);
  EXPECT_EQ(value("sconverge_state_store_writes_total{cluster=\"lab\",result=\"error\"}"), 2);
  EXPECT_EQ(value("sconverge_state_store_size_bytes{cluster=\"lab\"}"), 8192);
}

TEST_F(MetricsTest, AFailedTickIsCountedByItsReason) {
  const std::pair<std::pair<const char*, ErrorKind>, const char*> cases[] = {
      {{"observe", ErrorKind::Unavailable}, "api_unavailable"},
      {{"observe", ErrorKind::Unknown}, "api_timeout"},
      {{"observe", ErrorKind::Denied}, "api_auth"},
      {{"observe", ErrorKind::Rejected}, "api_rejected"},
      {{"store", ErrorKind::Unavailable}, "state_store"},
      {{"something else", ErrorKind::Unavailable}, "internal"}};
  for (const auto& [failure, reason] : cases) {
    fail(failure.first, failure.second);
    metrics.record(report);
    EXPECT_EQ(value("sconverge_reconcile_errors_total{cluster=\"lab\",reason=\"" +
                    std::string(reason) + "\"}"),
              1);
  }
  EXPECT_EQ(value("sconverge_reconciles_total{cluster=\"lab\",result=\"error\"}"), 6);
  EXPECT_EQ(value("sconverge_reconciles_total{cluster=\"lab\",result=\"success\"}"), 0);
}

TEST_F(MetricsTest, SlurmIsDownWhenItCouldNotBeObservedAndTheLastSuccessStays) {
  metrics.record(report);
  fail("observe");
  report.ended = kNoon + seconds{60};
  metrics.record(report);
  EXPECT_EQ(value("sconverge_slurm_up{cluster=\"lab\"}"), 0);
  EXPECT_EQ(value("sconverge_slurm_last_success_timestamp_seconds{cluster=\"lab\"}"), 43202);
}

TEST_F(MetricsTest, AFailingStoreIsNoFaultOfSlurm) {
  fail("store");
  metrics.record(report);
  EXPECT_EQ(value("sconverge_slurm_up{cluster=\"lab\"}"), 1);
}

TEST_F(MetricsTest, AnOutageLeavesWhatWasLastKnown) {
  report.statuses = {a_status("a", Phase::Running)};
  report.our_jobs = {{"running", 1}};
  report.guards = {{.guard = Guard::PruneBudget, .specs = {{"default", "a"}}}};
  metrics.record(report);
  report.statuses = {};
  report.our_jobs = {};
  report.guards = {};
  fail("observe");
  metrics.record(report);
  EXPECT_EQ(value("sconverge_specs{cluster=\"lab\",phase=\"Running\"}"), 1);
  EXPECT_EQ(value("sconverge_jobs{cluster=\"lab\",state=\"running\"}"), 1);
  EXPECT_EQ(value("sconverge_prune_blocked{cluster=\"lab\",guard=\"PruneBudget\"}"), 1);
}

TEST_F(MetricsTest, ANewSpecIsCountedDuringAnOutage) {
  report.statuses = {a_status("a", Phase::Waiting)};
  fail("observe");
  metrics.record(report);
  EXPECT_EQ(value("sconverge_specs{cluster=\"lab\",phase=\"Waiting\"}"), 1);
}

TEST_F(MetricsTest, JobsAreCountedByBaseStateAndUnknownWordsAsOther) {
  report.our_jobs = {{"running", 3}, {"hibernating", 2}, {"other", 1}};
  metrics.record(report);
  EXPECT_EQ(value("sconverge_jobs{cluster=\"lab\",state=\"running\"}"), 3);
  EXPECT_EQ(value("sconverge_jobs{cluster=\"lab\",state=\"other\"}"), 3);
  EXPECT_EQ(seen().families["sconverge_jobs"].samples.size(), 13U);
}

TEST_F(MetricsTest, GuardsTellHowManySpecsTheyHoldBack) {
  report.guards = {{.guard = Guard::Protected, .specs = {{"default", "a"}, {"default", "b"}}}};
  metrics.record(report);
  EXPECT_EQ(value("sconverge_prune_blocked{cluster=\"lab\",guard=\"Protected\"}"), 2);
  report.guards = {};
  metrics.record(report);
  EXPECT_EQ(value("sconverge_prune_blocked{cluster=\"lab\",guard=\"Protected\"}"), 0);
}

TEST_F(MetricsTest, EndsAreCountedByOutcome) {
  const auto ended = [&](OutcomeKind kind, const std::string& state,
                         std::optional<CancelCause> cause, const std::string& label) {
    report.terminations = {{.outcome = {.kind = kind, .state = state}, .cancel = cause}};
    metrics.record(report);
    EXPECT_EQ(value("sconverge_job_terminations_total{cluster=\"lab\",outcome=\"" + label + "\"}"),
              1)
        << label;
  };
  ended(OutcomeKind::Succeeded, "COMPLETED", {}, "succeeded");
  ended(OutcomeKind::Failed, "FAILED", {}, "failed");
  ended(OutcomeKind::Failed, "TIMEOUT", {}, "timeout");
  ended(OutcomeKind::Failed, "OUT_OF_MEMORY", {}, "out_of_memory");
  ended(OutcomeKind::Failed, "NODE_FAIL+COMPLETING", {}, "node_fail");
  ended(OutcomeKind::Failed, "PREEMPTED", {}, "preempted");
  ended(OutcomeKind::Failed, "BOOT_FAIL", {}, "boot_fail");
  ended(OutcomeKind::Failed, "DEADLINE", {}, "deadline");
  ended(OutcomeKind::Cancelled, "CANCELLED", CancelCause::Removed, "cancelled_by_us");
  ended(OutcomeKind::Cancelled, "CANCELLED", {}, "cancelled_by_others");
  ended(OutcomeKind::Lost, "", {}, "lost");
  ended(OutcomeKind::Rejected, "", {}, "rejected");
  ended(OutcomeKind::Abandoned, "", {}, "abandoned");
  EXPECT_EQ(seen().families["sconverge_job_terminations_total"].samples.size(), 13U);
}

TEST_F(MetricsTest, ConvergenceAdoptionsAndDuplicatesAddUp) {
  report.convergence_seconds = {1.5, 40};
  report.adoptions = 2;
  report.duplicates = 1;
  metrics.record(report);
  metrics.record(report);
  EXPECT_EQ(value("sconverge_convergence_seconds_count{cluster=\"lab\"}"), 4);
  EXPECT_EQ(value("sconverge_convergence_seconds_bucket{cluster=\"lab\",le=\"2\"}"), 2);
  EXPECT_EQ(value("sconverge_adoptions_total{cluster=\"lab\"}"), 4);
  EXPECT_EQ(value("sconverge_duplicates_total{cluster=\"lab\"}"), 2);
}

TEST_F(MetricsTest, RequestsAreCountedByEndpointAndCode) {
  report.requests = {{"GET /slurm/jobs", "200", 0.2},
                     {"GET /slurm/jobs", "transport_error", 9},
                     {"GET /slurm/jobs", "a whole sentence", 0}};
  metrics.record(report);
  const std::string family =
      "sconverge_slurm_requests_total{cluster=\"lab\",endpoint=\"GET /slurm/jobs\",code=";
  EXPECT_EQ(value(family + "\"200\"}"), 1);
  EXPECT_EQ(value(family + "\"transport_error\"}"), 1);
  EXPECT_EQ(value(family + "\"other\"}"), 1);
  EXPECT_EQ(value("sconverge_slurm_request_duration_seconds_count{cluster=\"lab\",endpoint=\"GET "
                  "/slurm/jobs\"}"),
            3);
}

TEST_F(MetricsTest, ARequestThatWasNeverSentIsNoRequest) {
  report.requests = {{"GET /slurm/jobs", "", 0, TransportFailure::Credentials}};
  metrics.record(report);
  EXPECT_FALSE(seen().families.contains("sconverge_slurm_requests_total"));
  EXPECT_FALSE(seen().families.contains("sconverge_slurm_request_duration_seconds"));
  EXPECT_EQ(value("sconverge_slurm_transport_errors_total{cluster=\"lab\",reason=\"credentials\"}"),
            1);
}

TEST_F(MetricsTest, WhatStoppedARequestAndWhatSlurmSaidAreCountedByReason) {
  report.requests = {{"GET /slurm/jobs", "transport_error", 1, TransportFailure::Timeout, {}, 2},
                     {"GET /slurm/jobs", "500", 1, {}, ApiFailure::Unspecified, 1},
                     {"GET /slurm/jobs", "200", 1}};
  metrics.record(report);
  EXPECT_EQ(value("sconverge_slurm_transport_errors_total{cluster=\"lab\",reason=\"timeout\"}"), 1);
  EXPECT_EQ(value("sconverge_slurm_api_errors_total{cluster=\"lab\",reason=\"unspecified\"}"), 1);
  EXPECT_EQ(value("sconverge_slurm_request_retries_total{cluster=\"lab\"}"), 3);
}

TEST_F(MetricsTest, EndpointsCannotGrowWithoutBound) {
  for (int i = 0; i < 1000; ++i)
    report.requests.push_back({"GET /job/" + std::to_string(i), "200", 0});
  metrics.record(report);
  EXPECT_EQ(seen().families["sconverge_slurm_requests_total"].samples.size(), 65U);
  EXPECT_EQ(
      value("sconverge_slurm_requests_total{cluster=\"lab\",endpoint=\"other\",code=\"200\"}"),
      936);
}

TEST_F(MetricsTest, TheSourceIsToldAsLastScanned) {
  report.valid_files = 3;
  report.invalid_files = 2;
  report.ignored_files = 1;
  metrics.record(report);
  EXPECT_EQ(value("sconverge_source_files{state=\"valid\"}"), 3);
  EXPECT_EQ(value("sconverge_source_files{state=\"invalid\"}"), 2);
  EXPECT_EQ(value("sconverge_source_files{state=\"ignored\"}"), 1);
  EXPECT_EQ(value("sconverge_source_complete"), 1);
  EXPECT_EQ(value("sconverge_source_scans_total{trigger=\"poll\",result=\"success\"}"), 1);
  EXPECT_EQ(value("sconverge_source_last_success_timestamp_seconds"), 43200);
}

TEST_F(MetricsTest, AScanIsToldWithWhatCausedItAndHowLongItTook) {
  report.scan = {ScanTrigger::Event, 0.2, {{WatchEvent::Move, 2}, {WatchEvent::Overflow, 1}}};
  metrics.record(report);
  EXPECT_EQ(value("sconverge_source_scans_total{trigger=\"event\",result=\"success\"}"), 1);
  EXPECT_EQ(value("sconverge_source_scan_duration_seconds_sum"), 0.2);
  EXPECT_EQ(value("sconverge_source_watch_events_total{type=\"move\"}"), 2);
  EXPECT_EQ(value("sconverge_source_watch_events_total{type=\"overflow\"}"), 1);
}

TEST_F(MetricsTest, TheRevisionIsAsOldAsItsFirstSight) {
  const auto at = [&](const std::string& revision, int second, const std::string& cluster) {
    report.cluster = cluster;
    report.revision = revision;
    report.began = kNoon + seconds{second};
    metrics.record(report);
    return value("sconverge_source_revision_timestamp_seconds");
  };
  metrics.add_cluster("gcp");
  EXPECT_EQ(at("a", 0, "lab"), 43200);
  EXPECT_EQ(at("a", 10, "gcp"), 43200);
  EXPECT_EQ(at("b", 20, "lab"), 43220);
  EXPECT_EQ(at("a", 15, "gcp"), 43220) << "a slow tick that had read the old one";
  EXPECT_EQ(at("b", 25, "gcp"), 43220);
  report.source_complete = false;
  report.source_reason = "the directory is gone";
  EXPECT_EQ(at("", 30, "lab"), 43220);
}

TEST_F(MetricsTest, AnIncompleteScanIsAnErrorAndLeavesTheLastSuccess) {
  metrics.record(report);
  report.began = kNoon + seconds{10};
  report.source_complete = false;
  report.source_reason = "the directory is gone";
  metrics.record(report);
  EXPECT_EQ(value("sconverge_source_complete"), 0);
  EXPECT_EQ(value("sconverge_source_scans_total{trigger=\"poll\",result=\"error\"}"), 1);
  EXPECT_EQ(value("sconverge_source_last_success_timestamp_seconds"), 43200);
}

TEST_F(MetricsTest, ATickThatNeverScannedSaysNothingOfTheSource) {
  report.valid_files = 3;
  metrics.record(report);
  report.source_complete = false;
  report.valid_files = 0;
  fail("store");
  metrics.record(report);
  EXPECT_EQ(value("sconverge_source_complete"), 1);
  EXPECT_EQ(value("sconverge_source_files{state=\"valid\"}"), 3);
  EXPECT_EQ(value("sconverge_source_scans_total{trigger=\"poll\",result=\"error\"}"), 0);
}

TEST_F(MetricsTest, TheSourceIsCompleteOnlyIfEveryClusterSawAllOfIt) {
  metrics.add_cluster("gcp");
  metrics.record(report);
  TickReport other = report;
  other.cluster = "gcp";
  other.source_complete = false;
  other.source_reason = "the directory is gone";
  metrics.record(other);
  metrics.record(report);
  EXPECT_EQ(value("sconverge_source_complete"), 0);
  metrics.remove_cluster("gcp");
  EXPECT_EQ(value("sconverge_source_complete"), 1);
}

// The count of schema problems after each report.
struct SpecErrorsTest : MetricsTest {
  double after(std::vector<Problem> problems, const std::string& cluster = "lab") {
    report.cluster = cluster;
    report.problems = std::move(problems);
    metrics.record(report);
    return value("sconverge_spec_errors_total{reason=\"schema\"}");
  }
};

TEST_F(SpecErrorsTest, AProblemIsCountedWhenItAppearsAndNotEachTick) {
  EXPECT_EQ(after({a_problem("a.yaml")}), 1);
  EXPECT_EQ(after({a_problem("a.yaml")}), 1);
  EXPECT_EQ(after({a_problem("a.yaml"), a_problem("b.yaml")}), 2);
}

TEST_F(SpecErrorsTest, AProblemThatMovedWithItsLineIsTheSame) {
  EXPECT_EQ(after({a_problem("a.yaml", 3)}), 1);
  EXPECT_EQ(after({a_problem("a.yaml", 5)}), 1);
}

TEST_F(SpecErrorsTest, AProblemThatComesBackIsCountedAgain) {
  EXPECT_EQ(after({a_problem("a.yaml")}), 1);
  EXPECT_EQ(after({}), 1);
  EXPECT_EQ(after({a_problem("a.yaml")}), 2);
}

TEST_F(SpecErrorsTest, AnIncompleteScanForgetsNoProblem) {
  EXPECT_EQ(after({a_problem("a.yaml")}), 1);
  report.source_complete = false;
  report.source_reason = "the directory is gone";
  EXPECT_EQ(after({}), 1);
  report.source_complete = true;
  EXPECT_EQ(after({a_problem("a.yaml")}), 1);
}

TEST_F(SpecErrorsTest, ClustersThatShareTheDirectoryShareItsProblems) {
  metrics.add_cluster("gcp");
  EXPECT_EQ(after({a_problem("a.yaml")}, "lab"), 1);
  EXPECT_EQ(after({a_problem("a.yaml")}, "gcp"), 1);
}

TEST_F(MetricsTest, TheSlurmVersionReplacesTheOneBefore) {
  metrics.set_slurm_info("lab", "24.11.5", "v0.0.42");
  metrics.set_slurm_info("lab", "26.05.3", "v0.0.45");
  EXPECT_EQ(seen().families["sconverge_slurm_info"].samples.size(), 1U);
  EXPECT_EQ(value("sconverge_slurm_info{cluster=\"lab\",slurm_version=\"26.05.3\","
                  "api_version=\"v0.0.45\"}"),
            1);
}

TEST_F(MetricsTest, ATokenWithoutKnownExpiryHasNone) {
  const std::string series = "sconverge_slurm_token_expiry_timestamp_seconds{cluster=\"lab\"}";
  metrics.set_token_expiry("lab", kNoon);
  EXPECT_EQ(value(series), 43200);
  metrics.set_token_expiry("lab", std::nullopt);
  EXPECT_FALSE(has(series));
  metrics.set_token_expiry("lab", kNoon + seconds{1});
  EXPECT_EQ(value(series), 43201);
}

TEST_F(MetricsTest, NothingOfARemovedClusterStays) {
  metrics.add_cluster("gcp");
  report.requests = {{"GET /slurm/jobs", "200", 0.2}};
  metrics.record(report);
  metrics.set_slurm_info("lab", "24.11.5", "v0.0.42");
  metrics.remove_cluster("lab");
  EXPECT_THAT(metrics.exposition({}), Not(HasSubstr("\"lab\"")));
  EXPECT_TRUE(has("sconverge_slurm_up{cluster=\"gcp\"}"));
}

TEST_F(MetricsTest, AReportOfARemovedClusterDoesNotBringItBack) {
  metrics.remove_cluster("lab");
  metrics.record(report);
  metrics.set_slurm_info("lab", "24.11.5", "v0.0.42");
  EXPECT_THAT(metrics.exposition({}), Not(HasSubstr("\"lab\"")));
}

TEST_F(MetricsTest, AddingAClusterTwiceKeepsItsCounts) {
  metrics.record(report);
  metrics.add_cluster("lab");
  EXPECT_EQ(value("sconverge_reconciles_total{cluster=\"lab\",result=\"success\"}"), 1);
}

TEST_F(MetricsTest, LogLinesAndHttpAnswersAreCounted) {
  metrics.count_log_message(LogLevel::Warning);
  metrics.count_http_answer("/metrics", 200);
  metrics.count_http_answer("other", 404);
  EXPECT_EQ(value("sconverge_log_messages_total{level=\"warning\"}"), 1);
  EXPECT_EQ(value("sconverge_http_requests_total{handler=\"/metrics\",code=\"200\"}"), 1);
  EXPECT_EQ(value("sconverge_http_requests_total{handler=\"other\",code=\"404\"}"), 1);
}

TEST_F(MetricsTest, HandlersCannotGrowWithoutBound) {
  for (int i = 0; i < 1000; ++i) metrics.count_http_answer("/" + std::to_string(i), 200);
  EXPECT_LT(seen().families["sconverge_http_requests_total"].samples.size(), 40U);
}

TEST_F(MetricsTest, TextFromOutsideCannotBreakTheScrape) {
  report.requests = {{"GET \xff\"\\\n}", "200", 0}};
  metrics.record(report);
  metrics.set_slurm_info("lab", "24\n# TYPE x gauge", "\xc3");
  metrics.add_cluster("evil\"\xfe\n");
  EXPECT_THAT(seen().errors, IsEmpty());
}

TEST_F(MetricsTest, NamesThatLookAlikeOnceTheyAreSafeDoNotBreakTheScrape) {
  metrics.add_cluster("a\xff");
  metrics.add_cluster("a\xfe");
  EXPECT_THAT(seen().errors, IsEmpty());
}

TEST_F(MetricsTest, ATickIsRecordedWhileAScrapeIsStillBeingWrittenOut) {
  metrics.record(report);
  Collected scrape = metrics.collect({});
  metrics.record(report);  // for ever, if the scrape held anything
  const Exposition then = read_exposition(std::move(scrape).text());
  EXPECT_EQ(then.value("sconverge_reconciles_total{cluster=\"lab\",result=\"success\"}"), 1);
  EXPECT_EQ(value("sconverge_reconciles_total{cluster=\"lab\",result=\"success\"}"), 2);
}

TEST_F(MetricsTest, TheKernelsPartIsTimedAndComplete) {
  EXPECT_EQ(value("sconverge_collector_success{collector=\"process\"}"), 1);
  EXPECT_GT(value("sconverge_collector_duration_seconds{collector=\"process\"}"), 0);
}

TEST_F(MetricsTest, TheProcessTellsAboutItself) {
  // The kernel counts in hundredths of a second: a test that has just begun has used none.
  while (std::clock() < CLOCKS_PER_SEC / 20) {
  }
  for (const char* series :
       {"process_cpu_seconds_total", "process_open_fds", "process_max_fds",
        "process_virtual_memory_bytes", "process_virtual_memory_max_bytes",
        "process_resident_memory_bytes", "process_start_time_seconds", "process_threads"}) {
    EXPECT_GT(value(series), 0) << series;
  }
  EXPECT_EQ(value("process_start_time_seconds"), value("process_start_time_seconds"));
}

TEST_F(MetricsTest, AScrapeSeesEachReportAsAWhole) {
  report.adoptions = 1;
  report.requests.assign(200, {"GET /slurm/jobs", "200", 0.1});  // recorded between the two counts
  std::atomic<bool> done{false};
  std::thread reconciler([&] {
    for (int i = 0; i < 300; ++i) metrics.record(report);
    done = true;
  });
  while (!done) {
    const Exposition now = read_exposition(metrics.exposition({}));
    EXPECT_EQ(now.value("sconverge_adoptions_total{cluster=\"lab\"}"),
              now.value("sconverge_reconciles_total{cluster=\"lab\",result=\"success\"}"));
  }
  reconciler.join();
  EXPECT_EQ(value("sconverge_adoptions_total{cluster=\"lab\"}"), 300);
}

}  // namespace
}  // namespace sconverge::test
