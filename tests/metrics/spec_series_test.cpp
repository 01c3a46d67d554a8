#include "metrics/spec_series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "metrics/metrics.h"
#include "tests/metrics/exposition.h"

namespace sconverge::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr TimePoint kNoon{std::chrono::hours{12}};
constexpr const char* kDropped = "sconverge_metric_series_dropped_total";

SpecStatus a_status(const std::string& name, Phase phase = Phase::Running) {
  SpecStatus status{{"default", name}};
  status.verdict = {phase, Reason::JobRunning, ""};
  return status;
}

// One cluster "lab"; each test tells which specs it has.
struct SpecSeriesTest : testing::Test {
  SpecSeriesTest() { metrics.add_cluster("lab"); }

  void see(std::vector<SpecStatus> statuses, const std::string& cluster = "lab") {
    TickReport report;
    report.cluster = cluster;
    report.began = report.ended = kNoon;
    report.source_complete = true;
    report.statuses = std::move(statuses);
    metrics.record(report);
  }
  [[nodiscard]] Exposition seen() const {
    Exposition exposition = read_exposition(metrics.exposition({}));
    EXPECT_THAT(exposition.errors, IsEmpty());
    return exposition;
  }
  [[nodiscard]] std::vector<std::string> shown() const {
    std::vector<std::string> names;
    auto families = seen().families;
    for (const auto& sample : families["sconverge_spec_ready"].samples) {
      names.push_back(sample.labels.at("cluster") + "/" + sample.labels.at("spec"));
    }
    return names;
  }
  static std::string ready(const std::string& spec) {
    return "sconverge_spec_ready{cluster=\"lab\",spec_namespace=\"default\",spec=\"" + spec + "\"}";
  }
  static std::string success(const std::string& spec) {
    return "sconverge_spec_last_success_timestamp_seconds{cluster=\"lab\",spec_namespace="
           "\"default\",spec=\"" +
           spec + "\"}";
  }

  Metrics metrics{BuildInfo{"1.2.3", "abc", "g++ 12"}};
};

TEST_F(SpecSeriesTest, EachSpecTellsWhetherItIsReadyAndWhenItLastSucceeded) {
  SpecStatus done = a_status("done", Phase::Succeeded);
  done.succeeded_at = kNoon + milliseconds{5};
  see({done, a_status("failed", Phase::Failed)});
  EXPECT_EQ(seen().value(ready("done")), 1);
  EXPECT_EQ(seen().value(success("done")), 43200.005);
  EXPECT_EQ(seen().value(ready("failed")), 0);
  EXPECT_FALSE(seen().has(success("failed")));
}

TEST_F(SpecSeriesTest, ADeletedSpecIsGoneAtTheNextScrape) {
  see({a_status("a"), a_status("b")});
  SpecStatus removed = a_status("b");
  removed.removed = true;
  see({a_status("a"), removed});
  EXPECT_THAT(shown(), ElementsAre("lab/a"));
  see({});
  EXPECT_THAT(metrics.exposition({}), Not(HasSubstr("sconverge_spec_ready")));
}

TEST_F(SpecSeriesTest, ASpecWhoseStandingChangesShowsTheNewOne) {
  see({a_status("a", Phase::Waiting)});
  EXPECT_EQ(seen().value(ready("a")), 0);
  see({a_status("a", Phase::Running)});
  EXPECT_EQ(seen().value(ready("a")), 1);
}

TEST_F(SpecSeriesTest, OverTheCapTheFirstNamesHaveSeriesWhateverTheOrder) {
  metrics.limit_specs({.most = 2});
  see({a_status("d"), a_status("b"), a_status("c"), a_status("a")});
  EXPECT_THAT(shown(), ElementsAre("lab/a", "lab/b"));
  EXPECT_EQ(seen().value("sconverge_collector_success{collector=\"specs\"}"), 0);
}

TEST_F(SpecSeriesTest, TheCapIsOneForAllClustersAndByNameAlone) {
  metrics.add_cluster("gcp");
  metrics.limit_specs({.most = 3});
  see({a_status("a"), a_status("c")});
  see({a_status("a"), a_status("b")}, "gcp");
  EXPECT_THAT(shown(), ElementsAre("gcp/a", "lab/a", "gcp/b"));
  metrics.remove_cluster("gcp");
  EXPECT_THAT(shown(), ElementsAre("lab/a", "lab/c"));
}

TEST_F(SpecSeriesTest, ASeriesLeftOutIsCountedOnce) {
  metrics.limit_specs({.most = 1});
  SpecStatus b = a_status("b");
  b.succeeded_at = kNoon;
  see({a_status("a"), b, a_status("c")});
  EXPECT_EQ(seen().value(kDropped), 3);
  for (int i = 0; i < 5; ++i) {
    b.succeeded_at = kNoon + seconds{i};
    see({a_status("a"), b, a_status("c")});
  }
  EXPECT_EQ(seen().value(kDropped), 3);
  SpecStatus c = a_status("c");
  c.succeeded_at = kNoon;
  see({a_status("a"), b, c});
  EXPECT_EQ(seen().value(kDropped), 4);
}

TEST_F(SpecSeriesTest, ASeriesThatWasShownInBetweenIsCountedAgain) {
  metrics.limit_specs({.most = 1});
  see({a_status("a"), a_status("b")});
  see({a_status("b")});
  EXPECT_EQ(seen().value(kDropped), 1);
  EXPECT_EQ(seen().value("sconverge_collector_success{collector=\"specs\"}"), 1);
  see({a_status("a"), a_status("b")});
  EXPECT_EQ(seen().value(kDropped), 2);
}

TEST_F(SpecSeriesTest, SwitchedOffThereAreNoneAndNoneAreCounted) {
  see({a_status("a"), a_status("b")});
  metrics.limit_specs({.per_spec = false, .most = 1});
  see({a_status("a"), a_status("b"), a_status("c")});
  EXPECT_THAT(shown(), IsEmpty());
  EXPECT_EQ(seen().value(kDropped), 0);
  EXPECT_FALSE(seen().has("sconverge_collector_success{collector=\"specs\"}"));
  EXPECT_EQ(seen().value("sconverge_specs{cluster=\"lab\",phase=\"Running\"}"), 3);
}

TEST_F(SpecSeriesTest, AnOutageLeavesSpecsAsLastKnown) {
  see({a_status("a")});
  TickReport failed;
  failed.cluster = "lab";
  failed.failed = Error{.kind = ErrorKind::Unavailable, .message = "no"};
  failed.failed_step = "observe";
  metrics.record(failed);
  EXPECT_THAT(shown(), ElementsAre("lab/a"));
}

TEST_F(SpecSeriesTest, WhatIsNoNameOfASpecHasNoSeries) {
  see({a_status("a"), a_status("b\"} 1\nevil 1"), a_status("\xff\xfe"), a_status(""),
       a_status(std::string(5000, 'x'))});
  EXPECT_THAT(shown(), ElementsAre("lab/a"));
}

TEST_F(SpecSeriesTest, AClustersNameCannotBreakTheLines) {
  const std::string name = "l\"ab\\\n\xff" + std::string(300, 'x');
  metrics.add_cluster(name);
  see({a_status("a")}, name);
  EXPECT_EQ(seen().families["sconverge_spec_ready"].samples.size(), 1U);
}

}  // namespace
}  // namespace sconverge::test
