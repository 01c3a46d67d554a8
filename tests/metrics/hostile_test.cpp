// Whatever is reported, and by whoever made it up, the exposition stays readable and small.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>

#include "metrics/gateway_metrics.h"
#include "metrics/metrics.h"
#include "tests/metrics/exposition.h"

namespace sconverge::test {
namespace {

using testing::IsEmpty;

constexpr TimePoint kNoon{std::chrono::hours{12}};
const BuildInfo kBuild{"1.2.3", "abc", "g++ 12"};

/// Words that people, programs and attackers come up with.
class Words {
 public:
  explicit Words(unsigned seed) : dice_(seed) {}

  std::string next() {
    static const std::string parts[] = {
        "a",    "\n",           "\"",       "\\", "{",    "}",          " 1\n", "\xff",
        "\xc3", "\xed\xa0\x80", "# TYPE x", "=",  ",",    "\u2028",     "\0x",  "_total",
        "le",   "__",           "\r\n\t",   "7",  "%s%n", "../../etc/", "<b>"};
    std::string word;
    const auto count = dice_() % 6;
    for (unsigned i = 0; i < count; ++i) word += parts[dice_() % std::size(parts)];
    if (dice_() % 50 == 0) word += std::string(100'000, 'x');
    return word;
  }
  std::string code() { return std::to_string(dice_() % 1000); }
  bool coin() { return dice_() % 2 == 0; }

 private:
  std::mt19937 dice_;
};

TickReport hostile_report(Words& words) {
  TickReport report;
  report.cluster = "lab";
  report.began = report.ended = kNoon;
  report.source_complete = words.coin();
  report.source_reason = words.next();
  report.revision = words.next();
  report.failed_step = words.next();
  for (int i = 0; i < 200; ++i) {
    report.requests.push_back({words.next(), words.coin() ? words.code() : words.next(), 0.1});
    report.our_jobs[words.next()] = i;
    report.terminations.push_back(
        {.outcome = {.kind = OutcomeKind::Failed, .state = words.next()}});
    report.problems.push_back({.file = words.next(),
                               .field = words.next(),
                               .what = words.next(),
                               .remedy = words.next()});
    SpecStatus status{{words.next(), words.next()}};
    status.verdict.message = words.next();
    report.statuses.push_back(status);
    report.statuses.push_back({{"default", "spec-" + std::to_string(i) + words.code()}});
  }
  return report;
}

std::size_t samples_in(const Exposition& exposition) {
  std::size_t count = 0;
  for (const auto& [name, family] : exposition.families) count += family.samples.size();
  return count;
}

void expect_promtool_is_content(const std::string& exposition) {
  if (std::system("command -v promtool >/dev/null 2>&1") != 0) return;
  const auto file =
      std::filesystem::temp_directory_path() / ("sconverge-hostile-" + std::to_string(::getpid()));
  std::ofstream(file) << exposition;
  EXPECT_EQ(std::system(("promtool check metrics <" + file.string()).c_str()), 0);
  std::filesystem::remove(file);
}

TEST(HostileTest, ReportsCannotBreakTheExpositionOrGrowItWithoutEnd) {
  Words words(7);
  Metrics metrics(kBuild);
  metrics.limit_specs({.most = 50});
  metrics.add_cluster("lab");
  const auto round = [&] {
    for (int i = 0; i < 20; ++i) {
      metrics.record(hostile_report(words));
      metrics.set_slurm_info("lab", words.next(), words.next());
      metrics.count_http_answer(words.next(), std::atoi(words.code().c_str()) % 7 + 200);
    }
  };
  for (int i = 0; i < 8; ++i) round();
  const Exposition full = read_exposition(metrics.exposition({}));
  EXPECT_THAT(full.errors, IsEmpty());
  const auto limited = [&](const char* family) { return full.families.at(family).samples.size(); };
  EXPECT_LE(limited("sconverge_slurm_requests_total"), 65U * 33);
  EXPECT_LE(limited("sconverge_slurm_request_duration_seconds"), 65U * 15);
  EXPECT_LE(limited("sconverge_http_requests_total"), 33U * 7 + 5);
  EXPECT_EQ(limited("sconverge_spec_ready"), 50U);
  EXPECT_EQ(limited("sconverge_slurm_info"), 1U);
  EXPECT_LT(samples_in(full), 5000U);
  expect_promtool_is_content(metrics.exposition({}));

  for (const auto& [name, family] : full.families) {
    for (const Sample& sample : family.samples) {
      for (const auto& [label, value] : sample.labels) EXPECT_LE(value.size(), 2 * 128U) << name;
    }
  }
}

// One request of the gateway, every word in it made up; each test says which ones count.
struct HostileGatewayTest : testing::Test {
  std::size_t samples_after(const std::function<void(GatewayRequest&)>& change) {
    for (int i = 0; i < 5000; ++i) {
      GatewayRequest request{"GET", "/slurm/{version}/jobs", 200, 200, 0.1, ""};
      change(request);
      metrics.begin_request();
      metrics.record_request(request);
    }
    const Exposition full = read_exposition(metrics.exposition());
    EXPECT_THAT(full.errors, IsEmpty());
    expect_promtool_is_content(metrics.exposition());
    return full.families.at("sconverge_gateway_requests_total").samples.size();
  }
  int code() { return std::atoi(words.code().c_str()); }

  Words words{11};
  GatewayMetrics metrics{kBuild};
};

TEST_F(HostileGatewayTest, RoutesAndMethodsAreBounded) {
  EXPECT_LE(samples_after([&](GatewayRequest& request) {
              request.route = words.next() + words.code();
              request.upstream_error = words.next();
            }),
            65U);
  EXPECT_LE(samples_after([&](GatewayRequest& request) { request.method = words.next(); }),
            65U + 4);
}

TEST_F(HostileGatewayTest, CodesAreBounded) {
  EXPECT_LE(samples_after([&](GatewayRequest& request) {
              request.code = code();
              request.slurm_status = code();
            }),
            33U * 33);
}

}  // namespace
}  // namespace sconverge::test
