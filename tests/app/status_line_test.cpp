#include "controller/app/status_line.h"

#include <gtest/gtest.h>

#include "tests/support/builders.h"

namespace sconverge::test {
namespace {

TickReport a_report(const std::string& cluster, const std::vector<Phase>& phases) {
  TickReport report;
  report.cluster = cluster;
  for (const Phase phase : phases) {
    report.statuses.push_back({a_name("train"), {phase, Reason::JobRunning, ""}});
  }
  return report;
}

struct StatusLineTest : testing::Test {
  StatusLineTest() { line.show({"lab", "other", "third"}); }
  StatusLine line{};
};

TEST_F(StatusLineTest, CountsSpecsByPhaseOverAllClusters) {
  EXPECT_EQ(line.text(), "0 specs");
  line.take(a_report("lab", {Phase::Running}));
  EXPECT_EQ(line.text(), "1 spec: 1 Running");
  line.take(a_report("other", {Phase::Succeeded, Phase::Pending, Phase::Running}));
  EXPECT_EQ(line.text(), "4 specs: 1 Pending, 2 Running, 1 Succeeded");
  line.take(a_report("lab", {Phase::Failed}));
  EXPECT_EQ(line.text(), "4 specs: 1 Pending, 1 Running, 1 Succeeded, 1 Failed");
}

TEST_F(StatusLineTest, NamesClustersWhoseTicksFail) {
  TickReport report = a_report("lab", {Phase::Running});
  report.failed = Error{ErrorKind::Unavailable, "no answer"};
  report.failed_step = "observe";
  line.take(report);
  report.cluster = "other";
  line.take(report);
  report.cluster = "third";
  report.failed_step = "store";
  line.take(report);
  EXPECT_EQ(line.text(),
            "3 specs: 3 Running; cannot observe lab, other; cannot use the memory of third");
  line.take(a_report("lab", {}));
  line.show({"lab"});
  EXPECT_EQ(line.text(), "0 specs");
  line.take(report);  // its last tick has ended late
  EXPECT_EQ(line.text(), "0 specs");
}

}  // namespace
}  // namespace sconverge::test
