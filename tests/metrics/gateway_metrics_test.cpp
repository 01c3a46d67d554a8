#include "metrics/gateway_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "tests/metrics/exposition.h"

namespace sconverge::test {
namespace {

using testing::IsEmpty;

struct GatewayMetricsTest : testing::Test {
  void record(const GatewayRequest& request) {
    metrics.begin_request();
    metrics.record_request(request);
  }
  [[nodiscard]] Exposition seen() const {
    Exposition exposition = read_exposition(metrics.exposition());
    EXPECT_THAT(exposition.errors, IsEmpty());
    return exposition;
  }
  [[nodiscard]] double value(const std::string& series) const { return seen().value(series); }

  GatewayMetrics metrics{BuildInfo{"1.2.3", "abc", "g++ 12"}};
};

TEST_F(GatewayMetricsTest, KnownSeriesAreThereFromTheStartAtZero) {
  for (const char* series :
       {"sconverge_gateway_in_flight", "sconverge_gateway_tokens_reload_failures_total",
        "sconverge_gateway_upstream_errors_total{kind=\"unavailable\"}",
        "sconverge_gateway_upstream_errors_total{kind=\"token_refused\"}",
        "sconverge_log_messages_total{level=\"error\"}"}) {
    EXPECT_EQ(value(series), 0) << series;
  }
}

TEST_F(GatewayMetricsTest, WhatBelongsToTheReconcilerIsAbsent) {
  for (const char* family : {"sconverge_spec_errors_total", "sconverge_source_complete"}) {
    EXPECT_FALSE(seen().families.contains(family)) << family;
  }
}

TEST_F(GatewayMetricsTest, RequestsAreCountedByWhatTheyAskedAndHowTheyEnded) {
  record({"POST", "/slurm/{version}/job/submit", 200, 422, 0.2, ""});
  record({"POST", "/slurm/{version}/job/submit", 200, 422, 0.2, ""});
  record({"GET", "/slurm/{version}/jobs", 503, std::nullopt, 3, "unavailable"});
  EXPECT_EQ(value("sconverge_gateway_requests_total{method=\"POST\",route=\"/slurm/{version}/job/"
                  "submit\",code=\"200\",slurm_status=\"422\"}"),
            2);
  EXPECT_EQ(value("sconverge_gateway_requests_total{method=\"GET\",route=\"/slurm/{version}/jobs\","
                  "code=\"503\",slurm_status=\"none\"}"),
            1);
  EXPECT_EQ(value("sconverge_gateway_request_duration_seconds_sum{method=\"GET\",route=\"/slurm/"
                  "{version}/jobs\"}"),
            3);
  EXPECT_EQ(value("sconverge_gateway_upstream_errors_total{kind=\"unavailable\"}"), 1);
}

TEST_F(GatewayMetricsTest, RequestsUnderWayAreCounted) {
  metrics.begin_request();
  metrics.begin_request();
  EXPECT_EQ(value("sconverge_gateway_in_flight"), 2);
  metrics.record_request({"GET", "none", 401, std::nullopt, 0, ""});
  EXPECT_EQ(value("sconverge_gateway_in_flight"), 1);
}

TEST_F(GatewayMetricsTest, NothingThatIsRecordedMakesMoreThanAFewSeries) {
  for (int i = 0; i < 1000; ++i) {
    const std::string word = "word" + std::to_string(i);
    record({word, word, 200000 + i, -i, 0, word});
  }
  EXPECT_LT(seen().families.at("sconverge_gateway_requests_total").samples.size(), 80U);
  EXPECT_LT(seen().families.at("sconverge_gateway_upstream_errors_total").samples.size(), 10U);
}

TEST_F(GatewayMetricsTest, ABrokenTokensFileLeavesTheTimeOfTheLastGoodOne) {
  EXPECT_FALSE(seen().has("sconverge_gateway_tokens_valid"));
  metrics.record_tokens(true, 3, TimePoint{seconds{1000}});
  metrics.record_tokens(false, 3, TimePoint{seconds{2000}});
  EXPECT_EQ(value("sconverge_gateway_tokens"), 3);
  EXPECT_EQ(value("sconverge_gateway_tokens_valid"), 0);
  EXPECT_EQ(value("sconverge_gateway_tokens_reload_timestamp_seconds"), 1000);
  EXPECT_EQ(value("sconverge_gateway_tokens_reload_failures_total"), 1);
  metrics.record_tokens(true, 2, TimePoint{seconds{3000}});
  EXPECT_EQ(value("sconverge_gateway_tokens_valid"), 1);
  EXPECT_EQ(value("sconverge_gateway_tokens_reload_timestamp_seconds"), 3000);
}

TEST_F(GatewayMetricsTest, AnyThreadMayRecordAndRead) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 100; ++j) {
        record({"GET", "/slurm/{version}/jobs", 200, 200, 0, ""});
        if (j % 20 == 0) static_cast<void>(metrics.exposition());
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(value("sconverge_gateway_requests_total{method=\"GET\",route=\"/slurm/{version}/jobs\","
                  "code=\"200\",slurm_status=\"200\"}"),
            400);
  EXPECT_EQ(value("sconverge_gateway_in_flight"), 0);
}

}  // namespace
}  // namespace sconverge::test
